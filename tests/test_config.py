"""Configuration: what is read, what is refused and how the refusal helps."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidelight.config import (
    Config,
    IndexConfig,
    RetrieverConfig,
    index_fingerprint,
    load_config,
    parse_config,
)
from sidelight.errors import ConfigError, ExitCode


def write(root: Path, name: str, text: str) -> Path:
    (root / name).write_text(text, "utf-8")
    return root


def test_no_file_and_no_folder_mean_the_default(tmp_path: Path) -> None:
    assert load_config(tmp_path) == Config()
    assert load_config(None) == Config()
    assert load_config(tmp_path / "absent") == Config()


def test_every_table_is_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        ".sidelight.toml",
        """
        [index]
        max-file-bytes = 5000
        exclude = ["gen/**"]
        generated = true
        [embedding]
        threads = 1
        [search]
        fusion = "rrf"
        bm25 = { pool = 5, weight = 2 }
        [hooks]
        budget_s = 1
        """,
    )
    config = load_config(tmp_path)
    assert config.index == IndexConfig(5000, ("gen/**",), generated=True)
    assert config.embedding.threads == 1
    assert config.search.bm25 == RetrieverConfig(pool=5, weight=2.0)
    assert config.search.dense == Config().search.dense
    assert isinstance(config.hooks.budget_s, float)


@pytest.mark.parametrize(
    "text",
    [
        "[tool.sidelight.index]\ngenerated = true\n",
        "[tool]\nsidelight = { index = { generated = true } }\n",
        "[tool]\nsidelight.index.generated = true\n",
        "tool.sidelight.index.generated = true\n",
        "[ tool . sidelight . index ]\ngenerated = true\n",
        '[tool."sidelight".index]\ngenerated = true\n',
    ],
)
def test_pyproject_is_read_however_the_table_is_written(tmp_path: Path, text: str) -> None:
    assert load_config(write(tmp_path, "pyproject.toml", text)).index.generated


def test_our_own_file_wins_and_is_never_mixed(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", "[tool.sidelight.index]\ngenerated = true\n")
    write(tmp_path, ".sidelight.toml", "[index]\nvendored = true\n")
    config = load_config(tmp_path)
    assert config.index == IndexConfig(vendored=True)


def test_somebody_elses_broken_pyproject_is_not_our_business(tmp_path: Path) -> None:
    assert load_config(write(tmp_path, "pyproject.toml", "[tool\n")) == Config()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("indx = 1", "did you mean index?"),
        ("[index]\nmax_file_byte = 1", "did you mean index.max_file_bytes?"),
        ("[search.bm25]\nwheight = 1", "did you mean search.bm25.weight?"),
        ("[index]\nzzz = 1", "known: "),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_name(
    tmp_path: Path, text: str, hint: str
) -> None:
    with pytest.raises(ConfigError, match="unknown key") as caught:
        load_config(write(tmp_path, ".sidelight.toml", text))
    assert hint in caught.value.hint
    assert caught.value.exit_code is ExitCode.USAGE


@pytest.mark.parametrize(
    "text",
    [
        "index = 1",
        "index = [1]",
        "[index]\nmax_file_bytes = 0",
        "[index]\nmax_file_bytes = true",
        "[index]\nmax_file_bytes = 1.5",
        "[index]\nmax_file_bytes = 'x'",
        f"[index]\nmax_file_bytes = {10**30}",
        "[index]\nexclude = 'a'",
        "[index]\nexclude = [1]",
        "[index]\nexclude = ['']",
        "[index]\nexclude = ['/etc']",
        "[index]\ngenerated = 1",
        "[embedding]\nthreads = 0",
        f"[embedding]\nthreads = {10**9}",
        "[search]\nfusion = 'best'",
        "[search]\nrrf_k = -1",
        f"[search]\nrrf_k = {10**30}",
        "[search]\nk1 = nan",
        "[search]\nk1 = -1",
        "[search]\nb = 2",
        "[search]\nb = inf",
        "[search]\ndiversity = 1.0",
        "[search]\ndiff_diversity = -0.1",
        "[search]\ngranularity = 'words'",
        "[search.bm25]\npool = 0",
        f"[search.bm25]\npool = {10**30}",
        "[search.bm25]\nweight = -1",
        "[search.bm25]\nweight = nan",
        "[search.bm25]\nweight = inf",
        "[search]\nbm25.weight = 0\ndense.weight = 0\nsymbol.weight = 0\nexact.weight = 0",
        "[hooks]\nbudget_s = nan",
        "[hooks]\nbudget_s = -1",
        "[hooks]\ninline_embeddings = -1",
        "[index",
        "index = \x00",
    ],
)
def test_values_that_make_no_sense_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(write(tmp_path, ".sidelight.toml", text))
    assert ".sidelight.toml" in caught.value.message


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".sidelight.toml").write_bytes(b"[index]\nexclude = ['\xff']\n")
    with pytest.raises(ConfigError, match="TOML"):
        load_config(tmp_path)


@pytest.mark.parametrize("text", ["tool = 3 # sidelight", "[tool]\nsidelight = 3\n"])
def test_a_pyproject_whose_table_is_none_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError):
        load_config(write(tmp_path, "pyproject.toml", text))


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".sidelight.toml").mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path)


def test_the_fingerprint_changes_with_every_value_that_changes_an_index() -> None:
    base = IndexConfig()
    others = {"max_file_bytes": 7, "exclude": ("a",), "generated": True, "vendored": True}
    assert set(others) == {field.name for field in fields(IndexConfig)}
    keys = {index_fingerprint(replace(base, **{name: value})) for name, value in others.items()}  # type: ignore[arg-type]
    assert len(keys | {index_fingerprint(base)}) == len(others) + 1
    assert index_fingerprint(IndexConfig(exclude=("a", "b"))) != index_fingerprint(
        IndexConfig(exclude=("a', 'b",))
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["index", "search", "bm25", "pool", "weight", "exclude", "k1", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["index", "search", "embedding", "hooks", "y"]), JSON))
def test_any_table_is_taken_or_refused(table: dict[str, object]) -> None:
    try:
        config = parse_config(table, "test")
    except ConfigError:
        return
    assert isinstance(config, Config)
