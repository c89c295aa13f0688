"""How our Python is started: isolated from the worktree it stands in.

`-P` keeps the worktree's own `click.py` or `sqlite3.py` from being imported, `-E` does the same for
PYTHONPATH, PYTHONHOME and PYTHONSTARTUP. Not `-I`, which would also hide the user's own
site-packages, where `pip install --user` puts us.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from sidelight.errors import SidelightError

OPTIONS = ("-E", "-P", "-X", "utf8")
CODE = "from sidelight_hooks.main import main; raise SystemExit(main())"
PROBE_TIMEOUT_S = 30.0  # a cold start from a network disk; it is 30 ms from a warm one


def command(python: str) -> list[str]:
    """Return the words that start `sidelight-hook` with an interpreter; arguments may follow."""
    return [python, *OPTIONS, "-c", CODE]


def works(python: str) -> bool:
    """Return whether this interpreter starts and can import us, isolated as above."""
    words = [python, *OPTIONS, "-c", "import sidelight_hooks.main, sidelight_hooks.run"]
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):  # ValueError: a NUL in the path
        return False
    return done.returncode == 0


def require_working(python: str) -> None:
    """Pass if the hooks can be run by this interpreter.

    Raises:
        SidelightError: it cannot, so that installing it would only break every hook.
    """
    if not Path(python).is_absolute() or not works(python):
        raise SidelightError(
            f"the Python at {python or '(unknown)'} cannot import Sidelight on its own",
            hint="the hooks ignore PYTHONPATH: install Sidelight into an environment "
            "(pip, pipx, uv) and run that environment's `sidelight-hook install`",
        )
