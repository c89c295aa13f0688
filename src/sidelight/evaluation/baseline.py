"""Whole-file BM25: the textbook that every figure is compared with.

Slow and plain on purpose, and apart from the product's own scoring and chunking, so that the
baseline stays where it is when they move. The stemmer alone is shared.
"""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sidelight.evaluation.identity import source_digest
from sidelight.evaluation.metrics import RankedSpan
from sidelight.evaluation.ports import (
    DIFF,
    QUESTION,
    Change,
    Progress,
    Query,
    Question,
    Ranking,
    TreeInfo,
)
from sidelight.git.blobs import BlobReader
from sidelight.git.diffs import diff_revisions
from sidelight.git.repository import Repository, open_repository
from sidelight.git.trees import list_tree
from sidelight.tokens.words import expand

MODE = "file-bm25"
K1 = 1.5
B = 0.75
MAX_BYTES = 1_000_000
SNIFFED_BYTES = 8_000  # as git: a NUL in them makes a file binary
CACHED_BLOBS = 20_000

SOURCE_SUFFIXES = frozenset(
    """
    .py .pyi .js .mjs .cjs .jsx .ts .mts .cts .tsx .go .rs .java .kt .kts .scala .swift .c .h .cc
    .cpp .cxx .hh .hpp .hxx .cs .rb .php .sh .bash .lua
    """.split()
)

_IDENTIFIER = re.compile(r"[A-Za-z0-9_]+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def file_terms(text: str) -> Counter[str]:
    """Return term → frequency: every identifier in lower case, and its parts if it has several.

    Plain words are stemmed. `parse_URLs` gives parse_urls, pars, ur, ls: no special cases here.
    """
    counts: Counter[str] = Counter()
    for identifier, n in Counter(_IDENTIFIER.findall(text)).items():
        whole = identifier.lower()
        terms = [_stem(whole)]
        parts = [part.lower() for part in _PART.findall(identifier)]
        if parts and parts != [whole]:
            terms += map(_stem, parts)
        for term in terms:
            counts[term] += n
    return counts


def _stem(word: str) -> str:
    if not (word.isalpha() and word.isascii()):
        return word
    return (expand(word) or (word,))[-1]  # a plain word's terms are itself and then its stem


def bm25_scores(query: Sequence[str], documents: Sequence[Mapping[str, int]]) -> list[float]:
    """Return Lucene's BM25 of every document: Σ idf · tf / (tf + k1 (1 − b + b · dl / avgdl)).

    idf = ln(1 + (N − df + .5) / (df + .5)); the constant factor k1 + 1 is left out, as Lucene does
    since version 8 (Kamphuis et al., ECIR 2020, "Lucene (accurate)").
    """
    lengths = [sum(document.values()) for document in documents]
    average = sum(lengths) / len(lengths) if lengths else 0.0
    scores = [0.0] * len(documents)
    for term in dict.fromkeys(query):
        having = [(i, tf) for i, document in enumerate(documents) if (tf := document.get(term, 0))]
        idf = math.log1p((len(documents) - len(having) + 0.5) / (len(having) + 0.5))
        for i, tf in having:
            scores[i] += idf * tf / (tf + K1 * (1 - B + B * lengths[i] / average))
    return scores


@dataclass(frozen=True, slots=True)
class _Document:
    path: bytes
    n_lines: int
    terms: Mapping[str, int]


class FileBm25:
    """The baseline as an engine. Nothing is stored; blobs that trees share are split up once."""

    def __init__(self) -> None:
        self._blobs: dict[str, tuple[int, Counter[str]] | None] = {}

    def tasks(self, mode: str) -> frozenset[str]:
        """Return both tasks for its only mode."""
        return frozenset({QUESTION, DIFF}) if mode == MODE else frozenset()

    def fingerprint(self, mode: str) -> str:
        """Return a digest of this very module: it depends on nothing else."""
        return source_digest(mode, [Path(__file__)])

    @contextmanager
    def open_tree(
        self, git_dir: Path, commit: str, store_dir: Path, progress: Progress
    ) -> Iterator[FileTree]:
        """Yield the tree's source files as documents; see `Engine.open_tree`."""
        del store_dir, progress  # nothing is stored, and nothing takes long
        started = time.perf_counter()
        repository = open_repository(git_dir)
        documents = self._documents(repository, commit)
        seconds = time.perf_counter() - started
        info = TreeInfo(len(documents), len(documents), seconds)
        yield FileTree(repository, documents, info)

    def _documents(self, repository: Repository, commit: str) -> list[_Document]:
        refs = [
            ref
            for ref in list_tree(repository, repository.tree_of(repository.resolve_commit(commit)))
            if ref.mode & 0o170000 == 0o100000
            and ref.size <= MAX_BYTES
            and PurePosixPath(ref.path.decode("utf-8", "replace")).suffix in SOURCE_SUFFIXES
        ]
        if len(self._blobs) > CACHED_BLOBS:
            self._blobs = {}
        blobs = self._blobs  # another thread may replace the attribute meanwhile
        documents: list[_Document] = []
        with BlobReader(repository) as reader:
            for ref in refs:
                if ref.blob not in blobs:
                    blobs[ref.blob] = _read(reader.read(ref.blob))
                known = blobs[ref.blob]
                if known is not None:
                    n_lines, terms = known
                    path_terms = file_terms(ref.path.decode("utf-8", "replace"))
                    documents.append(_Document(ref.path, n_lines, terms + path_terms))
        return documents


def _read(content: bytes) -> tuple[int, Counter[str]] | None:
    """Return the number of lines and the terms; None for a binary file."""
    if b"\0" in content[:SNIFFED_BYTES]:
        return None
    n_lines = content.count(b"\n") + (not content.endswith(b"\n"))
    return max(1, n_lines), file_terms(content.decode("utf-8", "replace"))


class FileTree:
    """One tree's files, ranked whole."""

    def __init__(
        self, repository: Repository, documents: Sequence[_Document], info: TreeInfo
    ) -> None:
        self._repository = repository
        self._documents = documents
        self._info = info

    @property
    def info(self) -> TreeInfo:
        """Return the number of files, which are the chunks here."""
        return self._info

    def ask(self, query: Query, *, mode: str, k: int) -> Ranking:
        """Return the files that share a term with the query; statistics are those of candidates.

        Candidates are the files below a question's root, or all but a change's own.
        """
        del mode
        started = time.perf_counter()
        if isinstance(query, Question):
            below = b"" if query.root is None else query.root + b"/"
            documents = [d for d in self._documents if d.path.startswith(below)]
            text = query.text
        else:
            documents = [d for d in self._documents if d.path not in query.focal]
            text = f"{query.title}\n{self._diff(query)}"
        scores = bm25_scores(list(file_terms(text)), [d.terms for d in documents])
        order = sorted(range(len(documents)), key=lambda i: (-scores[i], documents[i].path))
        hits = tuple(
            RankedSpan(documents[i].path, 1, documents[i].n_lines)
            for i in order[:k]
            if scores[i] > 0
        )
        return Ranking(hits, 1000 * (time.perf_counter() - started))

    def _diff(self, change: Change) -> str:
        """Return what the patch of the focal files says: paths, hunk headers and lines.

        git's own words around them (`diff --git`, `index`, blob ids) would only be noise.
        """
        repository = self._repository
        base, head = (repository.resolve_commit(c) for c in (change.base, change.head))
        said: list[bytes] = []
        for diff in diff_revisions(repository, base, head, change.focal):
            said.append(diff.change.path)
            for hunk in diff.hunks:
                said += [hunk.section, *(line.text for line in hunk.lines)]
        return b"\n".join(said).decode("utf-8", "replace")
