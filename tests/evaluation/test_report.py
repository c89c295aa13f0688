"""What a run says: the whole text and JSON of a small one, and averages by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from evaluation.fakes import diff_record, line, question, span
from sidelight.evaluation.cases import CaseFile, CaseProblem, parse_case
from sidelight.evaluation.ledger import Key, Result
from sidelight.evaluation.metrics import RankedSpan
from sidelight.evaluation.ports import Ranking, TreeInfo
from sidelight.evaluation.report import MAX_LISTED, Report, as_json, render_text
from sidelight.evaluation.runner import Failure, Outcome
from sidelight.evaluation.summary import summarise

GOLDEN = Path(__file__).parent / "golden"

FILES = (
    CaseFile(
        "semble_go",
        (
            question("g1", repo="o/go", language="go", category="symbol"),
            question("g2", repo="o/go", language="go", category="semantic", query="two"),
        ),
    ),
    CaseFile("semble_rust", (question("r1", repo="o/rust", language="rust", category="symbol"),)),
    CaseFile("issue_loc_py", (question("p1", names_gold_path=True), question("p2"))),
    CaseFile("cochange_py", (parse_case(line(diff_record())),)),
)


def result(case: str, *hits: RankedSpan, mode: str = "bm25", ms: float = 2.0) -> Result:
    return Result(Key(case, "d", mode, "s", 100), Ranking(hits, ms), TreeInfo(3, 9, 1.5))


def complete_outcome() -> Outcome:
    outcome = Outcome()
    first, second = span("retry.py"), (span("x.py"), span("retry.py"))
    for mode in ("hybrid", "bm25"):
        outcome.results |= {
            ("g1", mode): result("g1", first, ms=1.0),
            ("g2", mode): result("g2", *second),
            ("r1", mode): result("r1", span("x.py")),
            ("p1", mode): result("p1", first if mode == "hybrid" else second[0]),
            ("p2", mode): result("p2", *second),
        }
    return outcome


def report(outcome: Outcome, modes: tuple[str, ...], problems: int = 0) -> Report:
    return Report(
        FILES,
        tuple(CaseProblem("a.jsonl", n, "not JSON") for n in range(1, problems + 1)),
        outcome,
        tuple(summarise(FILES, outcome.results, mode) for mode in modes),
        100,
    )


def test_averages_by_hand() -> None:
    summary = summarise(FILES, complete_outcome().results, "bm25")
    at_two = 1 / math.log2(3)
    families = {row.label: row for row in summary.families}
    assert families["semble"].values["ndcg@10"].mean == pytest.approx((1 + at_two) / 3)
    item_macro = families["semble"].item_macro
    assert item_macro is not None
    assert item_macro.mean == pytest.approx(((1 + at_two) / 2 + 0) / 2)
    assert families["issue_loc"].values["mrr"].mean == 0.25
    assert summary.total.n == 5
    assert summary.total.query_ms == 2.0
    assert [row.label for row in summary.by["names_gold_path"]] == ["yes"]
    assert {row.label: row.n for row in summary.by["category"]} == {"semantic": 1, "symbol": 2}
    assert (summary.index_s, summary.n_trees) == (4.5, 3)


def test_whole_text_of_two_modes() -> None:
    text = render_text(report(complete_outcome(), ("hybrid", "bm25")))
    assert text == (GOLDEN / "complete.txt").read_text()


def test_partial_text_says_so_first_and_what_is_missing() -> None:
    outcome = complete_outcome()
    for case in ("g2", "p1", "p2"):
        del outcome.results[case, "bm25"]
    outcome.failures = [
        Failure(c, "o/x", "bm25", "no git repository of o/x below r") for c in ("g2", "p1")
    ]
    outcome.interrupted = True
    text = render_text(report(outcome, ("bm25",), problems=MAX_LISTED + 2))
    assert text == (GOLDEN / "partial.txt").read_text()


def test_nothing_answered_still_renders() -> None:
    outcome = Outcome(failures=[Failure("g1", "o/go", "bm25", "no")])
    text = render_text(report(outcome, ("bm25", "dense")))
    assert "0/5" in text
    assert text.startswith("PARTIAL")


def test_json_has_every_documented_field() -> None:
    outcome = complete_outcome()
    value = json.loads(json.dumps(as_json(report(outcome, ("bm25",)))))
    assert value["state"] == "complete"
    assert value["not_run"] == {"question": 0, "diff": 1}
    (mode,) = value["tables"]
    assert (mode["mode"], mode["task"], mode["targets"]) == ("bm25", "question", "all")
    assert mode["total"]["cases"] == 5
    assert set(mode["total"]["metrics"]["ndcg@10"]) == {"mean", "low", "high"}
    case = mode["cases"][1]
    assert (case["id"], case["ranks"]) == ("g2", {"retry.py": 2})
    assert mode["cases"][2]["ranks"] == {"retry.py": None}


def test_json_of_a_partial_run_lists_every_problem() -> None:
    outcome = Outcome(failures=[Failure("g1", "o/go", "bm25", "no")])
    value = as_json(report(outcome, ("bm25",), problems=30))
    assert value["state"] == "partial"
    assert len(value["problems"]) == 30
    assert value["failures"][0]["message"] == "no"
    assert value["tables"][0]["total"]["metrics"] == {}


@pytest.mark.parametrize("path", [b"caf\xe9.py", "naïve.py".encode()])
def test_any_path_can_be_written_as_json(path: bytes) -> None:
    case = question(relevant=[{"path": path.decode("utf-8", "surrogateescape")}])
    files = (CaseFile("a", (case,)),)
    results = {("q-1", "bm25"): result("q-1", RankedSpan(path, 1, 1))}
    value = Report(files, (), Outcome(results), (summarise(files, results, "bm25"),), 100)
    (written,) = json.loads(json.dumps(as_json(value)))["tables"][0]["cases"]
    assert list(written["ranks"].values()) == [1]
