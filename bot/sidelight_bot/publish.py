"""Post what a run without the right to write has found. Its result is a stranger's file.

The result is read as data, never as Markdown, and has to be that of the run that GitHub says is
over: its repository, its head, its fork. What is posted is rendered anew from the checked values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from sidelight.errors import SidelightError
from sidelight_bot.events import RunCompleted
from sidelight_bot.github.port import GitHubPort
from sidelight_bot.model import PullRequest
from sidelight_bot.permalinks import Permalinks
from sidelight_bot.posting import Sticky, draft_of, put_sticky
from sidelight_bot.report import MAX_JSON, ChangeReport, from_json
from sidelight_bot.settings import CommentPolicy, Settings, run_order


class ForeignResultError(SidelightError):
    """A result is not that of the run that it came with."""


@dataclass(frozen=True, slots=True)
class Published:
    """The result that was posted, and what became of the comment."""

    report: ChangeReport
    sticky: Sticky


def publish_result(settings: Settings, event: RunCompleted, port: GitHubPort) -> Published:
    """Return what was posted of a run's result.

    Raises:
        ReportError: the file is not one that a run of ours would have written.
        ForeignResultError: it is another run's, or another pull request's.
        GitHubError: see `github.errors`.
    """
    report = read_result(settings.result)
    _require_own(report, event, port)
    order = run_order(event.run_number, event.run_attempt)
    # A run without keys has no notes: whatever stands there did not come from a model of ours.
    report = replace(report, run=order, notes=(), usage=None)
    links = Permalinks(settings.job.server_url, event.repo.slug, report.head)
    always = settings.comment is CommentPolicy.ALWAYS
    draft = draft_of(report, links, frozenset(), always=always)
    return Published(report, put_sticky(port, replace(draft, is_published=True)))


def read_result(place: Path | None) -> ChangeReport:
    """Return the report in a file, checked in full; no more is read than a report may hold.

    Raises:
        ForeignResultError: there is no file.
        ReportError: it is not a report.
    """
    if place is None:
        raise ForeignResultError("there is no result", hint="--result or SIDELIGHT_RESULT names it")
    try:
        if place.is_symlink() or not place.is_file():
            raise ForeignResultError(f"{place.name} is not a file")
        with place.open("rb") as file:
            data = file.read(MAX_JSON + 1)
    except OSError as error:
        raise ForeignResultError(f"{place.name} cannot be read: {error.strerror}") from error
    return from_json(data)


def _require_own(report: ChangeReport, event: RunCompleted, port: GitHubPort) -> None:
    """Pass if a report is that of the run; GitHub is asked what the pull request is."""
    if report.repo.lower() != event.repo.slug.lower():
        raise ForeignResultError("the result is one of another repository")
    if report.head != event.head_sha:
        raise ForeignResultError("the result is not one of the commit that the run was for")
    if report.number is None:
        raise ForeignResultError("the result names no pull request")
    if event.pull_numbers and report.number not in event.pull_numbers:
        raise ForeignResultError("the result is one of another pull request")
    pull = port.pull(report.number)
    if pull.head_sha != event.head_sha and _same_source(pull, event):
        return  # the head has moved on: `put_sticky` sees it, and leaves things as they are
    if pull.head_sha != event.head_sha or not _same_source(pull, event):
        raise ForeignResultError("the run was not for the pull request that the result names")


def _same_source(pull: PullRequest, event: RunCompleted) -> bool:
    """Return whether the pull request's commits come from the run's repository."""
    if pull.head_repo is None or event.head_repo is None:
        return pull.head_repo is event.head_repo
    return pull.head_repo.slug.lower() == event.head_repo.slug.lower()
