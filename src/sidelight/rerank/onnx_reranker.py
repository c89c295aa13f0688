"""The adapter of onnxruntime and tokenizers for cross-encoders: a `Reranker` over an ONNX graph.

It must not look for models, check hashes or know the index: bytes come in, scores go out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from sidelight.embedding.onnx_embedder import MAX_CHARACTERS_PER_TOKEN, REFUSALS, share_rows
from sidelight.errors import ModelError

_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")


class OnnxReranker:
    """Scores one pair per run, on several threads that share one session.

    Never in batches: with dynamic int8 the company would change a pair's score.
    """

    def __init__(
        self, name: str, graph: bytes, tokenizer: bytes, max_tokens: int, *, threads: int = 2
    ) -> None:
        """Load a model from its files' bytes.

        Raises:
            ModelError: a file is damaged, or the graph asks for what a cross-encoder does not.
        """
        self.name = name
        self._threads = max(1, threads)
        self._max_characters = MAX_CHARACTERS_PER_TOKEN * max_tokens
        self._tokenizer = _load_tokenizer(name, tokenizer, max_tokens)
        self._session = _load_session(name, graph)
        self._inputs = tuple(item.name for item in self._session.get_inputs())
        if "input_ids" not in self._inputs or set(self._inputs) - set(_INPUTS):
            raise ModelError(
                f"reranker {name} asks for the inputs {', '.join(self._inputs)},"
                f" Sidelight gives {', '.join(_INPUTS)}"
            )
        outputs = [item.name for item in self._session.get_outputs()]
        self._output = "logits" if "logits" in outputs else outputs[0]

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return float32 (n,); see `Reranker`. Of two classes, how far the second is ahead."""
        scores = np.empty(len(texts), np.float32)

        def fill(rows: Iterator[int]) -> None:
            for row in rows:
                scores[row] = self._pair(query, texts[row])

        if len(texts):
            share_rows(fill, len(texts), min(self._threads, len(texts)))
        return scores

    def _pair(self, query: str, text: str) -> float:
        most = self._max_characters
        encoded = self._tokenizer.encode(_clean(query[:most]), _clean(text[:most]))
        ids = np.array([encoded.ids or [0]], np.int64)
        feed: dict[str, Any] = {"input_ids": ids}
        if "attention_mask" in self._inputs:
            feed["attention_mask"] = np.ones_like(ids)
        if "token_type_ids" in self._inputs:
            feed["token_type_ids"] = np.array([encoded.type_ids or [0]], np.int64)
        if "position_ids" in self._inputs:
            feed["position_ids"] = np.arange(ids.shape[1], dtype=np.int64)[np.newaxis]
        try:
            (found,) = self._session.run([self._output], feed)
        except REFUSALS as error:
            raise ModelError(
                f"reranker {self.name} failed on a pair of {ids.shape[1]} tokens: {error}"
            ) from error
        logits = np.asarray(found, np.float64).ravel()
        if len(logits) not in (1, 2):
            raise ModelError(
                f"reranker {self.name} gives {len(logits)} numbers for a pair, not 1 or 2",
                hint="a cross-encoder with one score, or with the classes no and yes, is needed",
            )
        score = float(logits[-1] - (logits[0] if len(logits) == 2 else 0.0))
        if not np.isfinite(score):
            raise ModelError(f"reranker {self.name} gives no finite score for {text[:40]!r}")
        return score


def _clean(text: str) -> str:
    """Return the text without lone surrogates, which no tokenizer takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _load_tokenizer(name: str, data: bytes, max_tokens: int) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_buffer(data)
    except ValueError as error:
        raise ModelError(f"the tokenizer of reranker {name} cannot be read: {error}") from error
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    tokenizer.no_padding()
    return tokenizer


def _load_session(name: str, graph: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # whole pairs run side by side instead
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4  # we report errors ourselves
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except REFUSALS as error:
        raise ModelError(f"onnxruntime refuses reranker {name}: {error}") from error
