"""code-review-graph, through its command line, in the interpreter that has it.

It is asked as its help says and its JSON is read; nothing of it is imported or copied. Its optional
embeddings stay off (they need a model that would be downloaded). What it writes outside the clone
goes into folders of the benchmark: `CRG_DATA_DIR`, and a home of its own.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measuring import Finished, Seconds, run_child, seconds_of

DRIVER = Path(__file__).resolve().parent / "peer_impact.py"
MODULE = "code_review_graph"
PACKAGES = "code-review-graph langchain-classic langchain-community rank_bm25 faiss-cpu"


@dataclass(frozen=True, slots=True)
class PeerGraph:
    """A clone and the graph of it, both in folders of the benchmark."""

    python: str
    clone: Path
    folder: Path

    def start_over(self) -> None:
        """Forget the graph."""
        shutil.rmtree(self._data, ignore_errors=True)
        self._data.mkdir(parents=True)

    def build(self) -> Finished:
        """Parse everything, with all that its `build` does by default."""
        return self._run("build", "-q")

    def update(self) -> Finished:
        """Take up what changed since the commit that the graph was made of."""
        return self._run("update", "-q")

    def impact(self, files: Sequence[str], depth: int | None = None) -> Finished:
        """Ask what a change of these files affects; by default as deep as it goes by default."""
        deep = [] if depth is None else ["--depth", str(depth)]
        return self._run("impact", *deep, "--files", *files)

    def impacted(self, files: Sequence[str], depth: int | None = None) -> tuple[str, ...]:
        """Return the files that it lists, best first; see `read_impact`."""
        return read_impact(self.impact(files, depth).stdout, self.clone, files)

    def warm(self, files: Sequence[str], rounds: int) -> Seconds:
        """Ask in one process and return the median of what the question takes there."""
        told = json.dumps({"files": files, "clone": str(self.clone), "rounds": rounds})
        done = self._start(str(DRIVER), told)
        return seconds_of(json.loads(done.stdout.splitlines()[-1]))

    def size_bytes(self) -> int:
        """Return what the graph takes on disk."""
        return sum(path.stat().st_size for path in self._data.rglob("*") if path.is_file())

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _run(self, *words: str) -> Finished:
        return self._start("-m", MODULE, *words)

    def _start(self, *words: str) -> Finished:
        home = self.folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        env = {**os.environ, "HOME": str(home), "CRG_DATA_DIR": str(self._data)}
        command = [self.python, "-I", *words]
        return run_child(command, env=env, cwd=self.clone, quiet=True)


def read_impact(output: str, clone: Path, changed: Iterable[str]) -> tuple[str, ...]:
    """Return the files of an `impact` answer, relative to the clone, the changed ones left out.

    Best first: in the order of its nodes, which come with scores; then, by name, the files that it
    lists without one of these nodes (its list of files itself has no order).

    Raises:
        ValueError: it is no such answer, or tells of a failure.
    """
    start = output.find("{")
    answer: dict[str, Any] = json.loads(output[start:]) if start >= 0 else {}
    if answer.get("status") != "ok":
        raise ValueError(f"no answer: {output[:200]!r}")
    nodes = [node["file_path"] for node in answer.get("impacted_nodes", [])]
    files = sorted(answer.get("impacted_files", []))
    listed = [path for path in nodes if path in set(files)]
    known = set(changed)
    found = dict.fromkeys(_relative(path, clone) for path in [*listed, *files])
    return tuple(path for path in found if path not in known)


def read_versions(python: str, names: Sequence[str]) -> dict[str, str]:
    """Return the versions of packages in an interpreter; of an absent one, `missing`."""
    code = (
        "import json, sys\n"
        "from importlib.metadata import PackageNotFoundError, version\n"
        "def of(name):\n"
        "    try:\n"
        "        return version(name)\n"
        "    except PackageNotFoundError:\n"
        "        return 'missing'\n"
        "print(json.dumps({name: of(name) for name in sys.argv[1:]}))\n"
    )
    done = run_child([python, "-I", "-c", code, *names])
    found: dict[str, str] = json.loads(done.stdout)
    return found


def how_to_install(python: str) -> str:
    """Return what to do where the interpreter is missing."""
    return (
        f"skipped: there is no interpreter at {python} (--peer-python FILE); make one with "
        f"`python -m venv DIR` and `DIR/bin/pip install {PACKAGES}`"
    )


def _relative(path: str, clone: Path) -> str:
    return os.path.relpath(path, clone) if os.path.isabs(path) else path  # noqa: PTH117 - text
