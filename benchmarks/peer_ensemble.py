"""LangChain's EnsembleRetriever over given chunks and vectors: BM25 .4, FAISS .6, RRF with c = 60.

A program of its own, run by its own interpreter, which needs langchain-classic,
langchain-community, rank_bm25 and faiss-cpu and knows nothing of Sidelight: `python
peer_ensemble.py ARGUMENTS`, a JSON file in and JSON out. Texts, vectors and the vectors of the
questions are given, so that ranking and its time are all that is measured.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

os.environ["LANGCHAIN_TRACING_V2"] = "false"  # it would send what is asked
os.environ["LANGSMITH_TRACING"] = "false"

WEIGHTS = [0.4, 0.6]
POOL = 100  # documents of each retriever; the library's default is 4
WORD = re.compile(r"\w+")
PACKAGES = ("langchain-core", "langchain-classic", "langchain-community", "rank-bm25", "faiss-cpu")


def words(text: str) -> list[str]:
    """Return lower-case words; the library's default splits at white space only."""
    return WORD.findall(text.lower())


def build(texts: list[str], rows: Any, known: dict[str, list[float]]) -> dict[str, Any]:
    """Return the ensembles by name; they share one FAISS index."""
    from langchain_classic.retrievers.ensemble import EnsembleRetriever  # noqa: PLC0415
    from langchain_community.retrievers import BM25Retriever  # noqa: PLC0415
    from langchain_community.vectorstores import FAISS  # noqa: PLC0415
    from langchain_core.embeddings import Embeddings  # noqa: PLC0415

    class Given(Embeddings):
        """Vectors that were made elsewhere."""

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise NotImplementedError

        def embed_query(self, text: str) -> list[float]:
            return known[text]

    marks = [{"row": row} for row in range(len(texts))]
    store = FAISS.from_embeddings(zip(texts, rows.tolist(), strict=True), Given(), metadatas=marks)

    def ensemble(split: Callable[[str], list[str]] | None, pool: int) -> Any:
        options = {} if split is None else {"preprocess_func": split}
        lexical = BM25Retriever.from_texts(texts, metadatas=marks, k=pool, **options)
        dense = store.as_retriever(search_kwargs={"k": pool})
        return EnsembleRetriever(retrievers=[lexical, dense], weights=WEIGHTS, id_key="row")

    return {
        "words": ensemble(words, POOL),
        "defaults": ensemble(None, POOL),
        "defaults, k = 4": ensemble(None, 4),
    }


def ask(retriever: Any, text: str, rounds: int) -> dict[str, Any]:
    """Return the rows of one question, best first, and the median milliseconds of asking it."""
    found: list[Any] = []
    samples = []
    for _ in range(rounds):
        cpu, wall = _cpu(), time.perf_counter()
        found = retriever.invoke(text)
        samples.append((time.perf_counter() - wall, _cpu() - cpu))
    return {
        "rows": [document.metadata["row"] for document in found],
        "wall": 1000 * median(sample[0] for sample in samples),
        "cpu": 1000 * median(sample[1] for sample in samples),
    }


def answer(group: dict[str, Any], rounds: int) -> dict[str, Any]:
    """Return every ensemble's answers to the questions over one folder of one repository."""
    import numpy as np  # noqa: PLC0415

    texts = [json.loads(line) for line in Path(group["texts"]).read_text("utf-8").splitlines()]
    known = {question["text"]: question["vector"] for question in group["questions"]}
    retrievers = build(texts, np.load(group["vectors"]), known)
    for retriever in retrievers.values():
        retriever.invoke(group["questions"][0]["text"])
    return {
        name: [ask(retriever, question["text"], rounds) for question in group["questions"]]
        for name, retriever in retrievers.items()
    }


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Answer all groups and print them as the last line."""
    arguments = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    groups = [answer(group, arguments["rounds"]) for group in arguments["groups"]]
    versions = {name: version(name) for name in PACKAGES}
    sys.stdout.write("\n" + json.dumps({"groups": groups, "versions": versions}) + "\n")


if __name__ == "__main__":
    main()
