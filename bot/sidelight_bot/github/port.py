"""What the bot needs of GitHub, as a protocol. No HTTP here, so that planning and tests are free
of it. Every method may raise the errors of `github.errors`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sidelight_bot.model import Comment, Permission, PullRequest, ReviewThread, Side


@dataclass(frozen=True, slots=True)
class InlineNote:
    """A review comment to be made. Lines count in the head (RIGHT) or the merge base (LEFT)."""

    path: str
    line: int
    side: Side
    body: str
    start_line: int | None = None


@dataclass(frozen=True, slots=True)
class ReviewComment:
    """A comment that stands in a review thread; `n_down` people reacted with 👎."""

    comment: Comment
    thread: ReviewThread
    n_down: int = 0


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file of a pull request as the API lists it. `patch` is None where GitHub leaves it out."""

    path: str
    status: str
    previous_path: str | None
    additions: int
    deletions: int
    patch: str | None


@dataclass(frozen=True, slots=True)
class PostedReview:
    """Which notes stand now, and which GitHub refused."""

    posted: tuple[InlineNote, ...] = ()
    refused: tuple[InlineNote, ...] = ()
    url: str = ""


class GitHubPort(Protocol):
    """One repository on one server."""

    @property
    def n_requests(self) -> int:
        """How many requests were sent so far, repeated ones included."""

    def viewer(self) -> str:
        """Return the login that comments of this token carry."""

    def pull(self, number: int) -> PullRequest:
        """Return a pull request as it is now."""

    def permission(self, login: str) -> Permission:
        """Return what a person may do here, asked of the collaborators' endpoint."""

    def conversation(self, number: int) -> Iterator[Comment]:
        """Yield the comments of the conversation, oldest first; pages are asked for as needed."""

    def review_comments(self, number: int) -> Iterator[ReviewComment]:
        """Yield all comments of all review threads, oldest first."""

    def recent_review_comments(self) -> Iterator[ReviewComment]:
        """Yield review comments of all pull requests, newest first."""

    def reactors(self, comment_id: int, content: str) -> Iterator[str]:
        """Yield who reacted so to a comment of a review thread."""

    def changed_files(self, number: int) -> Iterator[ChangedFile]:
        """Yield the files of a pull request (GitHub gives 3,000 at most)."""

    def merge_base(self, base_sha: str, head_sha: str) -> str | None:
        """Return the merge base that the server knows, or None."""

    def create_comment(self, number: int, body: str) -> Comment:
        """Write in the conversation."""

    def update_comment(self, comment_id: int, body: str) -> Comment:
        """Replace a comment of the conversation; `NotThereError` if it was deleted."""

    def reply(self, number: int, top_comment_id: int, body: str) -> Comment:
        """Write in a review thread, named by the comment that opened it."""

    def update_review_comment(self, comment_id: int, body: str) -> Comment:
        """Replace a comment of a review thread."""

    def react(self, comment_id: int, content: str, *, in_thread: bool) -> None:
        """React to a comment; again is no error."""

    def create_review(
        self, number: int, head_sha: str, body: str, notes: Sequence[InlineNote]
    ) -> PostedReview:
        """Write all notes by one request; one by one if GitHub refuses an anchor."""
