"""An open view that ranks its files for diffs, and chooses the lines of each that matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import numpy as np

from sidelight.errors import IndexMissingError, MissingObjectError
from sidelight.focal import FocalSet
from sidelight.git.blobs import BlobReader
from sidelight.graph import CodeGraph, open_graph
from sidelight.graph.mentions import documents_mentioning
from sidelight.history.log import CommitLog
from sidelight.history.past import History
from sidelight.indexing.place import Place
from sidelight.lexical import Bm25Parameters
from sidelight.model import Hit
from sidelight.related.definitions import Definition
from sidelight.related.evidence import GraphEvidence, neighbours, read_evidence
from sidelight.related.files import ViewFiles, read_files
from sidelight.related.query import diff_terms
from sidelight.related.rank import RankedFile, rank_files
from sidelight.related.reasons import Background, explain, telling_words
from sidelight.related.signals import Signals, read_signals
from sidelight.related.spans import Clues, Collapsing, choose_chunk
from sidelight.related.structural import RankingMode, rank_structural
from sidelight.related.sweeps import holds
from sidelight.related.weights import DIFF, DiffWeights
from sidelight.search.diversity import POOL, diversify_hits
from sidelight.search.finishing import read_text
from sidelight.search.fitting import FileText, fit_hits
from sidelight.store.corpus import Corpus, open_corpus
from sidelight.store.database import Database
from sidelight.store.past import open_history
from sidelight.store.reader import document_chunks, read_terms, read_vectors
from sidelight.store.snapshot import open_latest
from sidelight.store.views import ViewInfo, find_view
from sidelight.tokens import term_hash

MANY = 1 << 30  # documents: a name whose mentions cannot be counted


@dataclass(frozen=True, slots=True)
class RelatedResult:
    """Hits outside the diff, best first, one a file, and the view that was ranked.

    `log` are the stored commits, for those who ask of other pasts next.
    """

    focal: FocalSet
    view: ViewInfo
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = field(default=())
    log: CommitLog | None = field(default=None, repr=False, compare=False)


class RelatedSession:
    """Ranks one view. Not for use by several threads at once."""

    def __init__(self, place: Place, database: Database, view: ViewInfo, corpus: Corpus) -> None:
        self._place = place
        self._database = database
        self._corpus = corpus
        self._blobs = BlobReader(place.repo)
        self._graph: CodeGraph | None = None
        self.view = view
        with database.read() as connection:
            self.files: ViewFiles = read_files(connection, corpus)
            self.history: History = open_history(
                connection,
                place.repo,
                view.commit,
                live=set(self.files.paths),
                terms=self.files.terms,
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
                corpus = open_corpus(connection, view, open_latest(database), with_vectors=False)
            return cls(place, database, view, corpus)
        except BaseException:
            database.close()
            raise

    def signals(
        self, focal: FocalSet, *, use_history: bool = True, use_graph: bool = True
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
                self._evidence(focal) if use_graph else GraphEvidence(),
                self._read_texts,
                Bm25Parameters(k1=config.k1, b=config.b),
            )

    def rank(
        self,
        focal: FocalSet,
        k: int,
        *,
        weights: DiffWeights = DIFF,
        ranking: RankingMode = RankingMode.SIGNALS,
        use_history: bool = True,
        use_graph: bool = True,
    ) -> RelatedResult:
        """Return the `k` files outside the diff that matter most, each by its best lines.

        A file whose lines are nearly those of a better one joins its hit (`alike`). Nothing matters
        to an empty diff; that it is one is noted.
        """
        if not focal.paths:
            return RelatedResult(focal, self.view, (), ("the diff is empty",))
        with self._database.read():  # one state of the index for all that follows
            signals = self.signals(focal, use_history=use_history, use_graph=use_graph)
            if ranking is RankingMode.STRUCTURAL:
                near = neighbours(self._open_graph(), focal)
                mix = signals.values["mix"]
                ranked: Iterable[RankedFile] = rank_structural(self.files, mix, near, focal.paths)
            else:
                ranked = rank_files(self.files, signals, focal.paths, weights)
            hits = self._hits(ranked, k, signals, focal)
        return RelatedResult(focal, self.view, hits, self._notes(focal), self.history.log)

    def close(self) -> None:
        """Release the database and git."""
        self._blobs.close()
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

    def _open_graph(self) -> CodeGraph:
        if self._graph is None:
            connection = self._database.connection
            self._graph = open_graph(connection, self._corpus, self._blobs.read_many)
        return self._graph

    def _evidence(self, focal: FocalSet) -> GraphEvidence:
        return read_evidence(self._open_graph(), focal, len(self.files), self._mentions)

    def _mentions(self, name: str) -> int:
        found = documents_mentioning(self._corpus, name)
        return MANY if found is None else len(found)

    def _read_texts(self, paths: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the texts of some files of the view; those git does not have are left out."""
        wanted = {path: self.files.blobs[self.files.position[path]] for path in paths}
        contents: dict[str, bytes] = {}
        with suppress(MissingObjectError):  # a partial clone: what came before is there
            contents.update(self._blobs.read_many(dict.fromkeys(wanted.values())))
        return {path: contents[blob] for path, blob in wanted.items() if blob in contents}

    def _hits(
        self, ranked: Iterable[RankedFile], k: int, signals: Signals, focal: FocalSet
    ) -> tuple[Hit, ...]:
        config = self._place.config.search
        collapsing = Collapsing(max(k, POOL) if config.diff_diversity else k)
        background = Background(signals, focal, _definitions_by_file(signals))
        terms = diff_terms(focal)
        shown: dict[bytes, int] = {}
        for item in ranked:
            if collapsing.is_full:
                break
            hit, chunk_id, hashes = self._hit(item, background, terms)
            shown[hit.path] = chunk_id
            collapsing.add(hit, hashes)
        hits = collapsing.hits()
        if config.diff_diversity:
            hits = tuple(self._diversified(hits, shown, config.diff_diversity)[:k])
        if config.granularity == "fit":
            rare = {term: w * signals.idf.get(term, 0.0) for term, w in terms.items()}
            hits = tuple(fit_hits(hits, rare, self._text_of))
        return hits

    def _diversified(
        self, hits: Sequence[Hit], shown: Mapping[bytes, int], diversity: float
    ) -> list[Hit]:
        ids = [shown[hit.path] for hit in hits[:POOL]]
        vectors = read_vectors(self._database.connection, ids)
        known = {at: vectors[chunk] for at, chunk in enumerate(ids) if chunk in vectors}
        return diversify_hits(hits, diversity, known, lambda at: self._term_hashes(ids[at]))

    def _text_of(self, path: bytes) -> FileText | None:
        file = self.files.position[path]
        connection, document = self._database.connection, int(self.files.documents[file])
        return read_text(connection, self._blobs.read, document, self.files.blobs[file])

    def _hit(
        self, ranked: RankedFile, background: Background, terms: Mapping[str, float]
    ) -> tuple[Hit, int, frozenset[int]]:
        """Return the hit, its chunk and the term hashes of that."""
        path = self.files.paths[ranked.file]
        signals = background.signals
        chunks = document_chunks(self._database.connection, int(self.files.documents[ranked.file]))
        rows = np.searchsorted(self._corpus.ids, [chunk.id for chunk in chunks])
        scores = [float(signals.rows[row]) for row in rows]
        chunk = chunks[choose_chunk(chunks, scores, self._clues(path, ranked.file, background))]
        hashes = self._term_hashes(chunk.id)
        held = [term for term in terms if term_hash(term) in hashes]
        hit = Hit(
            path=path,
            span=chunk.span,
            symbol=chunk.symbol,
            kind=chunk.symbol_kind or chunk.kind,
            language=chunk.language,
            score=ranked.score,
            reasons=explain(ranked, path, background, telling_words(terms, signals.idf, held)),
        )
        return hit, chunk.id, hashes

    def _clues(self, path: bytes, file: int, background: Background) -> Clues:
        signals = background.signals
        overlap = signals.overlaps.get(path)
        text = b""
        if overlap is not None and (overlap.grams or overlap.names):
            text = self._read_texts([path]).get(path, b"")

        def is_swept(start: int, end: int) -> bool:
            return overlap is not None and bool(text) and holds(text[start:end], overlap)

        return Clues(
            [item.start_byte for item in background.definitions.get(file, ())],
            [edge.line for edge in signals.evidence.uses.get(path, ())],
            is_swept,
        )

    def _term_hashes(self, chunk_id: int) -> frozenset[int]:
        packed = read_terms(self._database.connection, [chunk_id])[chunk_id]
        return frozenset(np.frombuffer(packed, "<u8", len(packed) // 10).tolist())

    def _notes(self, focal: FocalSet) -> tuple[str, ...]:
        notes = []
        if self.history.is_shallow:
            notes.append(
                "the clone is shallow: history is what its "
                + (
                    "one commit says"
                    if self.history.n_commits == 1
                    else f"{self.history.n_commits} commits say"
                )
            )
        if self.history.n_missing:
            notes.append(f"{self.history.n_missing} commits of the history are not read yet")
        if focal.note:
            notes.append(focal.note)
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
