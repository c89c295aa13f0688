"""Sidelight's ranking for a diff as an engine: the one place that knows its interfaces."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from sidelight.config import Config
from sidelight.errors import UsageError
from sidelight.evaluation.engine import settings_text
from sidelight.evaluation.identity import indexing_sources, ranking_sources, source_digest
from sidelight.evaluation.matrix import SignalMatrix
from sidelight.evaluation.metrics import RankedSpan
from sidelight.evaluation.ports import DIFF, Change, Progress, Query, Ranking, TreeInfo
from sidelight.focal import FocalSet, build_focal
from sidelight.git.diffs import diff_revisions
from sidelight.git.repository import Repository, open_repository
from sidelight.indexing.place import EmbedderSource, Place, revision_view
from sidelight.indexing.refresh import index_target
from sidelight.indexing.report import Progress as IndexProgress
from sidelight.indexing.report import Target
from sidelight.related.rank import rank_files
from sidelight.related.session import RelatedSession
from sidelight.related.structural import RankingMode
from sidelight.related.weights import DIFF as DEFAULT_WEIGHTS
from sidelight.related.weights import DiffWeights
from sidelight.store.database import Database
from sidelight.store.reader import view_counts

WEIGHTS = ("related", "weights.py")  # whose numbers change no signal


@dataclass(frozen=True, slots=True)
class Recipe:
    """What of the ranking is on, and with which weights."""

    weights: DiffWeights = DEFAULT_WEIGHTS
    title: bool = True
    history: bool = True
    graph: bool = True
    ranking: RankingMode = RankingMode.SIGNALS


def weight_names() -> tuple[str, ...]:
    """Return the names of the signals, as the weights have them."""
    return tuple(field.name for field in fields(DiffWeights))


def recipes(weights: DiffWeights = DEFAULT_WEIGHTS) -> dict[str, Recipe]:
    """Return the modes of `sidelight related` that are measured, the whole first."""
    return {
        "related": Recipe(weights),
        "related-no-title": Recipe(weights, title=False),
        "related-no-history": Recipe(weights, history=False),
        "related-no-graph": Recipe(weights, graph=False),
        "related-structural": Recipe(weights, ranking=RankingMode.STRUCTURAL),
    }


class RelatedEngine:
    """Indexes trees without vectors, as named views of one store a repository, and ranks diffs.

    The store is not the one of questions: there, the chunks that are left pending here would all
    be embedded by the next question.
    """

    def __init__(
        self,
        config: Config,
        embedder: EmbedderSource,
        modes: Mapping[str, Recipe] | None = None,
    ) -> None:
        self._config = config
        self._embedder = embedder
        self._modes = dict(recipes() if modes is None else modes)
        # Once: files that are edited during a run are not the code that runs.
        self._store = source_digest(embedder.sha256, indexing_sources()) + "-plain"

    def tasks(self, mode: str) -> frozenset[str]:
        """Return the one task of `sidelight related`."""
        return frozenset({DIFF}) if mode in self._modes else frozenset()

    def fingerprint(self, mode: str) -> str:
        """Return a digest of the mode's recipe, settings, libraries and the code that ranks."""
        text = settings_text(repr(self._modes[mode]), self._config, self._embedder.sha256)
        return source_digest(text, [*ranking_sources(), Path(__file__)])

    def signals_fingerprint(self) -> str:
        """Return a digest of everything that may change a signal: all but the weights."""
        text = settings_text("signals", self._config, self._embedder.sha256)
        sources = [path for path in ranking_sources() if path.parts[-2:] != WEIGHTS]
        return source_digest(text, [*sources, Path(__file__)])

    def read_signals(
        self, git_dir: Path, changes: Sequence[Change], store_dir: Path, progress: Progress
    ) -> Iterator[SignalMatrix]:
        """Yield the matrix of each change of one base; see `SignalEngine.read_signals`."""
        with self.open_tree(git_dir, changes[0].base, store_dir, progress) as tree:
            for change in changes:
                yield tree.signals(change)

    @contextmanager
    def open_tree(
        self, git_dir: Path, commit: str, store_dir: Path, progress: Progress
    ) -> Iterator[RelatedTree]:
        """Yield the tree as a view of the store; see `Engine.open_tree`."""
        repository = open_repository(git_dir)
        place = Place(repository, store_dir / self._store, self._config, self._embedder)
        commit = repository.resolve_commit(commit)
        target = Target(revision_view(commit), commit, repository.tree_of(commit))
        report = index_target(
            place,
            target,
            wait=True,
            create=True,
            vectors=False,
            progress=IndexProgress(progress),
        )
        with RelatedSession.open(place, target.view) as session:
            with (
                Database.open(place.directory, place.identity) as database,
                database.read() as rows,
            ):
                _, n_chunks = view_counts(rows, session.view.id)
            info = TreeInfo(len(session.files), n_chunks, report.seconds)
            yield RelatedTree(repository, session, self._modes, info)


class RelatedTree:
    """One view, asked through an open session."""

    def __init__(
        self,
        repository: Repository,
        session: RelatedSession,
        modes: Mapping[str, Recipe],
        info: TreeInfo,
    ) -> None:
        self._repository = repository
        self._session = session
        self._modes = modes
        self._info = info

    @property
    def info(self) -> TreeInfo:
        """Return the view's size and the seconds that indexing it took."""
        return self._info

    def ask(self, query: Query, *, mode: str, k: int) -> Ranking:
        """Return the session's hits; the time runs from the two commits to the hits."""
        if not isinstance(query, Change):
            raise UsageError(f"mode {mode} answers diffs only")
        recipe = self._modes[mode]
        started = time.perf_counter()
        focal = self._focal(query)
        if not recipe.title:
            focal = replace(focal, title="", scope="")
        result = self._session.rank(
            focal,
            k,
            weights=recipe.weights,
            ranking=recipe.ranking,
            use_history=recipe.history,
            use_graph=recipe.graph,
        )
        query_ms = 1000 * (time.perf_counter() - started)
        hits = tuple(
            RankedSpan(hit.path, hit.span.start_line, hit.span.end_line, hit.alike)
            for hit in result.hits
        )
        return Ranking(hits, query_ms)

    def signals(self, change: Change) -> SignalMatrix:
        """Return the signals of a change over the candidates that any of them speaks for."""
        focal = self._focal(change)
        signals = self._session.signals(focal)
        files = self._session.files
        names = weight_names()
        unit = DiffWeights(**dict.fromkeys(names, 1.0))
        found = rank_files(files, signals, focal.paths, unit)
        ranked = sorted(found, key=lambda item: item.file)
        return SignalMatrix(
            names,
            tuple(files.paths[item.file] for item in ranked),
            np.asarray(
                [[item.shares.get(name, 0.0) for name in names] for item in ranked], np.float64
            ).reshape(len(ranked), len(names)),
        )

    def _focal(self, change: Change) -> FocalSet:
        repository = self._repository
        base, head = (repository.resolve_commit(commit) for commit in (change.base, change.head))
        return build_focal(
            repository, diff_revisions(repository, base, head, change.focal), change.title
        )
