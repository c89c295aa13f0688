"""Jobs for changes: opened, updated, drafts, forks, late runs, and everything that goes wrong."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from helpers.githubdouble import payloads
from helpers.githubdouble.faults import Meanwhile, secondary_limit, server_error
from helpers.githubdouble.jobs import Lab, Shop
from helpers.githubdouble.server import READ_ONLY, TOKEN, GitHubDouble
from helpers.githubdouble.state import BOT, Pull
from sidelight.errors import SidelightError
from sidelight_bot.comment import read_marker
from sidelight_bot.github.port import InlineNote, PostedReview
from sidelight_bot.model import Side
from sidelight_bot.outcome import Outcome
from sidelight_bot.ports import Reviewed
from sidelight_bot.report import from_json

MAX_REQUESTS = 12


@pytest.fixture
def lab(shop: Shop, tmp_path: Path) -> Iterator[Lab]:
    with GitHubDouble(shop.origin(tmp_path), prefix="/api/v3") as double:
        yield Lab.make(tmp_path, double)


def opened(lab: Lab, pull: Pull, action: str = "opened", **inputs: str) -> Outcome:
    return lab.run("pull_request", payloads.pull_request(lab.hub, pull, action), **inputs)


def pushed(lab: Lab, pull: Pull, path: str = "shop.py", text: str = "# new\n") -> str:
    """Return the new head of a pull request, which the checkout has as well."""
    origin = lab.double.repo
    origin.switch("topic")
    origin.write(path, text)
    head = origin.commit("more")
    origin.switch("main")
    lab.hub.push(pull, head)
    return head


def bodies(lab: Lab) -> list[str]:
    return [item.body for item in lab.hub.conversation(1)]


def test_an_opened_pull_request_gets_one_comment(lab: Lab) -> None:
    outcome = opened(lab, lab.hub.open_pull(lab.head, author="ada"))
    (comment,) = lab.hub.conversation(1)
    assert comment.author.login == BOT
    assert "shop.py:13" in comment.body
    mark = read_marker(comment.body)
    assert mark is not None
    assert mark.head == lab.head
    assert outcome.comment_url.endswith(f"#issuecomment-{comment.id}")
    assert outcome.problems == []
    assert len(lab.double.requests) <= MAX_REQUESTS
    assert lab.double.writes() == ["POST /repos/octo/demo/issues/1/comments"]


def test_the_outputs_are_those_of_the_action(lab: Lab) -> None:
    shutil.rmtree(lab.workspace.path / ".git" / "sidelight")  # a cold start
    outcome = opened(lab, lab.hub.open_pull(lab.head))
    outputs = lab.outputs()
    assert set(outputs) == {
        "comment-url",
        "result",
        "related",
        "notes",
        "index-state",
        "cache-hit",
        "files-reindexed",
    }
    assert outputs["related"] == str(outcome.n_related)
    assert outputs["index-state"] == "current"
    assert int(outputs["files-reindexed"]) > 0
    report = from_json(Path(outputs["result"]).read_bytes())
    assert (report.repo, report.number, report.head) == ("octo/demo", 1, lab.head)


def test_a_new_head_updates_the_comment_in_place(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    for n in range(35):
        lab.hub.say(1, "ada", f"comment {n}")
    opened(lab, pull)
    for n in range(120):
        lab.hub.say(1, "eve", f"later {n}")
    head = pushed(lab, pull)
    lab.double.requests.clear()
    outcome = opened(lab, pull, "synchronize")
    mine = [item for item in lab.hub.conversation(1) if item.author.login == BOT]
    assert len(mine) == 1
    assert mine[0].edits == 1
    assert f"head={head}" in mine[0].body
    assert outcome.log[-2] == "the comment is updated"
    assert len(lab.double.requests) <= MAX_REQUESTS


def test_the_same_head_again_writes_nothing_new(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    opened(lab, pull)
    before = bodies(lab)
    opened(lab, pull, "reopened", GITHUB_RUN_NUMBER="1", GITHUB_RUN_ATTEMPT="1")
    (comment,) = lab.hub.conversation(1)
    text = [line for line in comment.body.splitlines() if not line.startswith("<sub>")]
    assert text == [line for line in before[0].splitlines() if not line.startswith("<sub>")]


def test_an_older_run_does_not_set_the_comment_back(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    late = payloads.pull_request(lab.hub, pull)
    pushed(lab, pull)
    opened(lab, pull, "synchronize", GITHUB_RUN_NUMBER="8")
    before = bodies(lab)
    outcome = lab.run("pull_request", late, GITHUB_RUN_NUMBER="7")
    assert bodies(lab) == before
    assert "the comment is outdated" in outcome.log


def test_a_rerun_of_an_older_run_sees_the_newer_mark(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    opened(lab, pull, GITHUB_RUN_NUMBER="8")
    before = bodies(lab)
    opened(lab, pull, "reopened", GITHUB_RUN_NUMBER="7", GITHUB_RUN_ATTEMPT="3")
    assert bodies(lab) == before


def test_a_head_that_moves_in_mid_run_is_left_to_the_next_run(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    lab.double.meanwhile.append(Meanwhile("GET", "pulls/1$", lambda: pushed(lab, pull) and None))
    outcome = opened(lab, pull)
    assert bodies(lab) == []
    assert "the comment is outdated" in outcome.log


def test_a_comment_deleted_in_mid_run_is_written_anew(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    opened(lab, pull)
    (first,) = lab.hub.conversation(1)
    pushed(lab, pull)
    lab.double.meanwhile.append(Meanwhile("PATCH", "comments", lambda: lab.hub.delete(first.id)))
    opened(lab, pull, "synchronize")
    (second,) = lab.hub.conversation(1)
    assert second.id != first.id


def test_somebody_elses_mark_is_not_ours(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    forged = f"<!-- sidelight:v1 head={lab.head} run=999999999 -->\nAll is well."
    lab.hub.say(1, "mallory", forged)
    opened(lab, pull)
    theirs, mine = lab.hub.conversation(1)
    assert theirs.body == forged
    assert mine.author.login == BOT


@pytest.mark.parametrize(("field", "value"), [("draft", True), ("state", "closed")])
def test_drafts_and_closed_ones_are_left_alone(lab: Lab, field: str, value: object) -> None:
    pull = lab.hub.open_pull(lab.head, **{field: value})
    outcome = opened(lab, pull)
    assert lab.double.requests == []
    assert outcome.problems == []
    assert "Sidelight:" in lab.left("summary.md")


def test_a_draft_that_becomes_ready_is_reviewed(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    opened(lab, pull, "ready_for_review")
    assert len(bodies(lab)) == 1


def test_nothing_worth_saying_is_not_said(lab: Lab) -> None:
    origin = lab.double.repo
    origin.switch("quiet", "-c")
    origin.write("LICENSE", "Do as you like.\n")
    head = origin.commit("Add a licence")
    origin.switch("main")
    outcome = opened(lab, lab.hub.open_pull(head))
    assert bodies(lab) == []
    assert "the comment is silent" in outcome.log
    opened(lab, lab.hub.pulls[1], SIDELIGHT_COMMENT="always")
    assert len(bodies(lab)) == 1


def test_a_reason_that_is_gone_leaves_no_stale_comment(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    opened(lab, pull)
    assert "shop.py:13" in bodies(lab)[0]
    store = lab.double.repo.git("show", "main:store.py") + "\n"
    head = pushed(lab, pull, "store.py", store)
    opened(lab, pull, "synchronize")
    (body,) = bodies(lab)
    assert f"head={head}" in body
    assert "shop.py:13" not in body


def test_never_means_the_summary_only(lab: Lab) -> None:
    outcome = opened(lab, lab.hub.open_pull(lab.head), SIDELIGHT_COMMENT="never")
    assert lab.double.requests == []
    assert "shop.py:13" in lab.left("summary.md")
    assert outcome.result is not None


# -- forks ------------------------------------------------------------------------------------


def fork_job(lab: Lab, **more: object) -> tuple[Pull, Outcome]:
    pull = lab.hub.open_pull(lab.head, author="eve", fork="eve", **more)  # type: ignore[arg-type]
    return pull, opened(lab, pull, GITHUB_TOKEN=READ_ONLY, GITHUB_RUN_NUMBER="5")


def publish(lab: Lab, pull: Pull, result: Path, **more: object) -> Outcome:
    payload = payloads.workflow_run(lab.hub, pull, **more)  # type: ignore[arg-type]
    return lab.run("workflow_run", payload, SIDELIGHT_RESULT=str(result))


def test_a_fork_leaves_a_result_a_summary_and_annotations(lab: Lab) -> None:
    _, outcome = fork_job(lab)
    assert bodies(lab) == []
    assert outcome.problems == []
    assert outcome.result is not None
    assert "shop.py:13" in lab.left("summary.md")
    assert any(line.startswith("::warning file=store.py,line=") for line in outcome.commands)


def test_a_forks_result_is_published(lab: Lab) -> None:
    pull, outcome = fork_job(lab)
    assert outcome.result is not None
    lab.double.requests.clear()
    published = publish(lab, pull, outcome.result)
    (body,) = bodies(lab)
    assert "shop.py:13" in body
    assert published.comment_url
    assert len(lab.double.requests) <= 4
    mark = read_marker(body)
    assert mark is not None
    assert mark.run == 501  # run 5, attempt 1: the fork's run, not the publishing one


@pytest.fixture(scope="module")
def fork(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Lab, Pull, bytes]]:
    """Yield a job's surroundings, a fork's pull request and the result that its run left."""
    folder = tmp_path_factory.mktemp("fork")
    with GitHubDouble(shop.origin(folder)) as double:
        lab = Lab.make(folder, double)
        pull, outcome = fork_job(lab)
        assert outcome.result is not None
        lab.hub.open_pull(lab.head, author="ada")  # number 2, of the same commit
        yield lab, pull, outcome.result.read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        {"repo": "octo/other"},
        {"head": "a" * 40},
        {"number": 2},
        {"number": None},
        {"number": 99},
        {"version": 99},
        {"title": "x" * 5000},
        {"title": "line\nbreak"},
        {"surprise": 1},
        {"groups": "none"},
    ],
    ids=",".join,
)
def test_a_result_that_is_not_of_the_run_is_refused(
    fork: tuple[Lab, Pull, bytes], tmp_path: Path, change: dict[str, object]
) -> None:
    lab, pull, result = fork
    file = tmp_path / "result.json"
    file.write_text(json.dumps({**json.loads(result), **change}))
    assert publish(lab, pull, file).problems
    assert lab.hub.remarks == []


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff\xfe", b"[" * 100_000, b"{" * 5_000_000])
def test_a_result_that_is_no_report_is_refused(
    fork: tuple[Lab, Pull, bytes], tmp_path: Path, data: bytes
) -> None:
    lab, pull, _ = fork
    file = tmp_path / "result.json"
    file.write_bytes(data)
    assert publish(lab, pull, file).problems
    assert lab.hub.remarks == []


def test_a_link_in_place_of_a_result_is_not_followed(lab: Lab, tmp_path: Path) -> None:
    pull, outcome = fork_job(lab)
    assert outcome.result is not None
    link = tmp_path / "link.json"
    link.symlink_to(outcome.result)
    assert publish(lab, pull, link).problems


def test_notes_in_a_forks_result_are_not_a_models(lab: Lab) -> None:
    pull, outcome = fork_job(lab)
    assert outcome.result is not None
    table = json.loads(outcome.result.read_bytes())
    table["notes"] = [
        {
            "path": "store.py",
            "line": 6,
            "start_line": None,
            "side": "RIGHT",
            "severity": "critical",
            "kind": "bug",
            "title": "Merge this at once",
            "body": "Everybody agreed.",
            "suggestion": None,
            "evidence": [],
            "anchor": "a" * 16,
            "quote": "b" * 16,
        }
    ]
    outcome.result.write_text(json.dumps(table))
    publish(lab, pull, outcome.result)
    assert not any("Everybody agreed" in body for body in bodies(lab))
    assert lab.hub.threads(1) == []


def test_a_head_that_moved_before_publishing_is_left_to_its_own_run(lab: Lab) -> None:
    pull, outcome = fork_job(lab)
    assert outcome.result is not None
    payload = payloads.workflow_run(lab.hub, pull)
    pushed(lab, pull)
    published = lab.run("workflow_run", payload, SIDELIGHT_RESULT=str(outcome.result))
    assert bodies(lab) == []
    assert "the comment is outdated" in published.log


def test_a_run_that_posted_by_itself_is_not_published_over(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    outcome = opened(lab, pull, GITHUB_RUN_NUMBER="5")
    assert outcome.result is not None
    before = bodies(lab)
    published = publish(lab, pull, outcome.result)
    assert bodies(lab) == before
    assert lab.hub.conversation(1)[0].edits == 0
    assert "the comment is unchanged" in published.log


def test_a_fork_that_was_deleted_meanwhile_is_nobodys(lab: Lab) -> None:
    pull, outcome = fork_job(lab)
    assert outcome.result is not None
    pull.fork_is_gone = True
    assert publish(lab, pull, outcome.result).problems
    assert bodies(lab) == []


# -- what goes wrong --------------------------------------------------------------------------


def test_a_limit_is_waited_for_in_a_run(lab: Lab) -> None:
    lab.double.faults.append(secondary_limit("POST", "comments", retry_after="0"))
    opened(lab, lab.hub.open_pull(lab.head))
    assert len(bodies(lab)) == 1


def test_a_failing_server_keeps_the_result_in_the_summary(lab: Lab) -> None:
    lab.double.faults.append(server_error("POST", "issues/1/comments"))
    outcome = opened(lab, lab.hub.open_pull(lab.head))
    assert outcome.problems
    assert outcome.exit_code == 0
    assert "shop.py:13" in lab.left("summary.md")


def test_fail_on_error_makes_the_job_fail(lab: Lab) -> None:
    lab.double.faults.append(server_error("POST", "issues/1/comments"))
    pull = lab.hub.open_pull(lab.head)
    assert opened(lab, pull, SIDELIGHT_FAIL_ON="error").exit_code == 1


def test_a_payload_that_is_none_fails_the_job(lab: Lab) -> None:
    outcome = lab.run("pull_request", {"action": "opened"})
    assert outcome.exit_code == 1
    assert "payload.repository is missing" in outcome.problems[0]


def test_another_repositorys_event_is_refused(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    outcome = opened(lab, pull, GITHUB_REPOSITORY="octo/other")
    assert outcome.exit_code == 1
    assert lab.double.requests == []


def test_a_failing_model_leaves_the_retrieval_comment(lab: Lab) -> None:
    def fails(*_: object) -> Reviewed:
        raise SidelightError("the model is on fire")

    lab.change_ports = lambda ports: replace(ports, review=fails)
    outcome = opened(lab, lab.hub.open_pull(lab.head))
    assert len(bodies(lab)) == 1
    assert "notes: the model is on fire" in outcome.log


def test_notes_that_github_refuses_do_not_cost_the_comment(lab: Lab) -> None:
    refused = InlineNote("store.py", 1, Side.RIGHT, "x")
    lab.change_ports = lambda ports: replace(
        ports, post_notes=lambda *_: PostedReview((), (refused,))
    )
    opened(lab, lab.hub.open_pull(lab.head))
    assert len(bodies(lab)) == 1


def test_a_branch_without_a_common_ancestor_says_so(lab: Lab) -> None:
    origin = lab.double.repo
    head = origin.git("commit-tree", "-m", "lonely", origin.tree("topic"))
    origin.git("update-ref", "refs/heads/lonely", head)
    outcome = opened(lab, lab.hub.open_pull(head), SIDELIGHT_COMMENT="always")
    assert outcome.problems == []
    (body,) = bodies(lab)
    assert "common" in body or "merge base" in body
    assert "store.py" in body  # the server's list of files stands in for git's
    assert outcome.n_related == 0


def test_a_change_of_more_files_than_github_shows_is_read_from_git(lab: Lab) -> None:
    origin = lab.double.repo
    origin.switch("topic")
    for n in range(301):
        origin.write(f"data/{n:03}.txt", "x\n")
    head = origin.commit("Add data")
    origin.switch("main")
    pull = lab.hub.open_pull(head)
    asked = {"accept": "application/vnd.github.diff", "authorization": f"Bearer {TOKEN}"}
    answer = lab.double.handle("GET", "/api/v3/repos/octo/demo/pulls/1", asked, b"")
    assert answer[0] == 406
    lab.double.requests.clear()
    opened(lab, pull)
    assert "shop.py:13" in bodies(lab)[0]
    assert len(lab.double.requests) == 3


# -- where the commits come from --------------------------------------------------------------


def test_a_shallow_checkout_is_deepened_to_the_merge_base(shop: Shop, tmp_path: Path) -> None:
    repo = shop.origin(tmp_path)
    shutil.rmtree(tmp_path / "workspace")
    for n in range(60):
        repo.write("log.txt", f"{n}\n")
        repo.commit(f"main {n}")
    with GitHubDouble(repo) as double:
        lab = Lab.make(tmp_path, double, "--depth=1")
        pull = double.hub.open_pull(lab.head)
        outcome = lab.run("pull_request", payloads.pull_request(double.hub, pull))
        assert outcome.problems == []
        assert "shop.py:13" in double.hub.conversation(1)[0].body


def test_no_remote_is_needed_when_all_is_here(lab: Lab) -> None:
    lab.workspace.git("fetch", "-q", "origin", "refs/pull/*:refs/pull/*")
    pull = lab.hub.open_pull(lab.head)
    lab.workspace.git("fetch", "-q", "origin", "topic")
    lab.workspace.git("remote", "remove", "origin")
    outcome = opened(lab, pull)
    assert outcome.problems == []
    assert len(bodies(lab)) == 1


def test_a_head_that_is_not_to_be_had_is_a_problem_not_a_crash(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    payload = payloads.pull_request(lab.hub, pull)
    payload["pull_request"]["head"]["sha"] = "a" * 40
    outcome = lab.run("pull_request", payload)
    assert outcome.problems
    assert outcome.exit_code == 0


def test_the_checkout_is_not_touched(lab: Lab) -> None:
    before = lab.workspace.git("status", "--porcelain", "--branch"), lab.workspace.head()
    opened(lab, lab.hub.open_pull(lab.head))
    assert (lab.workspace.git("status", "--porcelain", "--branch"), lab.workspace.head()) == before


def test_the_heads_configuration_counts_for_nothing(lab: Lab) -> None:
    pull = lab.hub.open_pull(lab.head)
    pushed(lab, pull, ".sidelight.toml", '[index]\nexclude = ["**"]\n')
    lab.workspace.write(".sidelight.toml", "not even toml [")
    lab.workspace.write(".gitattributes", "* linguist-generated\n")
    outcome = opened(lab, pull, "synchronize")
    assert outcome.problems == []
    assert "shop.py:13" in bodies(lab)[0]


def test_the_summary_tells_cache_files_and_seconds(lab: Lab) -> None:
    opened(lab, lab.hub.open_pull(lab.head))
    text = lab.left("summary.md")
    assert "cache miss" in text
    assert "files refreshed" in text
    for stage in ("base", "head", "vectors", "related"):
        assert re.search(rf"\b{stage} \d+\.\d s", text), stage


def test_a_result_that_cannot_be_written_is_a_problem(lab: Lab) -> None:
    blocked = lab.folder / "file"
    blocked.write_text("x")
    outcome = opened(lab, lab.hub.open_pull(lab.head), SIDELIGHT_RESULT=str(blocked / "result"))
    assert "cannot be written" in outcome.problems[0]


def test_a_push_is_indexed(lab: Lab) -> None:
    head = lab.workspace.head()
    outcome = lab.run("push", payloads.push(lab.hub, head))
    assert outcome.problems == []
    assert outcome.index is not None
    assert outcome.index.state == "current"
    assert lab.double.requests == []
