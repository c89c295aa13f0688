"""A scratch git directory over a repository's objects, for reading by object id alone.

It has no refs, no remotes and no attributes, and sees no configuration of the user or the system:
what git answers there depends on the objects only. Without a promisor remote, an absent object is
absent; git 2.31 … 2.44 have no other way to keep `cat-file` from fetching, or from dying.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sidelight.git.repository import Repository

_CONFIG = """\
[core]
\trepositoryFormatVersion = {version}
\tbare = true
\tattributesFile = {nowhere}
\tignoreCase = false
\tprotectHFS = false
\tprotectNTFS = false
[extensions]
\tobjectFormat = {object_format}
"""


@contextmanager
def bare_objects(repo: Repository) -> Iterator[Repository]:
    """Yield a repository that holds the objects of `repo` and nothing else.

    Its git directory is temporary, and may be given an index. `is_partial` stays what it is, so
    that errors keep their hint.
    """
    import tempfile  # noqa: PLC0415  (11 ms, and most commands do not come here)

    nowhere = Path(os.devnull).as_posix()
    with tempfile.TemporaryDirectory(prefix="sidelight-git-") as folder:
        git_dir = Path(folder)
        (git_dir / "refs").mkdir()
        (git_dir / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
        sha1 = repo.object_format == "sha1"
        config = _CONFIG.format(
            version=0 if sha1 else 1, nowhere=nowhere, object_format=repo.object_format
        )
        if sha1:  # the extension may only be named in version 1
            config = config.partition("[extensions]")[0]
        (git_dir / "config").write_text(config, encoding="utf-8")
        settings = {
            "GIT_OBJECT_DIRECTORY": str(repo.objects_dir),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_COUNT": "0",
            "GIT_ATTR_NOSYSTEM": "1",
        }
        yield replace(
            repo,
            git_dir=git_dir,
            common_dir=git_dir,
            worktree=None,
            is_bare=True,
            is_shallow=False,
            worktree_name="",
            settings=tuple(settings.items()),
        )
