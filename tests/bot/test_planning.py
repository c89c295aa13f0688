"""What is done about an event, by mode, state and permission."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sidelight_bot.events import (
    CommentMade,
    DefaultBranchPushed,
    Event,
    Ignored,
    PullRequestChanged,
    RunCompleted,
)
from sidelight_bot.model import Comment, Permission, PullRequest, Repo, ReviewThread, Side
from sidelight_bot.planning import (
    Acknowledge,
    AnswerCommands,
    IndexBranch,
    PublishRun,
    ReviewPull,
    asker,
    plan_event,
)
from sidelight_bot.settings import Mode, Settings

REPO = Repo("octo", "demo")
PULL = PullRequest(
    number=7,
    title="A change",
    body="",
    author="eve",
    draft=False,
    state="open",
    base_sha="a" * 40,
    head_sha="b" * 40,
    base_ref="main",
    head_repo=REPO,
    is_fork=False,
    url="",
)
RUN = RunCompleted(REPO, 1, 2, 1, "b" * 40, REPO, "pull_request", "success", ())
PUSH = DefaultBranchPushed(REPO, "a" * 40)


def changed(**more: object) -> PullRequestChanged:
    return PullRequestChanged(REPO, "opened", replace(PULL, **more))  # type: ignore[arg-type]


def said(body: str, *, is_open: bool = True, association: str = "NONE") -> CommentMade:
    comment = Comment(99, "eve", "User", body, "", "", association)
    return CommentMade(REPO, 7, comment, is_open)


def test_a_change_is_reviewed() -> None:
    assert plan_event(changed(), Settings()).steps == (ReviewPull(7, PULL),)


def test_drafts_and_closed_pull_requests_are_left_alone_and_the_reason_is_told() -> None:
    for event in (changed(draft=True), changed(state="closed")):
        plan = plan_event(event, Settings())
        assert plan.steps == ()
        assert plan.reason


def test_a_push_is_indexed_and_a_run_published() -> None:
    assert plan_event(PUSH, Settings()).steps == (IndexBranch("a" * 40),)
    assert plan_event(RUN, Settings()).steps == (PublishRun(RUN),)


@pytest.mark.parametrize(
    ("mode", "event"),
    [
        (Mode.INDEX, changed()),
        (Mode.ASK, changed()),
        (Mode.REVIEW, PUSH),
        (Mode.PUBLISH, PUSH),
        (Mode.INDEX, RUN),
        (Mode.INDEX, said("/help")),
    ],
)
def test_a_mode_acts_on_its_events_only(mode: Mode, event: Event) -> None:
    plan = plan_event(event, Settings(mode=mode), Permission.ADMIN)
    assert plan.steps == ()
    assert mode.value in plan.reason


def test_commands_are_acknowledged_before_they_are_answered() -> None:
    event = said("/ask why?")
    first, second = plan_event(event, Settings(), Permission.WRITE).steps
    assert first == Acknowledge(99, in_thread=False)
    assert isinstance(second, AnswerCommands)


def test_a_thread_is_acknowledged_in_the_thread() -> None:
    thread = ReviewThread("a.py", 1, Side.RIGHT, "@@", 5)
    event = replace(said("/ask why?"), thread=thread, pull=PULL)
    assert plan_event(event, Settings(), Permission.WRITE).steps[0] == Acknowledge(
        99, in_thread=True
    )


@pytest.mark.parametrize("permission", [None, Permission.NONE, Permission.READ, Permission.TRIAGE])
def test_without_the_permission_nothing_is_done(permission: Permission | None) -> None:
    plan = plan_event(said("/ask why?\n/review"), Settings(), permission)
    assert plan.steps == ()
    assert "permission" in plan.reason


def test_the_least_permission_can_be_set() -> None:
    event = said("/help")
    assert plan_event(event, Settings(min_permission=Permission.READ), Permission.READ).steps
    assert not plan_event(event, Settings(min_permission=Permission.ADMIN), Permission.WRITE).steps


def test_a_review_is_done_before_it_is_answered_on_drafts_too() -> None:
    event = replace(said("/review"), pull=replace(PULL, draft=True))
    kinds = [type(step) for step in plan_event(event, Settings(), Permission.ADMIN).steps]
    assert kinds == [Acknowledge, ReviewPull, AnswerCommands]


def test_closed_pull_requests_are_answered_but_not_reviewed() -> None:
    plan = plan_event(said("/review\n/ask why?", is_open=False), Settings(), Permission.WRITE)
    assert [type(step) for step in plan.steps] == [Acknowledge, AnswerCommands]


def test_nobody_is_asked_for_when_there_is_no_command() -> None:
    assert asker(said("Nice work"), Settings()) is None
    assert asker(said("> /ask quoted"), Settings()) is None
    assert asker(changed(), Settings()) is None
    assert asker(Ignored("why"), Settings()) is None
    assert asker(said("/ask why?"), Settings()) == "eve"


def test_an_imported_account_is_nobody() -> None:
    event = said("/ask why?", association="MANNEQUIN")
    assert asker(event, Settings()) is None
    assert plan_event(event, Settings(), None).steps == ()


def test_mode_review_answers_reviews_only() -> None:
    settings = Settings(mode=Mode.REVIEW)
    assert plan_event(said("/ask why?"), settings, Permission.ADMIN).steps == ()
    assert plan_event(said("/review"), settings, Permission.ADMIN).steps


def test_what_is_ignored_has_its_reason() -> None:
    assert plan_event(Ignored("because"), Settings()).reason == "because"
