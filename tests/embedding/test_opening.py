"""Opening a model checks every byte, and says what to do about what it refuses."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from helpers.tiny_model import default_table, lookup_graph, write_model
from sidelight.embedding import model_directory, model_sha, open_embedder
from sidelight.errors import ModelError


def test_an_opened_model_tells_the_identity_known_without_opening(tmp_path: Path) -> None:
    directory = write_model(tmp_path / "tiny")
    assert open_embedder(directory).info.sha256 == model_sha(directory)


def test_a_name_is_looked_up_in_the_models_directory(tmp_path: Path) -> None:
    write_model(tmp_path / "models" / "mine")
    assert open_embedder("mine", models_dir=tmp_path / "models").info.id == "mine"


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_one_flipped_bit_is_refused_with_the_way_out(tmp_path: Path, name: str) -> None:
    directory = write_model(tmp_path / "tiny")
    data = bytearray((directory / name).read_bytes())
    data[len(data) // 2] ^= 1
    (directory / name).write_bytes(data)
    with pytest.raises(ModelError, match="sha256 is another") as caught:
        open_embedder(directory)
    assert name in caught.value.message
    assert "sidelight model use default" in caught.value.hint


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_truncated_file_is_refused(tmp_path: Path, name: str) -> None:
    directory = write_model(tmp_path / "tiny")
    (directory / name).write_bytes((directory / name).read_bytes()[:-1])
    with pytest.raises(ModelError, match=r"\d+ bytes instead of \d+"):
        open_embedder(directory)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_refused(tmp_path: Path, name: str) -> None:
    directory = write_model(tmp_path / "tiny")
    (directory / name).unlink()
    with pytest.raises(ModelError, match="it is missing"):
        open_embedder(directory)


def test_a_folder_in_a_file_s_place_is_refused(tmp_path: Path) -> None:
    directory = write_model(tmp_path / "tiny")
    (directory / "model.onnx").unlink()
    (directory / "model.onnx").mkdir()
    with pytest.raises(ModelError):
        open_embedder(directory)


def test_a_directory_without_manifest_is_refused_with_the_way_out(tmp_path: Path) -> None:
    directory = write_model(tmp_path / "tiny")
    (directory / "model.json").unlink()
    with pytest.raises(ModelError, match=r"model\.json is missing") as caught:
        open_embedder(directory)
    assert "sidelight model export" in caught.value.hint


def test_exchanged_files_of_another_model_are_refused(tmp_path: Path) -> None:
    one = write_model(tmp_path / "one")
    other = write_model(tmp_path / "other", graph=lookup_graph(default_table() + 1))
    shutil.copy(other / "model.onnx", one / "model.onnx")
    with pytest.raises(ModelError, match="sha256 is another"):
        open_embedder(one)


def test_the_shipped_model_with_a_changed_setting_is_refused(tmp_path: Path) -> None:
    directory = tmp_path / "copy"
    shutil.copytree(model_directory(), directory)
    manifest = json.loads((directory / "model.json").read_text())
    manifest["max_tokens"] = 128
    (directory / "model.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="does not belong to its own settings"):
        open_embedder(directory)
