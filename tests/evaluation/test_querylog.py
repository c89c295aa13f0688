"""The log of answers and their judgements."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from helpers.gitrepo import GitRepo
from sidelight.cli.eval import eval_group
from sidelight.evaluation import querylog
from sidelight.evaluation.cases import QuestionCase, parse_case
from sidelight.evaluation.mining import case_lines
from sidelight.evaluation.querylog import Judgement, LogEntry, LoggedSpan, QueryLog
from sidelight.evaluation.reviewing import judged_cases, render_standing, standing, to_review

A, B, C = LoggedSpan("a.py", 1, 9), LoggedSpan("b\udce9.py", 3, 4), LoggedSpan("a.py", 20, 30)


def entry(time: int, query: str = "retry", *hits: LoggedSpan, command: str = "search") -> LogEntry:
    return LogEntry(time, command, "a" * 40, query, hits or (A, B))


def test_what_is_added_is_read_back_by_the_owner_alone(tmp_path: Path) -> None:
    log = QueryLog(tmp_path)
    packed = LogEntry(3, "ask", "b" * 40, "why", (A,), packed=(A, B), cited=(A,))
    for item in (entry(1), entry(2, "naïve"), packed):
        log.add(item)
    assert log.entries() == [entry(1), entry(2, "naïve"), packed]
    assert stat.S_IMODE((tmp_path / querylog.LOG).stat().st_mode) == 0o600


def test_nothing_is_logged_while_it_is_off_or_without_an_index(tmp_path: Path) -> None:
    log = QueryLog(tmp_path)
    log.switch(on=False)
    log.add(entry(1))
    assert not log.is_on
    log.switch(on=True)
    log.add(entry(2))
    assert [item.time for item in log.entries()] == [2]
    absent = QueryLog(tmp_path / "absent")
    absent.add(entry(1))
    assert absent.entries() == []
    assert not (tmp_path / "absent").exists()


def test_torn_and_foreign_lines_are_skipped(tmp_path: Path) -> None:
    log = QueryLog(tmp_path)
    log.add(entry(1))
    with (tmp_path / querylog.LOG).open("ab") as file:
        file.write(b'{"time": 1\n[]\n\xff\n{"time":1,"command":"x"}\n')
    log.add(entry(2))
    assert [item.time for item in log.entries()] == [1, 2]


def test_the_older_half_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(querylog, "MAX_BYTES", 2_000)
    log = QueryLog(tmp_path)
    for n in range(50):
        log.add(entry(n))
    times = [item.time for item in log.entries()]
    assert times[-1] == 49
    assert 0 < len(times) < 30
    assert [path.name for path in tmp_path.iterdir()] == [querylog.LOG]


def test_the_last_judgement_counts_and_clear_removes_all(tmp_path: Path) -> None:
    log = QueryLog(tmp_path)
    log.add(entry(1))
    for value in (True, False):
        log.judge(Judgement(entry(1).id, B, value))
    assert log.judgements() == {(entry(1).id, B): False}
    log.clear()
    assert (log.entries(), log.judgements()) == ([], {})


def test_sample_is_of_unjudged_answers_and_each_query_once() -> None:
    entries = [entry(n, f"q{n % 6}") for n in range(12)]
    judged = {(entry(11, "q5").id, A): True}
    chosen = to_review(entries, judged, 3)
    assert [item.query for item in chosen] == ["q0", "q2", "q4"]
    assert all(item.time >= 6 for item in chosen)
    assert len(to_review(entries, judged, 99)) == 5
    assert to_review([], {}, 3) == []


def test_figures_of_judgements() -> None:
    entries = [
        entry(1, "one"),
        entry(2, "two"),
        entry(3, "three"),
        LogEntry(
            4, "ask", "c" * 40, "why", (A,), packed=(A, B, C), cited=(LoggedSpan("a.py", 5, 6),)
        ),
    ]
    judged = {
        (entries[0].id, A): True,
        (entries[0].id, B): False,
        (entries[1].id, A): False,
        (entries[1].id, B): True,
    }
    found = standing(entries, judged)
    assert (found.n_entries, found.n_judged, found.n_hits) == (4, 2, 4)
    assert (found.precision, found.first_right, found.reciprocal) == (0.5, 0.5, 0.75)
    assert (found.n_packed, found.n_cited) == (3, 1)
    assert "sources cited of those packed: 1/3 (.333)" in render_standing(found)


def test_judged_searches_become_cases() -> None:
    entries = [entry(1), entry(2, "other"), entry(3, "diff", command="related")]
    judged = {(entries[0].id, B): True, (entries[1].id, A): False, (entries[2].id, A): True}
    (line,) = case_lines(judged_cases(entries, judged, "local/x")).splitlines()
    case = parse_case(line)
    assert isinstance(case, QuestionCase)
    assert (case.query, case.relevant[0].path, case.relevant[0].lines) == (
        "retry",
        b"b\xe9.py",
        ((3, 4),),
    )


@pytest.fixture
def repository(tmp_path: Path) -> GitRepo:
    repo = GitRepo.init(tmp_path / "repo")
    repo.write("a.py", "".join(f"line_{n} = {n}\n" for n in range(40)))
    commit = repo.commit("One")
    folder = repo.path / ".git" / "sidelight"
    folder.mkdir()
    QueryLog(folder).add(LogEntry(1, "search", commit, "what\x1b[31m is", (A, C)))
    return repo


def run(repo: GitRepo, *words: object, answers: str = "") -> Result:
    arguments = [*map(str, words), "--repo", str(repo.path)]
    return CliRunner().invoke(eval_group, arguments, input=answers)


def test_review_asks_shows_and_exports(tmp_path: Path, repository: GitRepo) -> None:
    out = tmp_path / "judged_x.jsonl"
    result = run(repository, "review", "--sample", 5, "--export", out, answers="n\ny\n")
    assert result.exit_code == 0, result.exception
    assert "line_0 = 0" in result.stdout
    assert "1 answers logged, 1 judged (2 hits)" in result.stdout
    assert "MRR .500" in result.stdout
    assert "1 cases" in result.stdout
    assert isinstance(parse_case(out.read_bytes()), QuestionCase)
    again = run(repository, "review")
    assert "relevant?" not in again.stdout


def test_log_is_shown_switched_and_cleared(repository: GitRepo) -> None:
    assert "the log is on; 1 answers" in run(repository, "log").stdout
    assert "the log is off; 1 answers" in run(repository, "log", "off").stdout
    assert "the log is off; 0 answers" in run(repository, "log", "clear").stdout
    assert "the log is on; 0 answers" in run(repository, "log", "on").stdout
