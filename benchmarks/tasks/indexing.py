"""Build, refresh and publish indexes, timed in this process."""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.measuring import middle, timed
from benchmarks.repositories import git
from benchmarks.stand_ins import RandomVectors
from benchmarks.synthetic import add_commit
from sidelight import chunking, parsing, tokens
from sidelight.config import Config, EmbeddingConfig, IndexConfig
from sidelight.embedding import open_embedder
from sidelight.embedding.info import embedding_key
from sidelight.git.blobs import BlobReader
from sidelight.git.repository import open_repository
from sidelight.git.trees import list_tree
from sidelight.indexing.documents import build_document
from sidelight.indexing.eligibility import Eligibility, is_generated, refuse_by_content
from sidelight.indexing.place import (
    EmbedderSource,
    FixedEmbedder,
    Place,
    index_directory,
    worktree_view,
)
from sidelight.indexing.refresh import refresh
from sidelight.indexing.report import Progress
from sidelight.languages import HEAD_BYTES, detect_language
from sidelight.store.database import Database
from sidelight.store.publishing import publish
from sidelight.store.reader import view_counts
from sidelight.store.rows import ChunkRow, DocumentRows, pack_terms
from sidelight.store.views import find_view
from sidelight.store.writer import insert_document, insert_embeddings


def place_of(
    repository: str, embedder: EmbedderSource | None = None, directory: str | None = None
) -> Place:
    """Return the index of a repository, or one in another folder, with a given embedder."""
    repo = open_repository(Path(repository))
    folder = Path(directory) if directory else index_directory(repo)
    return Place(repo, folder, Config(), embedder or FixedEmbedder(RandomVectors()))


def count(place: Place) -> tuple[int, int]:
    """Return how many files and chunks the worktree's view has."""
    with Database.open(place.directory, None) as database, database.read() as connection:
        view = find_view(connection, worktree_view(place.repo))
        return (0, 0) if view is None else view_counts(connection, view.id)


def build_with_random_vectors(repository: str) -> dict[str, Any]:
    """Index HEAD from nothing with random vectors, and publish; `publish` is what comes last."""
    place = place_of(repository)
    embedded = [time.perf_counter()]

    def note(_stage: str, _done: int, _total: int) -> None:
        embedded[0] = time.perf_counter()

    seconds = timed(lambda: refresh(place, wait=True, create=True, progress=Progress(note)))
    published = time.perf_counter() - embedded[0]
    files, chunks = count(place)
    return {"files": files, "chunks": chunks, "publish": published, **seconds.table()}


def build_with_model(repository: str, directory: str, threads: int) -> dict[str, Any]:
    """Index HEAD from nothing with the shipped model, opened beforehand."""
    shutil.rmtree(directory, ignore_errors=True)
    embedder = open_embedder(threads=threads)
    embedder.embed(["warm", "up"])
    place = place_of(repository, FixedEmbedder(embedder), directory)
    seconds = timed(lambda: refresh(place, wait=True, create=True))
    files, chunks = count(place)
    return {"files": files, "chunks": chunks, **seconds.table()}


def embed_alone(repository: str, threads: int) -> dict[str, Any]:
    """Embed the texts of HEAD's chunks, each once, and do nothing else: the bare embedder."""
    embedder = open_embedder(threads=threads)
    embedder.embed(["warm", "up"])
    texts = list(chunk_texts(place_of(repository)).values())
    seconds = timed(lambda: embedder.embed(texts))
    return {"texts": len(texts), **seconds.table()}


def chunk_texts(place: Place) -> dict[bytes, str]:
    """Return the texts to embed of HEAD's indexed files by key."""
    texts: dict[bytes, str] = {}
    for blob, path, content in eligible_files(place):
        texts.update(build_document(content, path, blob, place.embedder.sha256).texts)
    return texts


def eligible_files(place: Place) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield (blob, path, content) of HEAD's indexed files; attributes are not looked at."""
    head = place.repo.head()
    assert head is not None
    rules = Eligibility(IndexConfig())
    with BlobReader(place.repo) as blobs:
        for file in list_tree(place.repo, head[1]):
            if rules.refuse_by_name(file, {}) or rules.refuse_by_size(file.size):
                continue
            content = blobs.read(file.blob)
            generated = rules.refuse_generated(is_generated(content), {})
            if not refuse_by_content(file.path, content) and not generated:
                yield file.blob, file.path, content


@dataclass(frozen=True, slots=True)
class _File:
    blob: str
    path: bytes
    content: bytes
    language: str


def build_by_stages(repository: str, directory: str, threads: int) -> dict[str, Any]:
    """Do a full build's steps one after the other, and tell what each costs."""
    shutil.rmtree(directory, ignore_errors=True)
    model = open_embedder(threads=threads)
    model.embed(["warm", "up"])
    place = place_of(repository, FixedEmbedder(model), directory)
    sha = place.embedder.sha256
    stages: dict[str, dict[str, float]] = {}
    raw: list[tuple[str, bytes, bytes]] = []
    stages["read"] = timed(lambda: raw.extend(eligible_files(place))).table()
    files = [_File(b, p, c, detect_language(p, c[:HEAD_BYTES])) for b, p, c in raw]
    parsed: list[Any] = []
    stages["parse"] = timed(
        lambda: parsed.extend(parsing.parse(f.content, f.language) for f in files)
    ).table()
    pieces: list[Any] = []
    stages["chunk"] = timed(
        lambda: pieces.extend(
            chunking.chunk_file(f.content, f.path, p) for f, p in zip(files, parsed, strict=True)
        )
    ).table()
    documents: list[DocumentRows] = []
    texts: dict[bytes, str] = {}
    stages["tokenise"] = timed(
        lambda: documents.extend(
            _document(file, own, chunks, sha, texts)
            for file, own, chunks in zip(files, parsed, pieces, strict=True)
        )
    ).table()
    with Database.open(place.directory, place.identity, create=True) as database:
        stages["store"] = timed(lambda: _store(database, documents)).table()
        vectors: list[Any] = []
        stages["embed"] = timed(lambda: vectors.append(model.embed(list(texts.values())))).table()
        stages["store vectors"] = timed(lambda: _keep(database, list(texts), vectors[0])).table()
        stages["publish"] = timed(lambda: publish(database)).table()
    chunks = sum(len(document.chunks) for document in documents)
    return {"files": len(files), "chunks": chunks, "stages": stages}


def _document(
    file: _File, parsed: Any, chunks: Any, sha: str, texts: dict[bytes, str]
) -> DocumentRows:
    rows = tuple(_row(chunk, file.path, sha, texts) for chunk in chunks)
    size = len(file.content)
    return DocumentRows(file.blob, file.language, file.path, size, False, parsed, rows)


def _store(database: Database, documents: list[DocumentRows]) -> None:
    for at in range(0, len(documents), 200):
        with database.write() as connection:
            for document in documents[at : at + 200]:
                insert_document(connection, document)


def _keep(database: Database, keys: list[bytes], vectors: Any) -> None:
    from sidelight.embedding.quantize import quantize_rows  # noqa: PLC0415

    rows = quantize_rows(vectors)
    packed = [(key, row.tobytes()) for key, row in zip(keys, rows, strict=True)]
    for at in range(0, len(packed), 256):
        with database.write() as connection:
            insert_embeddings(connection, packed[at : at + 256])


def _row(chunk: Any, path: bytes, sha: str, texts: dict[bytes, str]) -> ChunkRow:
    hashed: dict[int, int] = {}
    for term, number in tokens.document_terms(chunk, path).items():
        key = tokens.term_hash(term)
        hashed[key] = hashed.get(key, 0) + number
    text = tokens.embedding_text(chunk, path)
    embedding = embedding_key(sha, text)
    texts[embedding] = text
    return ChunkRow(
        kind=chunk.kind,
        symbol=chunk.symbol,
        symbol_kind=chunk.symbol_kind,
        span=chunk.span,
        parent=chunk.parent,
        imports=chunk.imports,
        embedding=embedding,
        n_terms=sum(hashed.values()),
        terms=pack_terms(hashed),
    )


def refresh_after_commits(
    repository: str,
    rounds: int,
    model: bool = False,
    directory: str | None = None,
    threads: int = 2,
) -> dict[str, Any]:
    """Commit three changed files (one new function in each) and refresh, some rounds; then undo.

    With `model` the new chunks get the shipped model's vectors, opened beforehand.
    """
    embedder = open_embedder(threads=threads) if model else RandomVectors()
    embedder.embed(["warm", "up"])
    place = place_of(repository, FixedEmbedder(embedder), directory)
    place = replace(place, config=Config(embedding=EmbeddingConfig(threads=threads)))
    start = git(Path(repository), "rev-parse", "HEAD")
    names = three_files(Path(repository))
    samples, embedded = [], 0
    try:
        for _ in range(rounds):
            commit_changes(Path(repository), names, start, secrets.token_hex(4))
            done = []
            samples.append(timed(lambda: done.append(refresh(place, wait=True))))  # noqa: B023
            embedded = done[0].embedded
    finally:
        git(Path(repository), "update-ref", "refs/heads/main", start)
        refresh(place, wait=True)
    return {"embedded": embedded, **middle(samples).table()}


def three_files(repository: Path, suffixes: tuple[str, ...] = (".py", ".java")) -> list[str]:
    """Return three source files of middling size, far from each other in the tree."""
    listing = git(repository, "ls-tree", "-r", "-l", "-z", "HEAD").split("\0")
    entries = [entry.split("\t", 1) for entry in listing if entry]
    sized = [(path, int(meta.split()[3])) for meta, path in entries if meta.split()[3] != "-"]
    fit = [p for p, size in sized if 1_500 < size < 12_000 and p.endswith(suffixes)]
    assert len(fit) >= 3
    return [fit[len(fit) * at // 4] for at in (1, 2, 3)]


def commit_changes(repository: Path, names: list[str], parent: str, word: str) -> str:
    """Commit one more function at the end of each file; `word` makes it new. No worktree."""
    changed = []
    for name in names:
        content = git(repository, "show", f"{parent}:{name}")
        changed.append((name, with_function(content, name, word).encode("utf-8", "replace")))
    return add_commit(repository, changed, f"Change {word}", parent=parent)


def with_function(content: str, name: str, word: str) -> str:
    """Return the content with one more function in the file's language."""
    if name.endswith(".java"):
        at = content.rindex("}")
        body = f"    int added{word}(int value) {{\n        return value + {len(word)};\n    }}\n"
        return content[:at] + body + content[at:]
    return f"{content}\n\ndef added_{word}(value):\n    return value + {len(word)}\n"
