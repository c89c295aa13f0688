"""Write the texts of Sidelight's own chunks for the textbook stack, with the queries to ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.tasks.indexing import eligible_files, place_of
from benchmarks.tasks.searching import sample_queries
from sidelight.indexing.documents import build_document
from sidelight.indexing.place import index_directory

SAMPLE = 64


def write(repository: str, target: str) -> dict[str, Any]:
    """Write one JSON string a chunk; return counts, some texts, queries if there is an index."""
    place = place_of(repository)
    files = chunks = 0
    sample: list[str] = []
    with Path(target).open("w", encoding="utf-8") as file:
        for blob, path, content in eligible_files(place):
            document = build_document(content, path, blob, place.embedder.sha256)
            files += 1
            for row in document.rows.chunks:
                text = document.texts[row.embedding]
                text = text.encode("utf-8", "replace").decode("utf-8")
                file.write(json.dumps(text) + "\n")
                chunks += 1
                if len(sample) < SAMPLE:
                    sample.append(text)
    queries: list[str] = []
    if (index_directory(place.repo) / "index.db").exists():
        questions, names = sample_queries(place)
        queries = questions + names
    return {"files": files, "chunks": chunks, "sample": sample, "queries": queries}
