"""Fitting, held-out reports and ablations on signals that were made up."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidelight.errors import UsageError
from sidelight.evaluation.ablation import (
    ablate_diffs,
    ablate_runs,
    ablation_json,
    load_ablations,
    render_ablation,
)
from sidelight.evaluation.fitting import Example, Objective, fit_weights
from sidelight.evaluation.matrix import SignalMatrix, unpack
from sidelight.evaluation.metrics import RankedSpan, file_ranks, ndcg
from sidelight.evaluation.tuning import render_tuned, tune_weights, tuned_json

NAMES = ("good", "bad", "none")
START = {"good": 0.1, "bad": 0.4, "none": 0.2}


def example(n: int, repo: str = "o/a", n_files: int = 12) -> Example:
    """Return a case whose wanted file is the one that `good` points at; `bad` is random."""
    generator = np.random.default_rng(n)
    values = np.zeros((n_files, 3))
    wanted = int(generator.integers(n_files))
    values[wanted, 0] = 1.0
    values[:, 1] = generator.random(n_files)
    paths = tuple(f"{i:02}.py".encode() for i in range(n_files))
    matrix = SignalMatrix(NAMES, paths, values)
    return Example(f"{repo}-{n}", repo, n, matrix, frozenset({paths[wanted]}))


def many(n: int, *repos: str) -> list[Example]:
    return [example(i, repo) for repo in repos for i in range(n)]


def test_the_signal_that_answers_gets_the_weight() -> None:
    objective = Objective(many(30, "o/a"))
    fitted = fit_weights(objective, range(30), START)
    assert fitted["good"] > fitted["bad"]
    assert objective.values(fitted).mean() > objective.values(START).mean() + 0.1


def test_weights_without_effect_stay() -> None:
    fitted = fit_weights(Objective(many(30, "o/a")), range(30), START)
    assert fitted["none"] == START["none"]


def test_several_repositories_are_each_reported_without_themselves() -> None:
    tuned = tune_weights(many(15, "o/a", "o/b", "o/c"), START)
    assert [row.label for row in tuned.parts] == ["o/a", "o/b", "o/c"]
    assert tuned.held_out.n == 45
    assert tuned.accepted
    assert "each repository" in tuned.method
    assert render_tuned(tuned).splitlines()[-1].startswith("held out: better")


def test_a_repository_that_wants_the_opposite_is_reported_as_worse() -> None:
    def turned(own: Example) -> Example:
        wrong = [path for path in own.matrix.paths if path not in own.wanted]
        best = max(wrong, key=lambda p: own.matrix.values[own.matrix.paths.index(p), 1])
        return Example(own.id, "o/odd", own.time, own.matrix, frozenset({best}))

    odd = [turned(example(n)) for n in range(30)]
    tuned = tune_weights([*many(40, "o/a"), *odd], START)
    rows = {row.label: row for row in tuned.parts}
    assert rows["o/odd"].verdict == "worse"


def test_one_repository_is_split_by_time() -> None:
    tuned = tune_weights(many(40, "o/a"), START)
    assert (tuned.n_fitted, tuned.held_out.n, tuned.parts) == (24, 16, ())
    assert "later commits" in tuned.method


def test_no_gain_is_not_accepted() -> None:
    best = {"good": 1.0, "bad": 0.0, "none": 0.0}
    tuned = tune_weights(many(20, "o/a", "o/b"), best)
    assert not tuned.accepted
    assert tuned.weights == best
    assert "no weight changed" in render_tuned(tuned)
    assert json.loads(json.dumps(tuned_json(tuned)))["accepted"] is False


def test_a_single_case_cannot_be_held_out() -> None:
    with pytest.raises(UsageError, match="too few"):
        tune_weights([example(1)], START)


def test_ablation_finds_what_is_needed_and_what_is_harmful(tmp_path: Path) -> None:
    found = ablate_diffs("diffs", many(40, "o/a"), {"good": 0.5, "bad": 2.0, "none": 0.1})
    by_name = {item.name: item for item in found.dropped}
    assert found.dropped[0].name == "good"
    assert by_name["good"].without.verdict == "worse"
    assert by_name["bad"].without.verdict == "better"
    assert by_name["none"].alone is None
    assert by_name["good"].alone is not None
    assert by_name["good"].alone.mean == 1.0
    text = render_ablation(found)
    assert [word in text for word in ("needed", "harmful", "no difference shown")] == [True] * 3
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"ablations": [ablation_json(found)]}))
    (read,) = load_ablations(path)
    assert [item.name for item in read.dropped] == [item.name for item in found.dropped]
    assert read.whole.n == 40


def test_ablation_of_runs_pairs_the_same_cases() -> None:
    found = ablate_runs("questions", [1.0] * 12, {"path": [0.5] * 12, "name": [1.0] * 12})
    assert [item.name for item in found.dropped] == ["path", "name"]
    assert found.dropped[0].without.difference.mean == -0.5


@pytest.mark.parametrize("content", ["", "{}", '{"ablations": [1]}'])
def test_other_files_are_no_ablations(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(UsageError, match="no ablation"):
        load_ablations(path)


MATRIX = st.integers(1, 12).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, -0.5]), min_size=3, max_size=3),
        min_size=n,
        max_size=n,
    )
)


@settings(max_examples=200)
@given(MATRIX, st.lists(st.sampled_from([0.0, 0.1, 0.5]), min_size=3, max_size=3), st.data())
def test_ndcg_is_that_of_the_order(
    rows: list[list[float]], weights: list[float], data: st.DataObject
) -> None:
    paths = tuple(f"{i:02}".encode() for i in range(len(rows)))
    matrix = SignalMatrix(NAMES, paths, np.asarray(rows))
    wanted = frozenset(data.draw(st.lists(st.sampled_from(paths), min_size=1, unique=True)))
    vector = matrix.vector(dict(zip(NAMES, weights, strict=True)))
    order = matrix.order(vector)
    ranks = file_ranks([RankedSpan(path, 1, 1) for path in order], wanted)
    assert matrix.ndcg(vector, wanted, k=10) == ndcg(ranks.values(), len(wanted), k=10)


def test_a_packed_matrix_comes_back() -> None:
    matrix = SignalMatrix(
        NAMES, (b"caf\xe9.py", b"b"), np.asarray([[0.1, 0.2, 0.3], [0, -1, 1e-9]])
    )
    found = unpack(*matrix.pack())
    assert (found.names, found.paths) == (matrix.names, matrix.paths)
    assert found.values.tolist() == matrix.values.tolist()
    with pytest.raises(ValueError, match="reshape"):
        unpack(matrix.pack()[0], b"12345678")
