"""What identifies an embedding model, and the key of one embedded text.

Light on purpose: commit hooks import it. It must not import numpy, onnxruntime or tokenizers.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum


class Pooling(StrEnum):
    """How the vectors of a text's tokens become the text's one vector."""

    MEAN = "mean"
    CLS = "cls"  # the first token's
    MAX = "max"  # the largest value of each dimension
    LAST = "last"  # the last token's, as decoders are trained


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """An embedding model as the index sees it.

    `sha256` is the model's identity: it covers the files' hashes and every setting that changes
    a vector (`identity_sha256`), so equal `sha256` means interchangeable vectors.
    Vectors always have unit length, whatever the original model does.
    """

    id: str
    sha256: str
    dimensions: int
    max_tokens: int
    pooling: Pooling
    query_prefix: str
    document_prefix: str
    licence: str


def identity_sha256(
    *,
    model_sha256: str,
    tokenizer_sha256: str,
    max_tokens: int,
    pooling: Pooling,
    query_prefix: str,
    document_prefix: str,
) -> str:
    """Return the hex SHA-256 that changes with anything that changes the model's vectors.

    The runtime's version and the CPU are left out on purpose: a mixed fleet must not re-embed.
    """
    settings = {
        "document_prefix": document_prefix,
        "max_tokens": max_tokens,
        "model": model_sha256,
        "pooling": str(pooling),
        "query_prefix": query_prefix,
        "tokenizer": tokenizer_sha256,
    }
    canonical = json.dumps(settings, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def embedding_key(sha256: str, text: str) -> bytes:
    """Return the 16 bytes under which the vector of `text` by the model `sha256` is kept.

    BLAKE2b-128 of the model's identity, a NUL and the text in UTF-8 (lone surrogates kept apart).
    """
    digest = hashlib.blake2b(sha256.encode("ascii"), digest_size=16)
    digest.update(b"\0")
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()
