"""`python -I -m sidelight_bot`: the entry point, so that nothing of a checkout is ever imported."""

from __future__ import annotations

import sys

from sidelight_bot.cli import main

if __name__ == "__main__":
    sys.exit(main())
