"""Choosing a model edits one key of a TOML file and nothing else."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.config import load_config
from sidelight.embedding.choosing import choose_model, with_model
from sidelight.errors import ConfigError

WHERE = Path(".sidelight.toml")
OWN = ("embedding",)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[embedding]\nmodel = "m"\n'),
        ("# mine\n", '# mine\n\n[embedding]\nmodel = "m"\n'),
        ("[search]\nrrf_k = 60", '[search]\nrrf_k = 60\n\n[embedding]\nmodel = "m"\n'),
        (
            '[embedding]\nmodel = "old"  # why\nthreads = 1\n[search]\n',
            '[embedding]\nmodel = "m"  # why\nthreads = 1\n[search]\n',
        ),
        ("[ embedding ] # x\nthreads = 1\n", '[ embedding ] # x\nmodel = "m"\nthreads = 1\n'),
        ("[embedding]", '[embedding]\nmodel = "m"\n'),
        ("[search]\r\n[embedding]\r\n", '[search]\r\n[embedding]\r\nmodel = "m"\r\n'),
        ('[embedding]\nmodel = "m" # same\n', '[embedding]\nmodel = "m" # same\n'),
        ("[embedding]\nmodel = 'a#b'\n", '[embedding]\nmodel = "m"\n'),
    ],
)
def test_the_rest_of_the_file_stays(before: str, after: str) -> None:
    assert with_model(before, OWN, "m", WHERE) == after


@pytest.mark.parametrize(
    "text",
    [
        'embedding = {model = "old"}\n',
        'embedding.model = "old"\n',
        "embedding = 5\n",
        '["embedding"]\nmodel = "old"\n',
        '[embedding]\nmodel = """\nold"""\n',
    ],
)
def test_what_cannot_be_edited_safely_is_left_with_instructions(text: str) -> None:
    with pytest.raises(ConfigError, match="cannot be edited safely") as caught:
        with_model(text, OWN, "m", WHERE)
    assert '[embedding] model = "m"' in caught.value.hint


def test_a_table_inside_a_string_is_no_table() -> None:
    text = 'note = """\n[embedding]\n"""\n'
    with pytest.raises(ConfigError, match="cannot be edited safely"):
        with_model(text, OWN, "m", WHERE)


def test_broken_toml_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / ".sidelight.toml"
    path.write_text("[embedding\n")
    with pytest.raises(ConfigError, match="not valid TOML"):
        choose_model(tmp_path, "m")
    assert path.read_text() == "[embedding\n"


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30))
def test_any_name_is_read_back(name: str) -> None:
    text = with_model("[search]\nrrf_k = 1\n", OWN, name, WHERE)
    assert tomllib.loads(text) == {"search": {"rrf_k": 1}, "embedding": {"model": name}}


def test_the_configuration_reads_what_was_chosen(tmp_path: Path) -> None:
    assert choose_model(tmp_path, "mine") == tmp_path / ".sidelight.toml"
    assert load_config(tmp_path).embedding.model == "mine"
    choose_model(tmp_path, "other")
    assert load_config(tmp_path).embedding.model == "other"
    assert [path.name for path in tmp_path.iterdir()] == [".sidelight.toml"]


def test_settings_in_pyproject_are_not_hidden_by_a_new_file(tmp_path: Path) -> None:
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text('[project]\nname = "x"\n\n[tool.sidelight.search]\nrrf_k = 7\n')
    assert choose_model(tmp_path, "mine") == pyproject
    config = load_config(tmp_path)
    assert (config.embedding.model, config.search.rrf_k) == ("mine", 7)
    assert pyproject.read_text().startswith('[project]\nname = "x"\n')


def test_a_link_to_a_shared_file_stays_a_link(tmp_path: Path) -> None:
    shared = tmp_path / "shared.toml"
    shared.write_text("[search]\n")
    root = tmp_path / "repo"
    root.mkdir()
    (root / ".sidelight.toml").symlink_to(shared)
    choose_model(root, "mine")
    assert (root / ".sidelight.toml").is_symlink()
    assert 'model = "mine"' in shared.read_text()
