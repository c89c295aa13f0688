"""From a webhook payload to an event. Pure: nothing is asked, nothing is decided but relevance.

A payload that is not what GitHub documents raises `PayloadError`; one that does not concern the
bot is `Ignored`, with the reason that the log shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sidelight_bot.model import Comment, PullRequest, Repo, ReviewThread, Side
from sidelight_bot.payload import Fields, PayloadError, read_comment, read_pull, read_repo
from sidelight_bot.sticky import is_ours

REVIEWED_ACTIONS = ("opened", "synchronize", "reopened", "ready_for_review")


@dataclass(frozen=True, slots=True)
class PullRequestChanged:
    """A pull request has new content, or became ready: something to review."""

    repo: Repo
    action: str
    pull: PullRequest


@dataclass(frozen=True, slots=True)
class CommentMade:
    """Somebody wrote in a pull request: in its conversation, or in a review thread.

    The conversation's event does not tell the commits: `pull` is then None. `is_open` is known
    either way.
    """

    repo: Repo
    number: int
    comment: Comment
    is_open: bool
    pull: PullRequest | None = None
    thread: ReviewThread | None = None


@dataclass(frozen=True, slots=True)
class DefaultBranchPushed:
    """The default branch (or, on request, a branch) shows another commit: something to index."""

    repo: Repo
    commit: str | None  # None: what is checked out


@dataclass(frozen=True, slots=True)
class RunCompleted:
    """Another workflow's run for a pull request is over: its result may be published.

    `pull_numbers` is empty for forks: GitHub does not tell.
    """

    repo: Repo
    run_id: int
    run_number: int
    run_attempt: int
    head_sha: str
    head_repo: Repo | None
    event: str
    conclusion: str
    pull_numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing for the bot, and why."""

    reason: str


Event = PullRequestChanged | CommentMade | DefaultBranchPushed | RunCompleted | Ignored


def parse_event(name: str, payload: object) -> Event:
    """Return the event that a payload of `GITHUB_EVENT_NAME` tells.

    Raises:
        PayloadError: the payload lacks what GitHub documents for this event.
    """
    parser = _PARSERS.get(name)
    if parser is None:
        return Ignored(f"the event {name[:60]!r} is not one the bot acts on")
    return parser(Fields.of(payload, "payload"))


def _pull_request(payload: Fields) -> Event:
    action = payload.text("action")
    if action not in REVIEWED_ACTIONS:
        return Ignored(f"pull_request {action[:40]}: nothing new to read")
    return PullRequestChanged(
        read_repo(payload.table("repository")), action, read_pull(payload.table("pull_request"))
    )


def _issue_comment(payload: Fields) -> Event:
    issue = payload.table("issue")
    if not issue.has("pull_request"):
        return Ignored("the comment is on an issue, not on a pull request")
    comment = read_comment(payload.table("comment"))
    ignored = _not_for_us(payload, comment)
    if ignored:
        return ignored
    return CommentMade(
        repo=read_repo(payload.table("repository")),
        number=issue.whole("number"),
        comment=comment,
        is_open=issue.text("state") == "open",
    )


def _review_comment(payload: Fields) -> Event:
    table = payload.table("comment")
    comment = read_comment(table)
    ignored = _not_for_us(payload, comment)
    if ignored:
        return ignored
    pull = read_pull(payload.table("pull_request"))
    return CommentMade(
        repo=read_repo(payload.table("repository")),
        number=pull.number,
        comment=comment,
        is_open=pull.is_open,
        pull=pull,
        thread=read_thread(table),
    )


def read_thread(table: Fields) -> ReviewThread:
    """Return the thread that a review comment belongs to.

    A reply carries its thread's place and hunk itself; an outdated one has no line any more, and
    its original line is one of an older commit: it is not taken for today's.
    """
    side = table.text_or("side", Side.RIGHT)
    return ReviewThread(
        path=table.text("path"),
        line=table.whole_or_none("line"),
        side=Side.LEFT if side == Side.LEFT else Side.RIGHT,
        hunk=table.text_or("diff_hunk"),
        top_comment_id=table.whole_or_none("in_reply_to_id") or table.whole("id"),
        start_line=table.whole_or_none("start_line"),
        commit_sha=table.text_or("commit_id"),
    )


def _not_for_us(payload: Fields, comment: Comment) -> Ignored | None:
    action = payload.text("action")
    if action != "created":
        return Ignored(f"the comment was {action[:40]}: only new ones are read")
    if comment.is_bot:
        return Ignored("a bot wrote the comment")
    if is_ours(comment.body):
        return Ignored("the comment carries the bot's own marker")
    return None


def _push(payload: Fields) -> Event:
    repository = payload.table("repository")
    branch = repository.text("default_branch")
    ref = payload.text("ref")
    if ref != f"refs/heads/{branch}":
        return Ignored("the push is not to the default branch")
    if payload.flag("deleted"):
        return Ignored("the branch was deleted")
    return DefaultBranchPushed(read_repo(repository), payload.sha("after"))


def _asked_for(payload: Fields) -> Event:
    return DefaultBranchPushed(read_repo(payload.table("repository")), None)


def _workflow_run(payload: Fields) -> Event:
    action = payload.text("action")
    if action != "completed":
        return Ignored(f"workflow_run {action[:40]}: not over yet")
    run = payload.table("workflow_run")
    if run.text("event") != "pull_request":
        return Ignored("the run was not one of a pull request")
    head = run.table_or_none("head_repository")
    return RunCompleted(
        repo=read_repo(payload.table("repository")),
        run_id=run.whole("id"),
        run_number=run.whole("run_number"),
        run_attempt=run.whole_or_none("run_attempt") or 1,
        head_sha=run.sha("head_sha"),
        head_repo=read_repo(head) if head else None,
        event=run.text("event"),
        conclusion=run.text_or("conclusion"),
        pull_numbers=_numbers(run),
    )


def _numbers(run: Fields) -> tuple[int, ...]:
    if not run.has("pull_requests"):
        return ()
    return tuple(pull.whole("number") for pull in run.tables("pull_requests"))


_PARSERS: Mapping[str, Callable[[Fields], Event]] = {
    "pull_request": _pull_request,
    "pull_request_target": _pull_request,
    "issue_comment": _issue_comment,
    "pull_request_review_comment": _review_comment,
    "push": _push,
    "schedule": _asked_for,
    "workflow_dispatch": _asked_for,
    "workflow_run": _workflow_run,
}

__all__ = [
    "CommentMade",
    "DefaultBranchPushed",
    "Event",
    "Ignored",
    "PayloadError",
    "PullRequestChanged",
    "RunCompleted",
    "parse_event",
    "read_thread",
]
