"""The one adapter of onnxruntime and tokenizers: an `Embedder` over an ONNX encoder.

It must not look for models, check hashes or know the index: bytes come in, vectors go out.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as engine_errors
from tokenizers import Tokenizer

from sidelight.embedding.info import ModelInfo
from sidelight.embedding.pooling import pool_tokens
from sidelight.errors import ModelError

# Characters of a text that are tokenised at most, per token that the model reads: beyond this a
# token would have to be longer than any vocabulary's. It bounds a 5 MB text to milliseconds.
MAX_CHARACTERS_PER_TOKEN = 64

# The fused SkipLayerNormalization of onnxruntime 1.32's CPU provider takes 5 times as long as
# the two operations it replaces (.55 against .11 ms for 256 × 384 values): leaving it out makes the
# shipped model 14 % faster (21.7 instead of 25 ms of CPU for 256 tokens).
SLOW_OPTIMIZERS = ("SkipLayerNormFusion",)

_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
REFUSALS = (
    engine_errors.Fail,
    engine_errors.InvalidArgument,
    engine_errors.InvalidGraph,
    engine_errors.InvalidProtobuf,
    engine_errors.NotImplemented,
    engine_errors.RuntimeException,
)


class OnnxEmbedder:
    """Embeds one text per run, on several threads that share one session.

    Never in batches: dynamic int8 takes its scale from the whole input, so company would change
    a text's vector (cosine .994 between batches of 1 and 16), and padding costs time besides.
    """

    def __init__(
        self, info: ModelInfo, graph: bytes, tokenizer: bytes, *, threads: int = 2
    ) -> None:
        """Load a model from its files' bytes.

        Raises:
            ModelError: a file is damaged, or the graph is not an encoder that we can feed.
        """
        self._info = info
        self._threads = max(1, threads)
        self._tokenizer = _load_tokenizer(tokenizer, info)
        self._session = _load_session(graph, info)
        self._inputs = tuple(item.name for item in self._session.get_inputs())
        unknown = set(self._inputs) - set(_INPUTS)
        if "input_ids" not in self._inputs or unknown:
            raise ModelError(
                f"model {info.id} asks for the inputs {', '.join(self._inputs)},"
                f" Sidelight gives {', '.join(_INPUTS)}",
                hint="export the encoder alone with `sidelight model export`",
            )
        self._output = _token_output(self._session, info)

    @property
    def info(self) -> ModelInfo:
        """The model that makes the vectors."""
        return self._info

    def embed(self, texts: Sequence[str], *, threads: int | None = None) -> NDArray[np.float32]:
        """Return float32 (n, dimensions), row i for `texts[i]` as a document; see `Embedder`."""
        vectors = np.empty((len(texts), self._info.dimensions), dtype=np.float32)
        prefix = self._info.document_prefix

        def fill(rows: Iterator[int]) -> None:
            for row in rows:
                vectors[row] = self._vector(prefix + texts[row])

        share_rows(fill, len(texts), min(threads or self._threads, len(texts)))
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return float32 (dimensions,) for `text` as a query; see `Embedder`."""
        return self._vector(self._info.query_prefix + text)

    def count_tokens(self, text: str) -> int:
        """Return how many tokens of `text` as a document the model reads (at most max_tokens)."""
        return len(self._token_ids(self._info.document_prefix + text))

    def _token_ids(self, text: str) -> list[int]:
        text = text[: MAX_CHARACTERS_PER_TOKEN * self._info.max_tokens]
        if not text.isascii():  # a lone surrogate is no text for the tokenizer
            text = text.encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids or [0]  # a tokenizer without special tokens gives nothing for an empty text

    def _vector(self, text: str) -> NDArray[np.float32]:
        ids = np.array([self._token_ids(text)], dtype=np.int64)
        feed: dict[str, Any] = {"input_ids": ids}
        if "attention_mask" in self._inputs:
            feed["attention_mask"] = np.ones_like(ids)
        if "token_type_ids" in self._inputs:
            feed["token_type_ids"] = np.zeros_like(ids)
        if "position_ids" in self._inputs:
            feed["position_ids"] = np.arange(ids.shape[1], dtype=np.int64)[np.newaxis]
        try:
            (tokens,) = self._session.run([self._output], feed)
        except REFUSALS as error:
            raise ModelError(
                f"model {self._info.id} failed on a text of {ids.shape[1]} tokens: {error}",
                hint="`sidelight model verify` checks the model's files",
            ) from error
        if tokens.shape[-1] != self._info.dimensions:
            raise _wrong_dimensions(self._info, tokens.shape[-1])
        vector = pool_tokens(tokens[0], self._info.pooling)
        if np.isnan(vector[0]):
            raise ModelError(
                f"model {self._info.id} gives no finite vector for the text {text[:40]!r}",
                hint="the model is damaged or unfit; `sidelight model verify` checks it",
            )
        return vector


def share_rows(fill: Callable[[Iterator[int]], None], n_items: int, n_threads: int) -> None:
    """Run `fill` on `n_threads` threads (this one included), each drawing from one row counter.

    The first error of any thread stops all of them and is raised here.
    """
    stop = threading.Event()
    errors: list[BaseException] = []
    counter = itertools.count()  # its next() is atomic

    def rows() -> Iterator[int]:
        while not stop.is_set() and (row := next(counter)) < n_items:
            yield row

    def work() -> None:
        try:
            fill(rows())
        except BaseException as error:  # noqa: BLE001 - carried over to the calling thread
            errors.append(error)
            stop.set()

    helpers = [threading.Thread(target=work, daemon=True) for _ in range(n_threads - 1)]
    for helper in helpers:
        helper.start()
    try:
        fill(rows())
    finally:
        stop.set()
        for helper in helpers:
            helper.join()
    if errors:
        raise errors[0]


def _load_tokenizer(data: bytes, info: ModelInfo) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_buffer(data)
    except ValueError as error:
        raise ModelError(f"the tokenizer of model {info.id} cannot be read: {error}") from error
    tokenizer.enable_truncation(info.max_tokens)  # files come with presets of their own
    tokenizer.no_padding()
    return tokenizer


def _load_session(graph: bytes, info: ModelInfo) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # we run whole texts side by side instead
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    # Kept memory plans, one per text length and thread: 15-20 MB, and no time saved.
    options.enable_mem_pattern = False
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4  # we report errors ourselves
    try:
        return onnxruntime.InferenceSession(
            graph,
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=list(SLOW_OPTIMIZERS),
        )
    except REFUSALS as error:
        raise ModelError(
            f"onnxruntime refuses model {info.id}: {error}",
            hint="`sidelight model verify` checks the model's files",
        ) from error


def _token_output(session: onnxruntime.InferenceSession, info: ModelInfo) -> str:
    """Return the name of the output (1, tokens, dimensions)."""
    outputs: dict[str, Any] = {output.name: output.shape for output in session.get_outputs()}
    known = [name for name in ("last_hidden_state", "token_embeddings") if name in outputs]
    name: str | None = next(
        iter(known + [name for name, shape in outputs.items() if len(shape) == 3]), None
    )
    if name is None:
        raise ModelError(
            f"model {info.id} has no output with one vector per token",
            hint="export it with `sidelight model export`, which leaves pooling to Sidelight",
        )
    dimensions = outputs[name][-1]
    if isinstance(dimensions, int) and dimensions != info.dimensions:
        raise _wrong_dimensions(info, dimensions)
    return name


def _wrong_dimensions(info: ModelInfo, found: int) -> ModelError:
    return ModelError(
        f"model {info.id} gives {found} dimensions, its model.json promises {info.dimensions}",
        hint="export the model again with `sidelight model export`",
    )
