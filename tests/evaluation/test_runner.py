"""Runs: what is asked once, what is asked again, and what one failure costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.fakes import FakeEngine, diff_record, fake_repository, line, question
from sidelight.errors import StorageError, UsageError
from sidelight.evaluation.cases import Case, CaseFile, parse_case
from sidelight.evaluation.ports import Question
from sidelight.evaluation.repositories import Repositories, find_git_dir
from sidelight.evaluation.runner import Event, Outcome, Settings, limit_cases, run_cases

OTHER = "c" * 40


def run(
    tmp_path: Path,
    cases: Sequence[Case],
    engine: FakeEngine,
    modes: tuple[str, ...] = ("hybrid",),
    jobs: int = 1,
    k: int = 100,
) -> tuple[Outcome, list[Event]]:
    if not (tmp_path / "repos").exists():
        fake_repository(tmp_path / "repos", "owner/name")
    events: list[Event] = []
    settings = Settings(
        engines=dict.fromkeys(modes, engine),
        repos=Repositories(tmp_path / "repos"),
        cache=tmp_path / "cache",
        k=k,
        jobs=jobs,
    )
    return run_cases([CaseFile("set_a", tuple(cases))], settings, events.append), events


def test_each_tree_is_opened_once_and_asked_in_every_mode(tmp_path: Path) -> None:
    cases = [question("a"), question("b", base=OTHER, query="two"), question("c", root="src")]
    engine = FakeEngine()
    outcome, events = run(tmp_path, cases, engine, ("hybrid", "bm25"))
    assert len(engine.opened) == 2
    assert len(engine.asked) == 6
    assert (Question("where are retries handled", b"src"), "bm25") in engine.asked
    assert set(outcome.results) == {(case, mode) for case in "abc" for mode in ("hybrid", "bm25")}
    assert engine.stores == {tmp_path / "cache" / "stores" / "owner+name"}
    assert (events[-1].done, events[-1].total) == (6, 6)
    assert events[0].message == "owner/name aaaaaaaaaa: read 1/1"


def test_second_run_asks_nothing(tmp_path: Path) -> None:
    run(tmp_path, [question()], FakeEngine())
    engine = FakeEngine()
    outcome, events = run(tmp_path, [question()], engine)
    assert (engine.opened, events, outcome.n_resumed) == ([], [], 1)
    assert outcome.results["q-1", "hybrid"].ranking.hits[0].path == b"retry.py"


@pytest.mark.parametrize("what", ["case", "settings", "k", "mode"])
def test_whatever_changes_the_answer_is_asked_anew(tmp_path: Path, what: str) -> None:
    run(tmp_path, [question()], FakeEngine())
    engine = FakeEngine(settings="two" if what == "settings" else "one")
    case = question(query="other") if what == "case" else question()
    run(
        tmp_path,
        [case],
        engine,
        modes=("bm25",) if what == "mode" else ("hybrid",),
        k=50 if what == "k" else 100,
    )
    assert len(engine.asked) == 1


def test_missing_repository_costs_its_own_cases(tmp_path: Path) -> None:
    outcome, _ = run(tmp_path, [question("a", repo="no/where"), question("b")], FakeEngine())
    assert set(outcome.results) == {("b", "hybrid")}
    (failure,) = outcome.failures
    assert failure.message == f"no git repository of no/where below {tmp_path / 'repos'}"


def test_missing_commit_and_refused_question_cost_themselves(tmp_path: Path) -> None:
    cases = [question("a", base=OTHER), question("b", query="bad"), question("c")]
    engine = FakeEngine(missing_commits=frozenset({OTHER}), refused_queries=frozenset({"bad"}))
    outcome, events = run(tmp_path, cases, engine, ("hybrid", "bm25"))
    assert {case for case, _ in outcome.results} == {"c"}
    assert [(f.case, f.mode, f.message) for f in outcome.failures] == [
        ("a", "bm25", "no commit ccccccc"),
        ("a", "hybrid", "no commit ccccccc"),
        ("b", "bm25", "the query is empty"),
        ("b", "hybrid", "the query is empty"),
    ]
    assert events[-1].done == events[-1].total


def test_failures_are_tried_again(tmp_path: Path) -> None:
    run(tmp_path, [question(base=OTHER)], FakeEngine(missing_commits=frozenset({OTHER})))
    outcome, _ = run(tmp_path, [question(base=OTHER)], FakeEngine())
    assert outcome.failures == []
    assert len(outcome.results) == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_run_keeps_what_is_done_and_goes_on(tmp_path: Path, jobs: int) -> None:
    fake_repository(tmp_path / "repos", "owner/name")
    fake_repository(tmp_path / "repos", "owner/second")
    cases = [question(f"{n}", query=f"q{n}", repo="owner/name") for n in range(4)]
    cases += [question(f"{n}", query=f"q{n}", repo="owner/second") for n in range(4, 8)]
    outcome, _ = run(tmp_path, cases, FakeEngine(interrupt_at=4), jobs=jobs)
    assert outcome.interrupted
    done = len(outcome.results)
    assert 3 <= done < 8
    engine = FakeEngine()
    outcome, _ = run(tmp_path, cases, engine, jobs=jobs)
    assert not outcome.interrupted
    assert len(engine.asked) == 8 - done
    assert len(outcome.results) == 8


def test_repositories_side_by_side_answer_as_one_after_the_other(tmp_path: Path) -> None:
    for n in range(4):
        fake_repository(tmp_path / "repos", f"owner/r{n}")
    cases = [question(f"{n}", repo=f"owner/r{n % 4}") for n in range(12)]
    outcome, events = run(tmp_path, cases, FakeEngine(), jobs=3)
    assert len(outcome.results) == 12
    assert sorted({event.done for event in events}) == list(range(13))


def test_a_mode_is_asked_of_its_own_tasks_only(tmp_path: Path) -> None:
    engine = FakeEngine()
    outcome, _ = run(tmp_path, [parse_case(line(diff_record()))], engine)
    assert (engine.opened, outcome.results, outcome.failures) == ([], {}, [])


def test_cache_inside_an_evaluated_repository_is_refused(tmp_path: Path) -> None:
    git_dir = fake_repository(tmp_path / "repos", "owner/name")
    settings = Settings(
        {"hybrid": FakeEngine()}, Repositories(tmp_path / "repos"), git_dir / "eval"
    )
    with pytest.raises(UsageError, match="lies inside the evaluated"):
        run_cases([CaseFile("a", (question(),))], settings)
    assert not (git_dir / "eval").exists()


def test_results_that_cannot_be_kept_stop_the_run(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(StorageError):
        run(tmp_path, [question("a"), question("b")], FakeEngine())


def files_of(sizes: list[int]) -> list[CaseFile]:
    return [
        CaseFile(f"set_{i}", tuple(question(f"{i}-{n}") for n in range(size)))
        for i, size in enumerate(sizes)
    ]


def test_limit_is_spread_over_files_and_within_them() -> None:
    files = limit_cases(files_of([10, 2, 10]), 8)
    assert [[case.id for case in file.cases] for file in files] == [
        ["0-1", "0-5", "0-8"],
        ["1-0", "1-1"],
        ["2-1", "2-5", "2-8"],
    ]
    assert limit_cases(files_of([10, 2]), None)[0].cases == files_of([10])[0].cases


@given(st.lists(st.integers(0, 6), max_size=5), st.integers(1, 40))
def test_limit_takes_exactly_so_many_and_no_file_starves(sizes: list[int], limit: int) -> None:
    taken = [len(file.cases) for file in limit_cases(files_of(sizes), limit)]
    assert sum(taken) == min(limit, sum(sizes))
    assert all(n <= size for n, size in zip(taken, sizes, strict=True))
    unfinished = [n for n, size in zip(taken, sizes, strict=True) if n < size]
    assert not unfinished or max(taken) - min(unfinished) <= 1


@pytest.mark.parametrize(
    "place",
    ["owner/name", "owner/name/.git", "owner+name/repo", "owner+name/repo/.git", "owner/name.git"],
)
def test_repository_is_found_in_every_documented_place(tmp_path: Path, place: str) -> None:
    git_dir = fake_repository(tmp_path, place)
    assert find_git_dir(tmp_path, "owner/name") == git_dir


def test_folder_without_a_repository_is_not_taken_for_the_one_around_it(tmp_path: Path) -> None:
    fake_repository(tmp_path, ".git")
    (tmp_path / "owner" / "name").mkdir(parents=True)
    assert find_git_dir(tmp_path, "owner/name") is None
