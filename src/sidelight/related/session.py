"""An open view that ranks its files for diffs, and chooses the lines of each that matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import numpy as np

from sidelight.errors import IndexMissingError
from sidelight.focal import FocalSet
from sidelight.history.past import History
from sidelight.indexing.place import Place
from sidelight.lexical import Bm25Parameters
from sidelight.model import Hit
from sidelight.related.definitions import Definition
from sidelight.related.files import ViewFiles, read_files
from sidelight.related.query import diff_terms
from sidelight.related.rank import RankedFile, rank_files
from sidelight.related.reasons import explain, telling_words
from sidelight.related.signals import Signals, read_signals
from sidelight.related.weights import DIFF, DiffWeights
from sidelight.store.corpus import Corpus, open_corpus
from sidelight.store.database import Database
from sidelight.store.past import open_history
from sidelight.store.reader import ChunkInfo, document_chunks
from sidelight.store.snapshot import open_latest
from sidelight.store.views import ViewInfo, find_view
from sidelight.tokens import term_hash

DEFINITION_BONUS = 0.5  # of the file's best chunk score, for the chunk that defines a changed name


@dataclass(frozen=True, slots=True)
class RelatedResult:
    """Hits outside the diff, best first, one a file, and the view that was ranked."""

    focal: FocalSet
    view: ViewInfo
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = field(default=())


class RelatedSession:
    """Ranks one view. Not for use by several threads at once."""

    def __init__(self, place: Place, database: Database, view: ViewInfo, corpus: Corpus) -> None:
        self._place = place
        self._database = database
        self._corpus = corpus
        self.view = view
        with database.read() as connection:
            self.files: ViewFiles = read_files(connection, corpus)
            self.history: History = open_history(
                connection, place.repo, view.commit, live=set(self.files.paths)
            )

    @classmethod
    def open(cls, place: Place, view_name: str) -> Self:
        """Open a view of the index.

        Raises:
            IndexMissingError: there is no such view.
            IndexStateError, StorageError: see `Database.open`.
        """
        database = Database.open(place.directory, place.identity)
        try:
            with database.read() as connection:
                view = find_view(connection, view_name)
                if view is None:
                    name = view_name.removeprefix("rev/")
                    raise IndexMissingError(
                        f"{name} is not indexed", hint=f"run `sidelight index --rev {name}`"
                    )
                corpus = open_corpus(connection, view, open_latest(database))
            return cls(place, database, view, corpus)
        except BaseException:
            database.close()
            raise

    def signals(
        self,
        focal: FocalSet,
        *,
        walk: Mapping[bytes, float] | None = None,
        use_history: bool = True,
    ) -> Signals:
        """Return every signal of the diff over `files`, before scaling and weights."""
        config = self._place.config.search
        with self._database.read() as connection:
            return read_signals(
                connection,
                self._corpus,
                self.files,
                focal,
                self.history if use_history else None,
                walk or {},
                Bm25Parameters(k1=config.k1, b=config.b),
            )

    def rank(
        self,
        focal: FocalSet,
        k: int,
        *,
        walk: Mapping[bytes, float] | None = None,
        weights: DiffWeights = DIFF,
        use_history: bool = True,
    ) -> RelatedResult:
        """Return the `k` files outside the diff that matter most, each by its best lines.

        Nothing matters to an empty diff; that it is one is noted.
        """
        if not focal.paths:
            return RelatedResult(focal, self.view, (), ("the diff is empty",))
        with self._database.read():  # one state of the index for all that follows
            signals = self.signals(focal, walk=walk, use_history=use_history)
            ranked = rank_files(self.files, signals, focal.paths, weights)[:k]
            terms = diff_terms(focal)
            by_file = _definitions_by_file(signals)
            hits = [self._hit(item, signals, by_file, terms, focal) for item in ranked]
        return RelatedResult(focal, self.view, tuple(hits), self._notes(focal))

    def close(self) -> None:
        """Release the database."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _hit(
        self,
        ranked: RankedFile,
        signals: Signals,
        definitions: Mapping[int, Sequence[Definition]],
        terms: Mapping[str, float],
        focal: FocalSet,
    ) -> Hit:
        path = self.files.paths[ranked.file]
        document = int(self.files.documents[ranked.file])
        chunks = document_chunks(self._database.connection, document)
        own = definitions.get(ranked.file, ())
        chunk = self._best_chunk(chunks, signals, own)
        held = self._held_terms(chunk, terms)
        words = telling_words(terms, signals.idf, held)
        cochange = signals.cochange.get(path)
        return Hit(
            path=path,
            span=chunk.span,
            symbol=chunk.symbol,
            kind=chunk.symbol_kind or chunk.kind,
            language=chunk.language,
            score=ranked.score,
            reasons=explain(ranked, own, cochange, words, focal.scope),
        )

    def _best_chunk(
        self, chunks: Sequence[ChunkInfo], signals: Signals, definitions: Sequence[Definition]
    ) -> ChunkInfo:
        rows = np.searchsorted(self._corpus.ids, [chunk.id for chunk in chunks])
        scores = [float(signals.rows[row]) for row in rows]
        bonus = DEFINITION_BONUS * max(scores, default=0.0)
        defining = {
            index
            for index, chunk in enumerate(chunks)
            for definition in definitions
            if chunk.span.start_byte <= definition.start_byte < chunk.span.end_byte
        }
        best = max(
            range(len(chunks)),
            key=lambda i: (round(scores[i] + bonus * (i in defining), 6), -i),
        )
        return chunks[best]

    def _held_terms(self, chunk: ChunkInfo, terms: Mapping[str, float]) -> list[str]:
        row = self._database.connection.execute(
            "SELECT terms FROM chunk WHERE id = ?", (chunk.id,)
        ).fetchone()
        packed: bytes = row[0]
        hashes = set(np.frombuffer(packed, "<u8", len(packed) // 10).tolist())
        return [term for term in terms if term_hash(term) in hashes]

    def _notes(self, focal: FocalSet) -> tuple[str, ...]:
        notes = []
        if self.history.is_shallow:
            notes.append(
                f"the clone is shallow: history is what its {self.history.n_commits} commits say"
            )
        if self.history.n_missing:
            notes.append(f"{self.history.n_missing} commits of the history are not read yet")
        if focal.skipped:
            notes.append(f"{len(focal.skipped)} changed files were not looked into")
        return tuple(notes)


def _definitions_by_file(signals: Signals) -> dict[int, list[Definition]]:
    by_file: defaultdict[int, list[Definition]] = defaultdict(list)
    rarest = sorted(
        signals.definitions, key=lambda name: (-signals.idf.get(name.casefold(), 0.0), name)
    )
    for name in rarest:
        for definition in signals.definitions[name]:
            by_file[definition.file].append(definition)
    return by_file
