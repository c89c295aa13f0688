"""Synthetic repositories with an index beside them, made once and kept in the work folder.

Made by the product's own `refresh`, with random vectors in place of the model's. A corpus is made
anew when its sources or any of our source files change.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.measuring import run_task
from benchmarks.options import ROOT, Options
from benchmarks.repositories import FLASK, NETTY, PYTEST, Pinned, find_mirror
from benchmarks.synthetic import SourceFile, copies, read_sources, write_repository

HERE = Path(__file__).resolve().parent
DONE = "corpus.json"
MAKERS = ("chunking", "indexing", "languages", "lexical", "parsing", "store", "tokens")
SMALL_FILE = 2_500  # bytes; for repositories of many files


@dataclass(frozen=True, slots=True)
class Corpus:
    """A repository (nothing checked out) and what its index holds."""

    repository: str
    files: int
    chunks: int
    build_wall: float
    build_cpu: float
    publish_wall: float
    peak_bytes: int

    @property
    def label(self) -> str:
        """Its size in words."""
        return f"{self.chunks:,} chunks"


def synthetic_corpus(options: Options, n_chunks: int) -> Corpus:
    """Return a corpus of about `n_chunks` chunks."""
    sources = _sources(options)
    probe = _make(options, sources, min(len(sources), 400), "probe")
    n_files = max(10, round(n_chunks * probe.files / max(probe.chunks, 1)))
    return _make(options, sources, n_files, f"chunks-{n_chunks}")


def many_files(options: Options, n_files: int) -> Corpus:
    """Return a corpus of `n_files` small files."""
    sources = [source for source in _sources(options) if len(source.text) <= SMALL_FILE]
    return _make(options, sources, n_files, f"files-{n_files}")


def describe_sources(options: Options) -> str:
    """Return which real files the corpora are made of."""
    mirrors = [p.label for p in _pinned(options) if find_mirror(options.repos, p)]
    return " and ".join(mirrors or ["Sidelight's own repository"])


def _pinned(options: Options) -> tuple[Pinned, ...]:
    return (FLASK,) if options.small else (PYTEST, NETTY)


def _sources(options: Options) -> list[SourceFile]:
    """Return real files, in an order that mixes them, so that any number is a fair sample."""
    found = [(find_mirror(options.repos, item), item.commit) for item in _pinned(options)]
    repositories = [(path, commit) for path, commit in found if path is not None]
    sources = read_sources(repositories or [(ROOT, "HEAD")])
    return sorted(sources, key=lambda s: hashlib.blake2b(s.path.encode()).digest())


def _make(options: Options, sources: Sequence[SourceFile], n_files: int, name: str) -> Corpus:
    key = _key(sources, n_files)
    target = options.work / f"{name}-{key}"
    try:
        return Corpus(**json.loads((target / ".git" / DONE).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        pass
    for old in options.work.glob(f"{name}-*"):
        shutil.rmtree(old, ignore_errors=True)
    write_repository(target, copies(sources, n_files))
    answer = run_task("indexing:build_with_random_vectors", repository=str(target))
    corpus = Corpus(
        repository=str(target),
        files=answer["files"],
        chunks=answer["chunks"],
        build_wall=answer["wall"],
        build_cpu=answer["cpu"],
        publish_wall=answer["publish"],
        peak_bytes=answer["peak_bytes"],
    )
    (target / ".git" / DONE).write_text(json.dumps(asdict(corpus)), "utf-8")
    return corpus


def _key(sources: Sequence[SourceFile], n_files: int) -> str:
    """Return a name that changes with the sources and with whatever code makes the index."""
    digest = hashlib.blake2b(f"{n_files}".encode(), digest_size=6)
    for source in sources:
        digest.update(f"{source.path} {len(source.text)}".encode("utf-8", "surrogateescape"))
    core = ROOT / "src" / "sidelight"
    code = [path for name in MAKERS for path in (core / name).rglob("*")]
    for path in sorted([*code, core / "versions.py", HERE / "synthetic.py", HERE / "stand_ins.py"]):
        if path.suffix in {".py", ".scm"}:
            digest.update(path.read_bytes())
    return digest.hexdigest()
