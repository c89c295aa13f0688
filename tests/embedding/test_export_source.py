"""What a model's files say is read without running anything; what we cannot run is refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from sidelight.embedding.export_source import SourceModel, read_source
from sidelight.embedding.info import Pooling
from sidelight.errors import ModelError

BERT = {"model_type": "bert", "architectures": ["BertModel"], "max_position_embeddings": 512}
MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_N", "type": "sentence_transformers.models.Normalize"},
]


def write_source(root: Path, files: dict[str, Any] | None = None) -> Path:
    """Write a model's files: JSON values, or bytes as they are."""
    usual: dict[str, Any] = {"config.json": BERT, "model.safetensors": b"weights"}
    for name, value in (usual | (files or {})).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return root


def read(root: Path, files: dict[str, Any] | None = None, **options: Any) -> SourceModel:
    return read_source(write_source(root, files), "some/model", **options)


def pooled(root: Path, settings: dict[str, Any], **options: Any) -> SourceModel:
    return read(root, {"modules.json": MODULES, "1_Pooling/config.json": settings}, **options)


def test_a_plain_encoder_has_plain_settings(tmp_path: Path) -> None:
    source = read(tmp_path)
    assert (source.pooling, source.max_tokens, source.lowercase) == (Pooling.MEAN, 512, False)
    assert (source.query_prefix, source.document_prefix, source.licence) == ("", "", "unknown")
    assert source.weights == {"model.safetensors": hashlib.sha256(b"weights").hexdigest()}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, Pooling.MEAN),
        ({"pooling_mode_cls_token": True, "word_embedding_dimension": 384}, Pooling.CLS),
        ({"pooling_mode_max_tokens": True}, Pooling.MAX),
        ({"pooling_mode_lasttoken": True, "include_prompt": True}, Pooling.LAST),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, Pooling.MEAN),
        ({"pooling_mode": "cls", "embedding_dimension": 384}, Pooling.CLS),
        ({"pooling_mode": ["lasttoken"]}, Pooling.LAST),
    ],
)
def test_pooling_is_read_in_both_spellings(
    tmp_path: Path, settings: dict[str, Any], expected: Pooling
) -> None:
    assert pooled(tmp_path, settings).pooling is expected


@pytest.mark.parametrize(
    "settings",
    [
        {"pooling_mode_weightedmean_tokens": True},
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
        {"pooling_mode": ["cls", "mean"]},
        {"pooling_mode_cls_token": False},
        {},
    ],
)
def test_other_poolings_are_refused_unless_one_is_chosen(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    with pytest.raises(ModelError, match="pools by") as caught:
        pooled(tmp_path, settings)
    assert "--pooling" in caught.value.hint
    assert pooled(tmp_path, settings, pooling=Pooling.CLS).pooling is Pooling.CLS


def test_a_causal_model_pools_its_last_token(tmp_path: Path) -> None:
    config = {"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"]}
    assert read(tmp_path, {"config.json": config}).pooling is Pooling.LAST


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"sentence_bert_config.json": {"max_seq_length": 256, "do_lower_case": False}}, 256),
        ({"sentence_bert_config.json": {"max_seq_length": None}}, 512),
        ({"tokenizer_config.json": {"model_max_length": 128}}, 128),
        ({"tokenizer_config.json": {"model_max_length": 10**30}}, 512),
        (
            {
                "config.json": {
                    "model_type": "roberta",
                    "max_position_embeddings": 514,
                    "pad_token_id": 1,
                }
            },
            512,
        ),
        ({"config.json": {"model_type": "qwen2"}}, 512),
    ],
)
def test_the_least_stated_limit_counts(
    tmp_path: Path, files: dict[str, Any], expected: int
) -> None:
    assert read(tmp_path, files).max_tokens == expected


@pytest.mark.parametrize(
    ("settings", "query", "document"),
    [
        ({"prompts": {"query": "q: ", "passage": "p: "}}, "q: ", "p: "),
        ({"prompts": {"query": "q: ", "document": ""}, "default_prompt_name": None}, "q: ", ""),
        ({"prompts": {"s": "S: "}, "default_prompt_name": "s"}, "S: ", "S: "),
        ({"prompts": {"classification": "x"}}, "", ""),
        ({"prompts": {}}, "", ""),
        ({"__version__": {}}, "", ""),
    ],
)
def test_prompts_become_prefixes(
    tmp_path: Path, settings: dict[str, Any], query: str, document: str
) -> None:
    source = read(tmp_path, {"config_sentence_transformers.json": settings})
    assert (source.query_prefix, source.document_prefix) == (query, document)


def test_lowering_outside_of_the_tokenizer_is_seen(tmp_path: Path) -> None:
    assert read(tmp_path, {"sentence_bert_config.json": {"do_lower_case": True}}).lowercase


def test_an_older_layout_keeps_the_transformer_in_a_folder(tmp_path: Path) -> None:
    modules = [MODULES[0] | {"path": "0_Transformer"}, MODULES[1]]
    files: dict[str, Any] = {
        "modules.json": modules,
        "0_Transformer/config.json": BERT | {"max_position_embeddings": 99},
        "0_Transformer/model.safetensors": b"inner",
        "1_Pooling/config.json": {"pooling_mode_cls_token": True},
    }
    source = read(tmp_path, files)
    assert source.directory == tmp_path / "0_Transformer"
    assert (source.pooling, source.max_tokens) == (Pooling.CLS, 99)


def test_the_licence_is_the_model_card_s(tmp_path: Path) -> None:
    card = b"---\nlanguage: en\nlicense: apache-2.0\n---\nlicense: not this one\n"
    assert read(tmp_path, {"README.md": card}).licence == "apache-2.0"


@pytest.mark.parametrize("extra", ["Dense", "LayerNorm", "CLIPModel", "WeightedLayerPooling"])
def test_other_modules_are_refused(tmp_path: Path, extra: str) -> None:
    modules = [*MODULES, {"path": "3", "type": f"sentence_transformers.models.{extra}"}]
    with pytest.raises(ModelError, match=f"models.{extra}; Sidelight runs"):
        read(tmp_path, {"modules.json": modules})


@pytest.mark.parametrize("place", ["../outside", "/etc", "a/../../b"])
def test_modules_outside_of_the_model_are_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(ModelError, match="points outside"):
        read(tmp_path, {"modules.json": [MODULES[0] | {"path": place}]})


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    write_source(tmp_path, {"pytorch_model.bin": b"\x80\x04"})
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="pickled weights only") as caught:
        read_source(tmp_path, "some/model")
    assert "safetensors" in caught.value.hint


def test_a_directory_without_weights_is_refused(tmp_path: Path) -> None:
    write_source(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="no weights"):
        read_source(tmp_path, "some/model")


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
def test_code_that_comes_with_a_model_is_refused(tmp_path: Path, name: str) -> None:
    auto = BERT | {"auto_map": {"AutoModel": "modeling_x.XModel"}}
    with pytest.raises(ModelError, match="code that comes with the model"):
        read(tmp_path, {name: auto})


def test_encoder_decoders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="encoder-decoder"):
        read(tmp_path, {"config.json": {"model_type": "t5", "is_encoder_decoder": True}})


def test_prompts_left_out_of_the_pooling_are_refused(tmp_path: Path) -> None:
    files = {
        "modules.json": MODULES,
        "1_Pooling/config.json": {"pooling_mode_mean_tokens": True, "include_prompt": False},
        "config_sentence_transformers.json": {"prompts": {"query": "q: "}},
    }
    with pytest.raises(ModelError, match="leaves its prompts out"):
        read(tmp_path, files)


@pytest.mark.parametrize(
    "files",
    [
        {"config.json": b"{"},
        {"config.json": b"\xff"},
        {"config.json": b"[1]"},
        {"modules.json": b"{}"},
        {"modules.json": b"[1]"},
        {"config_sentence_transformers.json": {"prompts": ["x"]}},
        {"tokenizer_config.json": b"[" * 100_000},
    ],
)
def test_malformed_files_are_refused(tmp_path: Path, files: dict[str, Any]) -> None:
    with pytest.raises(ModelError):
        read(tmp_path, files)


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"config\.json is missing"):
        read_source(tmp_path, "some/model")
