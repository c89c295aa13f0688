"""Compare a model that runs here with what it gave when it was built."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sidelight.embedding.catalogue import DEFAULT_MODEL, model_directory
from sidelight.embedding.manifest import MODEL_NAME, TOKENIZER_NAME, Manifest, read_manifest
from sidelight.embedding.onnx_embedder import OnnxEmbedder
from sidelight.embedding.opening import read_verified
from sidelight.embedding.quantize import quantize_rows

# Families of CPUs round int8 products differently, and an engine's versions fuse differently;
# a wrong tokenizer, pooling or graph shows as cosines far below.
TOLERANCE = {"int8": 0.99, "fp32": 0.999}


@dataclass(frozen=True, slots=True)
class Verification:
    """A model's files are those of its manifest; `cosines` compare each reference text."""

    manifest: Manifest
    directory: Path
    cosines: tuple[float, ...]
    least: float

    @property
    def passed(self) -> bool:
        """Whether every reference text gives its vector of build time, within the tolerance."""
        return all(cosine >= self.least for cosine in self.cosines)


def verify_model(
    model: str | Path = DEFAULT_MODEL, *, models_dir: Path | None = None
) -> Verification:
    """Return how the model's vectors here compare with those stored when it was built.

    Raises:
        ModelError: the files are missing, damaged or exchanged, or the engine refuses them.
    """
    directory = model_directory(model, models_dir)
    manifest = read_manifest(directory)
    embedder = OnnxEmbedder(
        manifest.info,
        read_verified(directory / MODEL_NAME, manifest.model),
        read_verified(directory / TOKENIZER_NAME, manifest.tokenizer),
    )
    vectors = embedder.embed([item.text for item in manifest.references])
    cosines = tuple(
        round(_cosine(vector, item.vector), 6)
        for vector, item in zip(vectors, manifest.references, strict=True)
    )
    return Verification(manifest, directory, cosines, TOLERANCE.get(manifest.precision, 0.99))


def as_reference(vector: NDArray[np.float32]) -> bytes:
    """Return a vector (d,) as `Reference.vector`: int8, its largest |value| scaled to 127."""
    return quantize_rows(vector[np.newaxis]).tobytes()


def _cosine(vector: NDArray[np.float32], reference: bytes) -> float:
    stored = np.frombuffer(reference, dtype=np.int8).astype(np.float32)
    length = float(np.linalg.norm(stored))
    return float(vector @ stored) / length if length else 0.0
