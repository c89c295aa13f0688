"""Identity and keys: stable over processes and versions, and different when vectors would be."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sidelight.embedding.info import Pooling, embedding_key, identity_sha256

SETTINGS: dict[str, Any] = {
    "model_sha256": "a" * 64,
    "tokenizer_sha256": "b" * 64,
    "max_tokens": 256,
    "pooling": Pooling.MEAN,
    "query_prefix": "",
    "document_prefix": "",
}


def test_keys_are_the_documented_hash() -> None:
    sha = "0" * 64
    expected = hashlib.blake2b(sha.encode() + b"\0" + "größe".encode(), digest_size=16).digest()
    assert embedding_key(sha, "größe") == expected


@given(st.text(), st.text())
def test_keys_tell_texts_apart(left: str, right: str) -> None:
    same = embedding_key("0" * 64, left) == embedding_key("0" * 64, right)
    assert same == (left == right)


def test_keys_tell_models_and_lone_surrogates_apart() -> None:
    keys = {embedding_key(sha, text) for sha in ("0" * 64, "1" * 64) for text in ("\ud800", "?")}
    assert len(keys) == 4


def test_identity_changes_with_every_setting() -> None:
    changes: list[dict[str, Any]] = [
        {},
        {"model_sha256": "c" * 64},
        {"tokenizer_sha256": "c" * 64},
        {"max_tokens": 128},
        {"pooling": Pooling.CLS},
        {"query_prefix": "query: "},
        {"document_prefix": "query: "},
    ]
    assert len({identity_sha256(**(SETTINGS | change)) for change in changes}) == len(changes)


def test_identity_is_pinned() -> None:
    # Indexes store it: a change of the formula would make every user embed everything again.
    expected = "e333c95d"
    assert identity_sha256(**SETTINGS)[:8] == expected


def test_a_commit_hook_loads_no_engine() -> None:
    program = (
        "import sys; from sidelight.embedding import model_sha, embedding_key, runtime_info;"
        "embedding_key(model_sha(), 'x'); runtime_info();"
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'torch', 'optimum'} & set(sys.modules);"
        "print(*sorted(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")
