"""Hugging Face weights to an ONNX graph and a tokenizer file, through optimum.

Imported only when a model is exported: it loads torch, transformers, optimum and onnx. It must
not reach the network and must not run code from the model.
"""

from __future__ import annotations

import json
import logging
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic
from optimum.exporters.onnx import main_export
from safetensors import SafetensorError
from transformers import AutoModel, AutoTokenizer

from sidelight.embedding.export_source import SourceModel
from sidelight.embedding.info import Pooling
from sidelight.errors import ModelError

# One scale per output column (cosine .993 against .944 with one per matrix), and 7 of 8 bits, so
# that AVX2 and AVX-512 without VNNI, which add pairs in 16 bits, do not saturate.
QUANTISATION = {"weight_type": "QInt8", "per_channel": True, "reduce_range": True}

# Everything that the exporters may see of a model: no pickles, no Python.
_COPIED = ("*.json", "*.txt", "*.model", "*.safetensors")


def stage_files(source: SourceModel, target: Path) -> None:
    """Copy into `target` the files that may be loaded: JSON, vocabularies, safetensors."""
    target.mkdir()
    for pattern in _COPIED:
        for file in source.directory.glob(pattern):
            shutil.copyfile(file, target / file.name)


def export_graph(staged: Path, target: Path, *, work: Path, int8: bool) -> int:
    """Write the graph of the staged model to `target`; return the number of its dimensions.

    Raises:
        ModelError: optimum cannot export this kind of model.
    """
    full = work / "onnx"
    try:
        with quiet():
            main_export(
                str(staged),
                output=full,
                task="feature-extraction",
                library_name="transformers",
                framework="pt",
                device="cpu",
                do_validation=False,  # `export_model` compares with the original itself
                local_files_only=True,
                trust_remote_code=False,
            )
            graph = full / "model.onnx"
            if int8:
                quantize_dynamic(
                    graph,
                    work / "int8.onnx",
                    weight_type=QuantType.QInt8,
                    per_channel=True,
                    reduce_range=True,
                )
                graph = work / "int8.onnx"
            model = onnx.load(str(graph))
    except (ValueError, KeyError, RuntimeError, OSError, SafetensorError) as error:
        raise ModelError(
            f"optimum cannot export this model: {error}",
            hint="the model's type must be one that optimum exports for feature-extraction",
        ) from error
    strip_provenance(model)
    if model.ByteSize() >= onnx.checker.MAXIMUM_PROTOBUF:
        raise ModelError("the exported graph is larger than 2 GB", hint="try --precision int8")
    target.write_bytes(model.SerializeToString(deterministic=True))
    return int(
        json.loads((staged / "config.json").read_bytes()).get("hidden_size") or _width(model)
    )


def strip_provenance(model: onnx.ModelProto) -> None:
    """Remove what tells about the machine of the export: doc strings, metadata, stack traces."""
    del model.metadata_props[:]
    model.doc_string = ""
    model.graph.doc_string = ""
    for item in (*model.graph.node, *model.graph.initializer):
        item.doc_string = ""
        if hasattr(item, "metadata_props"):
            del item.metadata_props[:]


def export_tokenizer(staged: Path, *, lowercase: bool) -> bytes:
    """Return `tokenizer.json` as the original model uses it, without truncation and padding.

    Raises:
        ModelError: the tokenizer has no fast (Rust) form.
    """
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            str(staged), local_files_only=True, trust_remote_code=False, use_fast=True
        )
        table: dict[str, Any] = json.loads(tokenizer.backend_tokenizer.to_str())
    except (ValueError, OSError, ImportError, AttributeError) as error:
        raise ModelError(f"the model has no tokenizer that Sidelight can run: {error}") from error
    table["truncation"] = None
    table["padding"] = None
    if lowercase:
        steps = [{"type": "Lowercase"}, table.get("normalizer")]
        table["normalizer"] = {"type": "Sequence", "normalizers": [step for step in steps if step]}
    return json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def original_vectors(source: SourceModel, staged: Path, texts: list[str]) -> NDArray[np.float32]:
    """Return the unit vectors (n, d) of the original model in torch, one text at a time.

    Pools in torch and tokenizes with transformers, so that it shares no step with `OnnxEmbedder`.
    """
    tokenizer = AutoTokenizer.from_pretrained(str(staged), local_files_only=True)
    with quiet():
        model = AutoModel.from_pretrained(
            str(staged), local_files_only=True, trust_remote_code=False, use_safetensors=True
        )
    model = model.float().eval()
    rows = []
    with torch.inference_mode():
        for text in texts:
            given = text.lower() if source.lowercase else text
            feed = tokenizer(
                given, truncation=True, max_length=source.max_tokens, return_tensors="pt"
            )
            hidden = model(**feed).last_hidden_state[0]
            rows.append(torch.nn.functional.normalize(_pool(hidden, source.pooling), dim=0))
    vectors: NDArray[np.float32] = torch.stack(rows).numpy()
    return vectors


def _pool(hidden: torch.Tensor, pooling: Pooling) -> torch.Tensor:
    match pooling:
        case Pooling.MEAN:
            return hidden.mean(dim=0)
        case Pooling.CLS:
            return hidden[0]
        case Pooling.MAX:
            return hidden.amax(dim=0)
        case Pooling.LAST:
            return hidden[-1]


def _width(model: onnx.ModelProto) -> int:
    return int(model.graph.output[0].type.tensor_type.shape.dim[-1].dim_value)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the exporters' warnings (tracing, missing extras) off the user's terminal."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
