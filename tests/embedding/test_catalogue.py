"""Names, directories and where a user's models live."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.tiny_model import write_model
from sidelight.embedding import (
    DEFAULT_MODEL,
    SHIPPED_ID,
    default_models_directory,
    list_models,
    model_directory,
    model_info,
)
from sidelight.errors import ModelError

HOME = Path("/home/ada")


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, HOME / ".local/share/sidelight/models"),
        ({"XDG_DATA_HOME": "/data"}, Path("/data/sidelight/models")),
        ({"XDG_DATA_HOME": "relative"}, HOME / ".local/share/sidelight/models"),
        ({"XDG_DATA_HOME": ""}, HOME / ".local/share/sidelight/models"),
    ],
)
def test_models_live_where_the_platform_keeps_data(environ: dict[str, str], expected: Path) -> None:
    assert default_models_directory(environ, HOME) == expected


def test_default_is_the_shipped_model() -> None:
    ids = [model_info().id, model_info(DEFAULT_MODEL).id, model_info(SHIPPED_ID).id]
    assert ids == [SHIPPED_ID] * 3


def test_the_shipped_name_cannot_be_taken_over(tmp_path: Path) -> None:
    write_model(tmp_path / SHIPPED_ID)
    assert model_directory(SHIPPED_ID, tmp_path) != tmp_path / SHIPPED_ID


@pytest.mark.parametrize("name", ["nothing", "", "..", "models"])
def test_an_unknown_name_says_how_to_find_one(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelError, match="no embedding model is called") as caught:
        model_directory(name, tmp_path / "absent")
    assert "sidelight model list" in caught.value.hint


@pytest.mark.parametrize("text", ["./model", "../model", "a/b", "a\\b"])
def test_configuration_cannot_point_into_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    write_model(tmp_path / "model")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match="is relative"):
        model_directory(text, tmp_path)


def test_an_absolute_directory_needs_no_name(tmp_path: Path) -> None:
    directory = write_model(tmp_path / "tiny")
    assert model_info(str(directory)).id == model_info(directory).id == "tiny"


def test_listing_shows_damaged_models_as_such(tmp_path: Path) -> None:
    write_model(tmp_path / "b-good")
    (tmp_path / "a-bad").mkdir()
    (tmp_path / ".export-unfinished").mkdir()
    (tmp_path / "note.txt").write_text("not a model")
    models = list_models(tmp_path)
    assert [(m.name, m.shipped, bool(m.problem)) for m in models] == [
        (SHIPPED_ID, True, False),
        ("a-bad", False, True),
        ("b-good", False, False),
    ]


def test_listing_without_a_models_directory_shows_the_shipped_one(tmp_path: Path) -> None:
    assert [model.name for model in list_models(tmp_path / "absent")] == [SHIPPED_ID]
    assert [model.name for model in list_models(None)] == [SHIPPED_ID]
