"""From an event to what the bot does. Pure: the permission is asked by the caller, if at all.

login = asker(event, settings)                       # None: nobody's permission matters
permission = port.permission(login) if login else None
plan = plan_event(event, settings, permission)
"""

from __future__ import annotations

from dataclasses import dataclass

from sidelight_bot.commands import BadCommand, Command, CommandName, parse_commands
from sidelight_bot.events import (
    CommentMade,
    DefaultBranchPushed,
    Event,
    Ignored,
    PullRequestChanged,
    RunCompleted,
)
from sidelight_bot.model import Permission, PullRequest
from sidelight_bot.settings import Mode, Settings

# Accounts of an import from elsewhere: nobody can sign in as one, so none can ask.
_NOBODY = frozenset({"MANNEQUIN"})


@dataclass(frozen=True, slots=True)
class IndexBranch:
    """Index a commit of the default branch (None: what is checked out), for the cache."""

    commit: str | None


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """React with 👀 to the comment that asked."""

    comment_id: int
    in_thread: bool


@dataclass(frozen=True, slots=True)
class ReviewPull:
    """Read the change, and post or update the sticky comment and the notes.

    `pull` is None when the event does not tell the commits. `asked`: somebody wants it now.
    """

    number: int
    pull: PullRequest | None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class AnswerCommands:
    """Answer, in one reply where they were given."""

    event: CommentMade
    commands: tuple[Command | BadCommand, ...]


@dataclass(frozen=True, slots=True)
class PublishRun:
    """Post what a run without the right to write has found."""

    event: RunCompleted


Step = IndexBranch | Acknowledge | ReviewPull | AnswerCommands | PublishRun


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps in order; none: `reason` tells why."""

    steps: tuple[Step, ...] = ()
    reason: str = ""


def asker(event: Event, settings: Settings) -> str | None:
    """Return whose permission has to be known before `plan_event`; None if nobody's."""
    if not isinstance(event, CommentMade) or _commands_of(event, settings) == ():
        return None
    if event.comment.association.upper() in _NOBODY:
        return None
    return event.comment.author


def plan_event(event: Event, settings: Settings, permission: Permission | None = None) -> Plan:
    """Return what is done about an event; commands need the `permission` of who gave them."""
    if isinstance(event, Ignored):
        return Plan(reason=event.reason)
    if settings.mode not in {Mode.AUTO, *_MODES[type(event)]}:
        return Plan(reason=f"mode {settings.mode.value} does not act on this event")
    if isinstance(event, DefaultBranchPushed):
        return Plan((IndexBranch(event.commit),))
    if isinstance(event, RunCompleted):
        return Plan((PublishRun(event),))
    if isinstance(event, PullRequestChanged):
        return _plan_change(event)
    return _plan_comment(event, settings, permission)


def _plan_change(event: PullRequestChanged) -> Plan:
    if not event.pull.is_open:
        return Plan(reason="the pull request is closed: it is not reviewed")
    if event.pull.draft:
        return Plan(reason="the pull request is a draft: `/review` asks for a review")
    return Plan((ReviewPull(event.pull.number, event.pull),))


def _plan_comment(event: CommentMade, settings: Settings, permission: Permission | None) -> Plan:
    commands = _commands_of(event, settings)
    if not commands:
        return Plan(reason="the comment holds no command")
    if permission is None or not permission.allows(settings.min_permission):
        least = settings.min_permission.value
        return Plan(reason=f"commands need the permission {least!r}: nothing is done")
    steps: list[Step] = [Acknowledge(event.comment.id, in_thread=event.thread is not None)]
    wants_review = any(
        isinstance(item, Command) and item.name is CommandName.REVIEW for item in commands
    )
    if wants_review and event.is_open:
        steps.append(ReviewPull(event.number, event.pull, asked=True))
    steps.append(AnswerCommands(event, commands))
    return Plan(tuple(steps))


def _commands_of(event: CommentMade, settings: Settings) -> tuple[Command | BadCommand, ...]:
    found = parse_commands(event.comment.body)
    if settings.mode is Mode.REVIEW:
        return tuple(
            item for item in found if isinstance(item, Command) and item.name is CommandName.REVIEW
        )
    return found


_MODES: dict[type, frozenset[Mode]] = {
    DefaultBranchPushed: frozenset({Mode.INDEX}),
    RunCompleted: frozenset({Mode.PUBLISH}),
    PullRequestChanged: frozenset({Mode.REVIEW}),
    CommentMade: frozenset({Mode.ASK, Mode.REVIEW}),
}
