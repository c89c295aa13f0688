"""Run one task in this process: `python -m benchmarks.tasks MODULE:FUNCTION ARGUMENTS`.

ARGUMENTS and the answer, the last line printed, are JSON.
"""

from __future__ import annotations

import importlib
import json
import sys


def main(task: str, arguments: str) -> int:
    """Call the function and print its answer."""
    module, _, function = task.partition(":")
    call = getattr(importlib.import_module(f"benchmarks.tasks.{module}"), function)
    sys.stdout.write("\n" + json.dumps(call(**json.loads(arguments))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
