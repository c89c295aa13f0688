"""Ask the questions of case files: our hits and their time, and chunks and vectors for a peer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.measuring import timed
from sidelight.config import Config
from sidelight.embedding import Embedder, ModelInfo
from sidelight.evaluation.cases import QuestionCase, Target, load_cases
from sidelight.evaluation.engine import escape_glob
from sidelight.evaluation.paired import compare_pairs
from sidelight.evaluation.vectors import CachedSource
from sidelight.git.blobs import BlobReader
from sidelight.git.repository import open_repository
from sidelight.indexing.documents import build_document
from sidelight.indexing.place import EmbedderSource, FixedEmbedder, Place, revision_view
from sidelight.indexing.refresh import index_revision
from sidelight.search import Searcher, SearchRequest
from sidelight.store.database import Database
from sidelight.store.views import find_view

K = 100  # hits that are graded, as `sidelight eval` does
SHOWN = 10  # hits of the search that is timed, as the command shows


class RememberedQueries:
    """An embedder that makes the vector of a question once: its time is counted apart."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, NDArray[np.float32]] = {}

    @property
    def info(self) -> ModelInfo:
        """The wrapped model's."""
        return self._embedder.info

    def embed(self, texts: Sequence[str], *, threads: int | None = None) -> NDArray[np.float32]:
        """Return the wrapped model's rows."""
        return self._embedder.embed(texts, threads=threads)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the wrapped model's vector, from memory if it was asked for before."""
        if text not in self._known:
            self._known[text] = self._embedder.embed_query(text)
        return self._known[text]


def answer(file: str, repository: str, directory: str, limit: int, rounds: int) -> dict[str, Any]:
    """Return our answers to a file's cases by group (one folder of one commit).

    Each group tells where its chunks' texts (JSON lines) and vectors (.npy, float32 unit rows)
    were written, their spans, the questions with vectors, and for each of these our spans, the
    milliseconds of a search for ten without embedding, and those of embedding.
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    cases = [
        case
        for read in load_cases([Path(file)]).files
        for case in read.cases
        if isinstance(case, QuestionCase)
    ][: limit or None]
    source = CachedSource(EmbedderSource(Config()), folder.parent / "vectors.db")
    model = RememberedQueries(source.open())
    place = Place(
        open_repository(Path(repository)), folder / "index", Config(), FixedEmbedder(model)
    )
    groups: list[dict[str, Any]] = []
    for key in dict.fromkeys((case.base, case.root) for case in cases):
        some = [case for case in cases if (case.base, case.root) == key]
        index_revision(place, key[0], revision_view(key[0]))
        target = folder / f"group-{len(groups)}"
        group = _write_chunks(place, key[0], key[1], target)
        with Searcher.open(place, revision_view(key[0])) as searcher:
            group["questions"] = [_ask(searcher, model, case, rounds) for case in some]
        groups.append(group)
    return {"groups": groups}


def difference(pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """Return the mean paired difference (second less first) and its 95 % interval."""
    found = compare_pairs("", pairs)
    gap = found.difference
    return {"mean": gap.mean, "low": gap.low, "high": gap.high, "verdict": found.verdict.value}


def _ask(
    searcher: Searcher, model: RememberedQueries, case: QuestionCase, rounds: int
) -> dict[str, Any]:
    paths = () if case.root is None else (f"{escape_glob(case.root)}/**",)
    request = SearchRequest(case.query, SHOWN, paths=paths)
    embedding = timed(lambda: model.embed_query(case.query))
    result = searcher.search(SearchRequest(case.query, K, paths=paths))
    samples = [timed(lambda: searcher.search(request)) for _ in range(rounds)]
    return {
        "id": case.id,
        "text": case.query,
        "vector": model.embed_query(case.query).tolist(),
        "hits": [
            [_text(hit.path), hit.span.start_line, hit.span.end_line, [*map(_text, hit.alike)]]
            for hit in result.hits
        ],
        "relevant": _plain(case.relevant),
        "secondary": _plain(case.secondary),
        "wall": 1000 * median(sample.wall for sample in samples),
        "cpu": 1000 * median(sample.cpu for sample in samples),
        "embedding": 1000 * embedding.wall,
    }


def _write_chunks(place: Place, commit: str, root: bytes | None, target: Path) -> dict[str, Any]:
    """Write the texts that were embedded and their vectors as the index has them, row by row."""
    with Database.open(place.directory, place.identity) as database, database.read() as connection:
        view = find_view(connection, revision_view(commit))
        assert view is not None
        files = connection.execute(
            "SELECT file.path, lower(hex(file.blob)), doc.id FROM file JOIN doc ON doc.id = doc_id"
            " WHERE view_id = ? ORDER BY file.path",
            (view.id,),
        ).fetchall()
        files = [row for row in files if root is None or row[0].startswith(root + b"/")]
        texts, spans, vectors = [], [], []
        with BlobReader(place.repo) as blobs:
            for path, blob, doc_id in files:
                built = build_document(blobs.read(blob), path, blob, place.embedder.sha256)
                rows = connection.execute(
                    "SELECT start_line, end_line, vector, key FROM chunk"
                    " JOIN embedding ON key = embedding WHERE doc_id = ? ORDER BY ordinal",
                    (doc_id,),
                )
                for first, last, vector, key in rows:
                    texts.append(built.texts[key].encode("utf-8", "replace").decode())
                    spans.append([_text(path), first, last])
                    vectors.append(np.frombuffer(vector, np.int8))
    matrix = np.stack(vectors).astype(np.float32)
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    np.save(target.with_suffix(".npy"), matrix)
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    target.with_suffix(".jsonl").write_text(lines, "utf-8")
    return {
        "texts": str(target.with_suffix(".jsonl")),
        "vectors": str(target.with_suffix(".npy")),
        "spans": spans,
    }


def _plain(targets: Sequence[Target]) -> list[Any]:
    return [[_text(target.path), [list(lines) for lines in target.lines]] for target in targets]


def _text(path: bytes) -> str:
    return path.decode("utf-8", "replace")
