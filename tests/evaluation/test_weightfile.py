"""Files of weights: what is written is read back, and mistakes are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from sidelight.errors import ConfigError
from sidelight.evaluation.weightfile import WeightSet, as_mapping, read_weights, render_weights
from sidelight.related.weights import DIFF, DiffWeights
from sidelight.search.weights import QUESTION


def test_written_weights_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    weights = as_mapping(DiffWeights(mix=0.1234, scope=0.0))
    path.write_text(render_weights("diff", weights, "Chosen by\nan evaluation."))
    assert path.read_text().startswith("# Chosen by\n# an evaluation.\n[weights.diff]\n")
    assert read_weights(path) == WeightSet(DiffWeights(mix=0.1234, scope=0.0), QUESTION)


def test_what_is_left_out_stays(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    path.write_text("[weights.question]\npath = 1\n")
    found = read_weights(path)
    assert found.diff == DIFF
    assert found.question.path == 1.0
    assert found.question.stem == QUESTION.stem


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[weights.diff]\nmixx = 1\n", r"weights\.diff\.mixx is unknown"),
        ("[weights.diff]\nmix = -1\n", "must be a number from 0"),
        ("[weights.diff]\nmix = true\n", "must be a number"),
        ("[weights.diff]\nmix = nan\n", "must be a number"),
        ("[weights]\ndiff = 3\n", "must be a table"),
        ("[weights.other]\n", "unknown table"),
        ("[search]\nk1 = 1\n", "holds no weights"),
        ("[", "not valid TOML"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "w.toml"
    path.write_text(content)
    with pytest.raises(ConfigError, match=message):
        read_weights(path)
