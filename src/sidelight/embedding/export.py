"""Bring an encoder of one's own: export, quantise, verify against the original, install.

The shipped model is built by this code too. It needs the extra `models` (torch, optimum), which
is imported on the first call only; everything else of Sidelight runs without.
"""

from __future__ import annotations

import platform
import re
import shutil
import tempfile
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sidelight import __version__
from sidelight.embedding.export_source import SourceModel, file_sha256, read_source
from sidelight.embedding.info import ModelInfo, Pooling
from sidelight.embedding.manifest import (
    MANIFEST_NAME,
    MODEL_NAME,
    TOKENIZER_NAME,
    Manifest,
    ModelFile,
    Reference,
    identity_of,
    render_manifest,
)
from sidelight.embedding.samples import N_REFERENCES, SAMPLES
from sidelight.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRECISIONS = ("int8", "fp32")
# Least cosines to the original over `SAMPLES`, (mean, each one). The shipped int8 model has
# .993 and .985; one scale per matrix, which costs retrieval quality, has .94.
THRESHOLDS = {"int8": (0.98, 0.95), "fp32": (0.9999, 0.999)}

_BUILT_WITH = (
    "torch", "optimum", "optimum-onnx", "transformers", "tokenizers", "onnx", "onnxruntime",
    "numpy",
)  # fmt: skip
_LICENCE_FILES = ("LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "NOTICE", "NOTICE.txt")


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What the user may choose; None leaves the choice to the model's own files."""

    precision: str = "int8"
    name: str | None = None
    pooling: Pooling | None = None
    max_tokens: int | None = None
    query_prefix: str | None = None
    document_prefix: str | None = None
    licence: str | None = None
    source_name: str | None = None
    revision: str | None = None
    allow_loss: bool = False
    replace: bool = False


def export_model(model: str, target_root: Path, options: ExportOptions) -> tuple[Path, Manifest]:
    """Return the new model's directory under `target_root`, and its manifest.

    `model` is a local directory (no network is used then) or a Hugging Face id, downloaded
    without pickles. The directory appears whole or not at all.

    Raises:
        ModelError: the extra is missing; the model is refused (see `read_source`); its vectors
            lie too far from the original's; or a model of that name exists already.
    """
    if options.precision not in PRECISIONS:
        raise ModelError(f"unknown precision {options.precision!r}", hint="int8 or fp32")
    engine = _engine()
    root, name, revision = _locate(model, options)
    source = _with_choices(read_source(root, name, pooling=options.pooling), options)
    model_id = options.name or _model_id(name, options.precision)
    target = target_root / model_id
    if target.exists() and not options.replace:
        raise ModelError(f"{target} exists already", hint="--replace, or another --name")
    target_root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".export-", dir=target_root) as temporary:
        work = Path(temporary)
        built = work / "built"
        manifest = _build(engine, source, built, work, model_id, options, revision)
        _copy_licences(root, built)
        _copy_licences(target, built)  # what a person put beside the model that is replaced
        _publish(built, target, work)
    return target, manifest


def _engine() -> ModuleType:
    try:
        from sidelight.embedding import export_graph  # noqa: PLC0415 - torch takes seconds
    except ImportError as error:
        raise ModelError(
            f"exporting a model needs the extra `models`: {error}",
            hint="pip install 'sidelight[models]'",
        ) from error
    return export_graph


def _locate(model: str, options: ExportOptions) -> tuple[Path, str, str | None]:
    """Return the files' directory, the model's name and the revision (None for a directory)."""
    directory = Path(model).expanduser()
    if directory.is_dir():
        return directory, options.source_name or directory.resolve().name, None
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", model):
        raise ModelError(f"{model!r} is neither a directory nor the id of a model")
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - comes with the extra
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError  # noqa: PLC0415

    try:
        path = snapshot_download(
            model,
            revision=options.revision,
            allow_patterns=[
                "*.json",
                "*.txt",
                "*.model",
                "*.safetensors",
                "*.md",
                "LICENSE*",
                "NOTICE*",
            ],
            ignore_patterns=["onnx/*", "openvino/*", "*/onnx/*"],
        )
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        raise ModelError(
            f"the model {model} cannot be downloaded: {error}",
            hint="check the id and the network, or download it yourself and give the directory",
        ) from error
    return Path(path), options.source_name or model, Path(path).name


def _with_choices(source: SourceModel, options: ExportOptions) -> SourceModel:
    return replace(
        source,
        max_tokens=options.max_tokens or source.max_tokens,
        query_prefix=_chosen(options.query_prefix, source.query_prefix),
        document_prefix=_chosen(options.document_prefix, source.document_prefix),
        licence=options.licence or source.licence,
    )


def _chosen(choice: str | None, stated: str) -> str:
    return stated if choice is None else choice  # an empty prefix is a choice too


def _model_id(name: str, precision: str) -> str:
    return (
        re.sub(r"[^A-Za-z0-9._+-]", "-", name.rsplit("/", 1)[-1]).lstrip("._+-") + f"-{precision}"
    )


def _build(
    engine: ModuleType,
    source: SourceModel,
    built: Path,
    work: Path,
    model_id: str,
    options: ExportOptions,
    revision: str | None,
) -> Manifest:
    """Write graph, tokenizer and manifest into `built`; return the manifest."""
    staged = work / "staged"
    engine.stage_files(source, staged)
    built.mkdir()
    dimensions = engine.export_graph(
        staged, built / MODEL_NAME, work=work, int8=options.precision == "int8"
    )
    (built / TOKENIZER_NAME).write_bytes(
        engine.export_tokenizer(staged, lowercase=source.lowercase)
    )
    model, tokenizer = _file(built / MODEL_NAME), _file(built / TOKENIZER_NAME)
    info = ModelInfo(
        id=model_id,
        sha256="",
        dimensions=dimensions,
        max_tokens=source.max_tokens,
        pooling=source.pooling,
        query_prefix=source.query_prefix,
        document_prefix=source.document_prefix,
        licence=source.licence,
    )
    info = replace(info, sha256=identity_of(info, model, tokenizer))
    verification, references = _compare(engine, info, source, staged, built, options)
    manifest = Manifest(
        info=info,
        precision=options.precision,
        model=model,
        tokenizer=tokenizer,
        references=references,
        source=_provenance(source, revision),
        build=_build_record(options.precision, engine),
        verification=verification,
    )
    (built / MANIFEST_NAME).write_text(render_manifest(manifest), encoding="utf-8", newline="\n")
    return manifest


def _compare(
    engine: ModuleType,
    info: ModelInfo,
    source: SourceModel,
    staged: Path,
    built: Path,
    options: ExportOptions,
) -> tuple[dict[str, Any], tuple[Reference, ...]]:
    """Return the cosines to the original and the reference vectors; refuse a poor copy."""
    from sidelight.embedding.onnx_embedder import OnnxEmbedder  # noqa: PLC0415
    from sidelight.embedding.verifying import as_reference  # noqa: PLC0415

    bare = replace(info, query_prefix="", document_prefix="")
    embedder = OnnxEmbedder(
        bare, (built / MODEL_NAME).read_bytes(), (built / TOKENIZER_NAME).read_bytes()
    )
    texts = [info.document_prefix + text for text in SAMPLES]
    vectors = embedder.embed(texts)
    original = engine.original_vectors(source, staged, texts)
    if original.shape != vectors.shape:
        raise ModelError(
            f"the original gives {original.shape[1]} dimensions, not {info.dimensions}"
        )
    cosines = _cosines(vectors, original)
    record = {
        "n_samples": len(texts),
        "cosine_mean": round(sum(cosines) / len(cosines), 5),
        "cosine_min": round(min(cosines), 5),
        "original": "transformers in torch, float32, one text at a time",
    }
    _refuse_loss(record, options)
    references = tuple(
        Reference(text, as_reference(vector))
        for text, vector in zip(SAMPLES[:N_REFERENCES], vectors, strict=False)
    )
    return record, references


def _cosines(left: NDArray[np.float32], right: NDArray[np.float32]) -> list[float]:
    return [float(value) for value in (left * right).sum(axis=1)]


def _refuse_loss(record: dict[str, Any], options: ExportOptions) -> None:
    least_mean, least = THRESHOLDS[options.precision]
    mean, worst = record["cosine_mean"], record["cosine_min"]
    if (mean >= least_mean and worst >= least) or options.allow_loss:
        return
    raise ModelError(
        f"the {options.precision} copy lies too far from the original: cosine {mean:.4f} on average"
        f" and {worst:.4f} at worst, where {least_mean} and {least} are asked for",
        hint="--precision fp32 keeps the original's vectors; --allow-loss takes this copy as it is",
    )


def _provenance(source: SourceModel, revision: str | None) -> dict[str, Any]:
    known = {"name": source.name, "weights": source.weights}
    return known | ({"revision": revision} if revision else {})


def _build_record(precision: str, engine: ModuleType) -> dict[str, Any]:
    versions = {name: found for name in _BUILT_WITH if (found := _version(name))}
    return {
        "by": "sidelight model export",
        "sidelight": __version__,
        "python": platform.python_version(),
        "versions": versions,
        "quantisation": dict(engine.QUANTISATION) | {"method": "dynamic"}
        if precision == "int8"
        else {},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _file(path: Path) -> ModelFile:
    return ModelFile(file_sha256(path), path.stat().st_size)


def _copy_licences(root: Path, built: Path) -> None:
    for name in _LICENCE_FILES:
        if (root / name).is_file() and not (built / name).exists():
            shutil.copyfile(root / name, built / name)


def _publish(built: Path, target: Path, work: Path) -> None:
    """Put the finished directory in place; an older one is moved aside first."""
    aside = work / "replaced"
    try:
        if target.exists():
            target.rename(aside)
        built.rename(target)
    except OSError as error:
        if aside.exists() and not target.exists():
            aside.rename(target)
        raise ModelError(f"{target} cannot be written: {error.strerror}") from error
