"""What commands print: data as docs/cli.md has it, text, notes, exit codes, ended processes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.run import Cli
from helpers.gitrepo import GitRepo
from sidelight.cli.main import COMMANDS, main

STORE = '''"""The store of sessions."""


class SessionStore:
    """Keeps sessions until they expire."""

    def find_session(self, token: str) -> dict[str, str]:
        """Return the session of a token, or raise if it has expired."""
        if token not in self.sessions:
            raise LookupError("no session for this token")
        return self.sessions[token]
'''
NUMBER = (int, float)
REASON = {"kind": str, "detail": str, "weight": NUMBER}
HIT = {
    "path": str,
    "start_line": int,
    "end_line": int,
    "symbol": str,
    "kind": str,
    "language": str,
    "score": NUMBER,
    "reasons": [REASON],
    "alike": [str],
}
INDEX = {
    "tree": str,
    "commit": str,
    "state": str,
    "files": int,
    "chunks": int,
    "behind": int,
}
SEARCH = {"query": str, "index": INDEX, "hits": [HIT], "notes": [str]}
HISTORY = {"commits": int, "shallow": bool, "limited": bool, "problem": str}
STATUS = {
    "state": str,
    "tree": (str, type(None)),
    "head_tree": (str, type(None)),
    "commit": (str, type(None)),
    "behind": int,
    "files": int,
    "chunks": int,
    "pending": int,
    "skipped": dict,
    "model": str,
    "size_bytes": int,
    "views": [str],
    "detail": str,
    "history": HISTORY,
}
REPORT = {
    "state": str,
    "view": str,
    "tree": str,
    "commit": str,
    "changed_files": int,
    "parsed_files": int,
    "deleted_files": int,
    "embedded": int,
    "pending": int,
    "seconds": NUMBER,
}
FOCAL = {
    "title": str,
    "scope": str,
    "files": [
        {
            "path": str,
            "kind": str,
            "hunks": [{"old_start": int, "old_count": int, "new_start": int, "new_count": int}],
        }
    ],
    "symbols": [
        {
            "path": str,
            "symbol": str,
            "kind": str,
            "change": str,
            "start_line": int,
            "end_line": int,
        }
    ],
    "skipped": [{"path": str, "reason": str}],
}
PLACE = {"path": str, "start_line": int, "end_line": int}
FINDING = {
    "kind": str,
    **PLACE,
    "symbol": str,
    "message": str,
    "confidence": float,
    "evidence": [{"path": str, "line": int, "text": str, "note": str}],
}
TOUCHED = {**PLACE, "symbol": str, "kind": str, "change": str, "callers": int, "tests": int | None}
RELATED = {
    "focal": FOCAL,
    "index": {"tree": str, "commit": str},
    "hits": [HIT],
    "notes": [str],
    "findings": {"items": [FINDING], "touched": [TOUCHED], "notes": [str]},
}
CACHE = {
    "file": str,
    "size_bytes": int,
    "files": int,
    "chunks": int,
    "vectors": int,
    "views": [str],
}
GC = {"documents": int, "commits": int, "snapshots": int, "freed_bytes": int}
DOCTOR = {"findings": [{"subject": str, "ok": bool, "detail": str, "hint": str}]}


def check_shape(value: Any, shape: Any, where: str = "") -> None:
    """Fail unless the value has exactly the shape's keys, and its types."""
    if isinstance(shape, dict):
        assert isinstance(value, dict), where
        assert list(value) == list(shape), where
        for key, inner in shape.items():
            check_shape(value[key], inner, f"{where}.{key}")
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for item in value:
            check_shape(item, shape[0], f"{where}[]")
    else:
        assert isinstance(value, shape), f"{where}: {value!r}"
        assert shape is bool or not isinstance(value, bool), where


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    """An indexed repository of two commits that no test changes."""
    repo = GitRepo.init(tmp_path_factory.mktemp("output") / "repo")
    repo.write("app/store.py", STORE)
    repo.write("vendor/store.py", STORE)
    repo.write("picture.png", b"\0")
    repo.commit("Add the store")
    repo.write("app/views.py", "def show(store, token):\n    return store.find_session(token)\n")
    repo.commit("views: show a session")
    assert main(["-C", str(repo.path), "init", "--no-hook"]) == 0
    return repo


@pytest.fixture
def repo(tmp_path: Path, shared: GitRepo) -> GitRepo:
    """A copy of the indexed repository, to be changed."""
    shutil.copytree(shared.path, tmp_path / "repo", symlinks=True)
    return GitRepo(tmp_path / "repo", shared.clock)


@contextmanager
def running(folder: Path, *words: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command line as a process of its own, which ends with the block."""
    words = (sys.executable, "-m", "sidelight.cli.main", "-C", str(folder), *words)
    with subprocess.Popen(words, stderr=subprocess.PIPE, **options) as process:
        try:
            yield process
        finally:
            process.kill()  # does nothing if it has ended


# -- data -----------------------------------------------------------------------------------------


def test_search_as_data(cli: Cli, shared: GitRepo) -> None:
    found = cli.json(shared.path, "search", "session of a token")
    check_shape(found, SEARCH)
    assert found["query"] == "session of a token"
    assert found["index"]["tree"] == shared.tree()
    assert found["index"]["commit"] == shared.head()
    assert (found["index"]["state"], found["index"]["behind"]) == ("current", 0)
    assert found["hits"][0]["language"] == "python"
    scores = [hit["score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("mode", ["bm25", "dense", "symbol", "exact"])
def test_every_mode_has_the_same_shape(cli: Cli, shared: GitRepo, mode: str) -> None:
    found = cli.json(shared.path, "search", "find_session", "--mode", mode)
    check_shape(found, SEARCH)
    assert found["hits"]


def test_status_as_data(cli: Cli, shared: GitRepo) -> None:
    status = cli.json(shared.path, "status")
    check_shape(status, STATUS)
    assert status["state"] == "current"
    assert status["tree"] == status["head_tree"] == shared.tree()
    assert status["skipped"] == {"binary": 1}
    assert (status["files"], status["pending"], status["views"]) == (3, 0, ["worktree/"])
    assert status["history"] == {"commits": 2, "shallow": False, "limited": False, "problem": ""}
    listed = cli.json(shared.path, "status", "--skipped")
    check_shape(listed, {**STATUS, "skipped_files": [{"path": str, "reason": str}]})
    assert listed["skipped_files"] == [{"path": "picture.png", "reason": "binary"}]


def test_status_of_no_index_has_the_same_shape(cli: Cli, tmp_path: Path) -> None:
    status = cli.json(GitRepo.init(tmp_path / "new").path, "status", "--skipped")
    assert status.pop("skipped_files") == []
    check_shape(status, STATUS)
    assert (status["state"], status["tree"], status["head_tree"]) == ("missing", None, None)


def test_index_as_data(cli: Cli, repo: GitRepo) -> None:
    again = cli.json(repo.path, "index")
    check_shape(again, REPORT)
    assert (again["changed_files"], again["parsed_files"], again["embedded"]) == (0, 0, 0)
    repo.write("app/new.py", "def added() -> None: ...\n")
    repo.remove("vendor")
    head = repo.commit("Change")
    after = cli.json(repo.path, "index")
    check_shape(after, REPORT)
    assert (after["commit"], after["tree"], after["state"]) == (head, repo.tree(), "current")
    assert (after["parsed_files"], after["deleted_files"]) == (1, 1)
    rebuilt = cli.json(repo.path, "index", "--rebuild")
    assert (rebuilt["tree"], rebuilt["embedded"], rebuilt["pending"]) == (repo.tree(), 0, 0)


def test_init_as_data_names_the_hooks(cli: Cli, repo: GitRepo) -> None:
    made = cli.json(repo.path, "init")
    assert made["hooks"]
    check_shape({key: made[key] for key in REPORT}, REPORT)
    assert cli.json(repo.path, "init", "--no-hook")["hooks"] is None


def test_related_as_data(cli: Cli, shared: GitRepo) -> None:
    found = cli.json(shared.path, "related")
    check_shape(found, RELATED)
    assert found["focal"]["title"] == "views: show a session"
    assert found["focal"]["scope"] == "views"
    assert [file["path"] for file in found["focal"]["files"]] == ["app/views.py"]
    assert [item["symbol"] for item in found["focal"]["symbols"]] == ["show"]
    assert "app/store.py" in [hit["path"] for hit in found["hits"]]


def test_cache_gc_and_doctor_as_data(cli: Cli, repo: GitRepo, tmp_path: Path) -> None:
    file = str(tmp_path / "cache")
    written = cli.json(repo.path, "cache", "export", file)
    check_shape(written, CACHE)
    assert written["size_bytes"] == Path(file).stat().st_size
    taken = cli.json(repo.path, "cache", "import", file)
    check_shape(taken, CACHE)
    assert taken == written
    check_shape(cli.json(repo.path, "gc"), GC)
    findings = cli.json(repo.path, "doctor")
    check_shape(findings, DOCTOR)
    assert all(finding["ok"] for finding in findings["findings"])


def test_doctor_of_no_index_fails_with_the_same_shape(cli: Cli, tmp_path: Path) -> None:
    repo = GitRepo.init(tmp_path / "repo")
    repo.commit("Empty")
    answer = cli(repo.path, "doctor")
    assert answer.code == 1
    assert "BAD" in answer.out
    assert "sidelight init" in answer.out


# -- text -----------------------------------------------------------------------------------------


def test_hits_as_text(cli: Cli, shared: GitRepo) -> None:
    answer = cli(shared.path, "search", "find_session", "--path", "app/**", "--mode", "symbol")
    assert answer.code == 0
    assert answer.err == ""
    place, *lines = answer.out.splitlines()
    assert re.fullmatch(r"app/store\.py:\d+-\d+  SessionStore(\.find_session)?  \d\.\d{3}", place)
    assert lines
    assert all(line.startswith("    ") for line in lines)


def test_no_hits_are_said_on_stderr(cli: Cli, shared: GitRepo) -> None:
    answer = cli(shared.path, "search", "x", "--path", "nowhere/**")
    assert (answer.code, answer.out, answer.err) == (0, "", "nothing found\n")


def test_status_as_text(cli: Cli, shared: GitRepo) -> None:
    lines = cli(shared.path, "status", "--skipped").out.splitlines()
    assert lines[0] == f"current: the index equals HEAD ({shared.head()[:10]})"
    assert re.fullmatch(r"3 files, \d+ chunks, \d\.\d MB", lines[1])
    assert lines[2:] == [
        "  not indexed: 1 binary",
        "    picture.png: binary",
        "history: 2 commits",
    ]


def test_related_as_markdown(cli: Cli, shared: GitRepo) -> None:
    answer = cli(shared.path, "related", "--format", "markdown")
    assert answer.code == 0
    head, rule, *rows = answer.out.splitlines()
    assert (head, rule) == ("| where | why |", "|---|---|")
    assert rows
    assert all(re.fullmatch(r"\| `[^|`]+` ?(`[^`]+`)? \| .+ \|", row) for row in rows)


def test_explain_shows_every_signal(cli: Cli, shared: GitRepo) -> None:
    words = ["search", "find_session", "--path", "app/**"]
    hits = cli.json(shared.path, *words)["hits"]
    text = cli(shared.path, *words, "--explain").out
    told = re.findall(r"^    · (\w+): (.*) \((-?[\d.e-]+)\)$", text, re.MULTILINE)
    assert [(kind, detail) for kind, detail, _ in told] == [
        (reason["kind"], reason["detail"]) for hit in hits for reason in hit["reasons"]
    ]
    assert {"bm25", "dense", "symbol", "exact"} <= {kind for kind, _, _ in told}
    assert "·" not in cli(shared.path, *words).out


def test_copies_are_one_hit_that_lists_the_others(cli: Cli, shared: GitRepo) -> None:
    hits = cli.json(shared.path, "search", "find_session")["hits"]
    store = next(hit for hit in hits if hit["path"] == "app/store.py")
    assert store["alike"] == ["vendor/store.py"]
    assert "vendor/store.py" not in [hit["path"] for hit in hits]
    assert "    alike: vendor/store.py\n" in cli(shared.path, "search", "find_session").out


# -- an index that is behind ----------------------------------------------------------------------


def test_a_stale_index_answers_and_says_how_far_it_is_behind(cli: Cli, repo: GitRepo) -> None:
    for number in (1, 2):
        repo.write("app/late.py", f"def late_arrival(): return {number}\n")
        repo.commit("Late")
    found = cli.json(repo.path, "search", "find_session")
    assert (found["index"]["state"], found["index"]["behind"]) == ("stale", 2)
    assert found["hits"]
    answer = cli(repo.path, "search", "find_session")
    assert answer.err.splitlines() == [
        "note: HEAD is 2 commits ahead; --fresh or `sidelight index` brings the index up"
    ]
    status = cli(repo.path, "status")
    assert status.out.startswith("stale: HEAD is 2 commits ahead of the index\n")
    assert cli.json(repo.path, "status")["behind"] == 2
    assert cli.paths(repo.path, "late_arrival", "--mode", "symbol") == []
    assert cli.paths(repo.path, "late_arrival", "--mode", "symbol", "--fresh") == ["app/late.py"]
    assert cli.json(repo.path, "status")["state"] == "current"


def test_one_commit_behind_is_one_commit(cli: Cli, repo: GitRepo) -> None:
    repo.write("more.py", "more = 1\n")
    repo.commit("More")
    assert "HEAD is 1 commit ahead" in cli(repo.path, "search", "find_session").err
    assert "HEAD is 1 commit ahead" in cli(repo.path, "status").out


def test_another_revision_is_searched_under_its_name(cli: Cli, repo: GitRepo) -> None:
    assert "--rev HEAD~1" in cli.fails(repo.path, "search", "x", "--rev", "HEAD~1", code=1).hint
    assert cli.json(repo.path, "index", "--rev", "HEAD~1")["view"] == "rev/HEAD~1"
    words = ["search", "show", "--mode", "symbol"]
    assert cli.json(repo.path, *words)["hits"]
    old = cli.json(repo.path, *words, "--rev", "HEAD~1")
    assert (old["hits"], old["index"]["tree"]) == ([], repo.tree("HEAD~1"))
    assert "other revisions: HEAD~1" in cli(repo.path, "status").out
    assert cli(repo.path, "gc", "--drop-rev", "HEAD~1").code == 0
    cli.fails(repo.path, *words, "--rev", "HEAD~1", code=1)
    assert cli(repo.path, "gc", "--drop-rev", "HEAD~1").code == 2


# -- processes ------------------------------------------------------------------------------------


def test_without_a_terminal_nothing_is_coloured(shared: GitRepo) -> None:
    with running(shared.path, "search", "find_session", stdout=subprocess.PIPE) as process:
        out, err = process.communicate()
    assert process.returncode == 0
    assert b"\x1b" not in out + err


@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}], ids=["colours", "none"])
def test_no_color_is_honoured_on_a_terminal(shared: GitRepo, variables: dict[str, str]) -> None:
    ours, theirs = os.openpty()
    env = {**os.environ, "TERM": "xterm", **variables}
    words = ["search", "show", "--mode", "symbol"]
    with running(shared.path, *words, stdout=theirs, env=env) as process:
        process.communicate()
    os.close(theirs)
    printed = os.read(ours, 65536)
    os.close(ours)
    assert process.returncode == 0
    assert b"app/views.py" in printed
    assert (b"\x1b[" in printed) == (not variables)


@pytest.mark.parametrize("words", [["search", "show", "--mode", "symbol"], ["status"], ["-h"]])
def test_a_closed_pipe_is_no_failure(shared: GitRepo, words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with running(shared.path, *words, stdout=writer) as process:
        os.close(writer)
        _, err = process.communicate()
    assert (process.returncode, err) == (0, b"")


def test_the_first_line_may_be_all_that_is_read(shared: GitRepo) -> None:
    with running(shared.path, "search", "find_session", stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"app/")
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_an_interrupt_is_130_in_one_line(shared: GitRepo) -> None:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    # A test run that was started in the background ignores SIGINT; children would inherit that.
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with running(shared.path, "search", "-", **pipes) as process:
            assert process.stdin is not None
            process.stdin.write(b"x" * 500_000)  # more than a pipe holds, so it is being read
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
    finally:
        signal.signal(signal.SIGINT, former)
    assert process.returncode == 130
    assert out == b""
    assert [line for line in err.splitlines() if line.strip()] == [
        b"error: interrupted",
        b"hint: what was done so far is kept",
    ]


def test_a_bug_of_ours_leaves_a_log(
    cli: Cli, shared: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(COMMANDS, "broken", ("cli.broken", "broken_command"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    answer = cli.fails(shared.path, "broken", code=3)
    assert "KeyError" in answer.error
    (log,) = tmp_path.glob("sidelight-*.log")
    assert str(log) in answer.hint
    assert "Traceback" in log.read_text()
    assert "broken.py" in log.read_text()


def test_every_command_has_a_help(
    cli: Cli, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in COMMANDS:
        answer = cli(tmp_path, name, "-h")
        assert answer.code == 0
        assert answer.out.startswith(f"Usage: sidelight {name}")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("sidelight, version ")
