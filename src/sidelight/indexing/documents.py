"""One file's way from bytes to rows: parse → chunk → terms and texts to embed. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from sidelight import chunking, parsing, tokens
from sidelight.embedding.info import embedding_key
from sidelight.indexing.eligibility import is_generated
from sidelight.languages import HEAD_BYTES, detect_language
from sidelight.store.rows import ChunkRow, DocumentRows, pack_terms


@dataclass(frozen=True, slots=True)
class BuiltDocument:
    """Rows to store, and by embedding key the texts that may still need a vector."""

    rows: DocumentRows
    texts: dict[bytes, str]


def build_document(source: bytes, path: bytes, blob: str, model_sha: str) -> BuiltDocument:
    """Return the rows of one blob at one path; never raises for bad source."""
    language = detect_language(path, source[:HEAD_BYTES])
    parsed = parsing.parse(source, language)
    texts: dict[bytes, str] = {}
    rows: list[ChunkRow] = []
    for chunk in chunking.chunk_file(source, path, parsed):
        terms = tokens.document_terms(chunk, path)
        hashed: dict[int, int] = {}
        for term, count in terms.items():
            key = tokens.term_hash(term)
            hashed[key] = hashed.get(key, 0) + count
        text = tokens.embedding_text(chunk, path)
        embedding = embedding_key(model_sha, text)
        texts[embedding] = text
        rows.append(
            ChunkRow(
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
        )
    document = DocumentRows(
        blob, language, path, len(source), is_generated(source), parsed, tuple(rows)
    )
    return BuiltDocument(document, texts)
