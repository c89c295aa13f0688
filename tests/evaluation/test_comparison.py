"""Two files of results compared: pairing by case and content, sets, repositories, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sidelight.errors import UsageError
from sidelight.evaluation.comparison import compare_results, comparison_json, render_comparison
from sidelight.evaluation.results import ResultSet, load_results, parse_results


def case(case_id: str, value: float, **changes: Any) -> dict[str, Any]:
    """Return one case as `eval run --format json` writes it."""
    return {
        "id": case_id,
        "file": "cochange_a",
        "repo": "o/a",
        "language": "go",
        "query": "Fix it",
        "focal": ["x.go"],
        "digest": "d",
        "metrics": {"ndcg@10": value, "mrr": value / 2},
        "ranks": {"y.go": 1, "z.go": None},
        "hits": [["y.go", 1, 9]],
    } | changes


def value(*cases: dict[str, Any], mode: str = "related", state: str = "complete") -> dict[str, Any]:
    """Return a whole output with one table."""
    table = {"mode": mode, "task": "diff", "targets": "source", "cases": list(cases)}
    return {"state": state, "tables": [table]}


def results(*cases: dict[str, Any], mode: str = "related", state: str = "complete") -> ResultSet:
    return parse_results(value(*cases, mode=mode, state=state), f"{mode}.json")


def twenty(gain: float, **changes: Any) -> list[dict[str, Any]]:
    return [case(f"c{n}", 0.2 + n / 50 + gain, **changes) for n in range(20)]


def test_cases_are_paired_by_id_and_grouped() -> None:
    before = results(*twenty(0), *[case("p", 0.5, file="prmerge_b", repo="o/b")])
    after = results(*twenty(0.1)[::-1], *[case("p", 0.4, file="prmerge_b", repo="o/b")])
    (aim,) = compare_results(before, after, "ndcg@10").aims
    assert [(row.label, row.n, row.verdict) for row in aim.families] == [
        ("cochange", 20, "better"),
        ("prmerge", 1, "too few cases"),
    ]
    assert [row.label for row in aim.repositories] == ["o/a", "o/b"]
    assert (aim.total.n, aim.total.n_better, aim.total.n_worse) == (21, 20, 1)
    assert [moved.id for moved in aim.lost] == ["p"]
    assert aim.unpaired == 0


def test_changed_and_missing_cases_are_left_out_and_counted() -> None:
    before = results(*twenty(0))
    after = results(*twenty(0.1, digest="other")[:5], *twenty(0.1)[5:18])
    (aim,) = compare_results(before, after, "ndcg@10").aims
    assert aim.total.n == 13
    assert aim.unpaired == 7


def test_text_ends_with_a_verdict_and_says_what_is_partial() -> None:
    text = render_comparison(
        compare_results(results(*twenty(0)), results(*twenty(0.1), state="partial"), "ndcg@10")
    )
    assert text.startswith("PARTIAL RESULTS")
    assert text.splitlines()[-1] == "better: +.100 (+.100 … +.100) on 20 cases"
    noise = render_comparison(compare_results(results(*twenty(0)), results(*twenty(0)), "mrr"))
    assert noise.splitlines()[-1].startswith("no difference shown: .000")


def test_json_holds_everything() -> None:
    found = compare_results(results(*twenty(0)), results(*twenty(-0.1)), "ndcg@10")
    (aim,) = json.loads(json.dumps(comparison_json(found)))["aims"]
    assert aim["total"]["verdict"] == "worse"
    assert aim["total"]["change"] == pytest.approx(-0.1)
    assert len(aim["lost"]) == 5


def test_nothing_in_common_and_unknown_metrics_are_refused() -> None:
    with pytest.raises(UsageError, match="no case in common"):
        compare_results(results(case("a", 1)), results(case("b", 1)), "ndcg@10")
    with pytest.raises(UsageError, match="no metric f1"):
        compare_results(results(case("a", 1)), results(case("a", 1)), "f1")


def test_a_mode_is_named_where_there_are_several(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    both = value(case("a", 1))
    both["tables"] += value(case("a", 0), mode="file-bm25")["tables"]
    path.write_text(json.dumps(both))
    found = load_results(path)
    assert found.of_mode("file-bm25").tables[0].cases["a"].values["ndcg@10"] == 0
    with pytest.raises(UsageError, match="several modes"):
        found.of_mode(None)
    with pytest.raises(UsageError, match="no mode dense"):
        found.of_mode("dense")


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"tables": 3}', '{"tables": [{}]}', "[" * 9999]
)
def test_other_files_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(content)
    with pytest.raises(UsageError, match="not what an evaluation wrote"):
        load_results(path)
