"""Sidelight's own index and search as an engine: the one place that knows their interfaces."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from sidelight.config import Config, index_fingerprint
from sidelight.errors import UsageError
from sidelight.evaluation.identity import indexing_sources, searching_sources, source_digest
from sidelight.evaluation.metrics import RankedSpan
from sidelight.evaluation.ports import QUESTION, Progress, Query, Question, Ranking, TreeInfo
from sidelight.git.repository import open_repository
from sidelight.indexing.place import EmbedderSource, Place, revision_view
from sidelight.indexing.refresh import index_revision
from sidelight.indexing.report import Progress as IndexProgress
from sidelight.search import Searcher, SearchMode, SearchRequest
from sidelight.search.features import Scoring
from sidelight.search.question import QueryKind
from sidelight.search.weights import QUESTION as QUESTION_WEIGHTS
from sidelight.search.weights import FeatureWeights

_LIBRARIES = (
    "bm25s",
    "numpy",
    "onnxruntime",
    "PyStemmer",
    "tokenizers",
    "tree-sitter",
    "tree-sitter-language-pack",
    "usearch",
)


def settings_text(mode: str, config: Config, model: str) -> str:
    """Return what decides a ranking beside the code: mode, settings, model, libraries."""
    libraries = (f"{name} {version(name)}" for name in _LIBRARIES)
    parts = (mode, index_fingerprint(config.index), repr(config.search), model, *libraries)
    return "\n".join(parts)


class SearchEngine:
    """Indexes trees as named views of one store a repository, and asks the searcher."""

    def __init__(
        self,
        config: Config,
        embedder: EmbedderSource,
        weights: FeatureWeights = QUESTION_WEIGHTS,
        modes: Mapping[str, SearchMode] | None = None,
    ) -> None:
        """Take the settings; `modes` are the names of search modes, by default their own."""
        self._config = config
        self._embedder = embedder
        self._weights = weights
        self._modes = {mode.value: mode for mode in SearchMode} if modes is None else dict(modes)
        # A store by other code would be taken for this code's: nothing in it would look stale.
        # Once: files that are edited during a run are not the code that runs.
        self._store = source_digest(embedder.sha256, indexing_sources())

    def tasks(self, mode: str) -> frozenset[str]:
        """Return the one task of `sidelight search`."""
        return frozenset({QUESTION}) if mode in self._modes else frozenset()

    def fingerprint(self, mode: str) -> str:
        """Return a digest of the mode, settings, model, libraries and the code that ranks."""
        text = settings_text(self._modes[mode].value, self._config, self._embedder.sha256)
        return source_digest(f"{text}\n{self._weights}", searching_sources())

    @contextmanager
    def open_tree(
        self, git_dir: Path, commit: str, store_dir: Path, progress: Progress
    ) -> Iterator[SearchTree]:
        """Yield the tree as a view of the store; see `Engine.open_tree`."""
        repository = open_repository(git_dir)
        place = Place(repository, store_dir / self._store, self._config, self._embedder)
        commit = repository.resolve_commit(commit)
        view = revision_view(commit)
        report = index_revision(place, commit, view, progress=IndexProgress(progress))
        with Searcher.open(place, view, weights=self._weights) as searcher:
            info = searcher.info()
            tree = TreeInfo(info.files, info.chunks, report.seconds)
            yield SearchTree(searcher, self._modes, tree)


class SearchTree:
    """One view, asked through an open searcher."""

    def __init__(self, searcher: Searcher, modes: Mapping[str, SearchMode], info: TreeInfo) -> None:
        self._searcher = searcher
        self._modes = modes
        self._info = info

    @property
    def info(self) -> TreeInfo:
        """Return the view's size and the seconds that indexing it took."""
        return self._info

    def scoring(self, question: Question, *, k: int) -> tuple[QueryKind, Scoring]:
        """Return what orders a question's candidates under any weights."""
        return self._searcher.scoring(_request(question, k, SearchMode.HYBRID))

    def ask(self, query: Query, *, mode: str, k: int) -> Ranking:
        """Return the searcher's hits; the time covers embedding the question."""
        if not isinstance(query, Question):
            raise UsageError(f"mode {mode} answers questions only")
        request = _request(query, k, self._modes[mode])
        started = time.perf_counter()
        result = self._searcher.search(request)
        query_ms = 1000 * (time.perf_counter() - started)
        hits = tuple(
            RankedSpan(hit.path, hit.span.start_line, hit.span.end_line, hit.alike)
            for hit in result.hits
        )
        return Ranking(hits, query_ms)


def _request(question: Question, k: int, mode: SearchMode) -> SearchRequest:
    paths = () if question.root is None else (f"{escape_glob(question.root)}/**",)
    return SearchRequest(question.text, k, mode, paths)


def escape_glob(path: bytes) -> str:
    """Return a pattern that matches this path alone."""
    text = path.decode("utf-8", "surrogateescape")
    return "".join(f"\\{c}" if c in "*?[]\\" else c for c in text)
