"""A folder for temporary files in a process that may write almost nowhere. Enter it first."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def temporary_folder(directory: Path) -> Iterator[Path]:
    """Give the folder that this process and its children use: the caller's, or one in `directory`.

    `confine` has to be told that it stays writable; one of ours is removed at the end.
    """
    given = os.environ.get("TMPDIR")
    if given:
        yield Path(given)
        return
    with tempfile.TemporaryDirectory(prefix="tmp-", dir=directory) as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        yield Path(folder)
