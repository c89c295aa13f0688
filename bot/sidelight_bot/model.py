"""What the bot speaks of: repositories, pull requests, comments, threads. Pure frozen values.

Texts are as GitHub sent them: untrusted. Nothing here cleans, fetches or decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Repo:
    """A repository's name on its server."""

    owner: str
    name: str

    @property
    def slug(self) -> str:
        """`owner/name`."""
        return f"{self.owner}/{self.name}"


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request as one event or one answer of the API shows it.

    `head_repo` is None when the fork was deleted; `is_fork` is then true.
    """

    number: int
    title: str
    body: str
    author: str
    draft: bool
    state: str  # "open" or "closed"
    base_sha: str
    head_sha: str
    base_ref: str
    head_repo: Repo | None
    is_fork: bool
    url: str

    @property
    def is_open(self) -> bool:
        """Whether it can still be merged."""
        return self.state == "open"


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment in the conversation or in a review thread. `created` is ISO 8601."""

    id: int
    author: str
    author_type: str  # "User", "Bot", "Organization", "Mannequin"
    body: str
    created: str
    url: str
    association: str = "NONE"

    @property
    def is_bot(self) -> bool:
        """Whether a program wrote it, as far as GitHub knows."""
        return self.author_type == "Bot" or self.author.endswith("[bot]")


class Side(StrEnum):
    """Which version of a file a line number counts in."""

    LEFT = "LEFT"
    RIGHT = "RIGHT"


@dataclass(frozen=True, slots=True)
class ReviewThread:
    """The place in the diff that a review comment belongs to.

    `top_comment_id` is the comment that opened the thread: replies go there. `line` is None when
    the thread is outdated or belongs to the whole file.
    """

    path: str
    line: int | None
    side: Side
    hunk: str
    top_comment_id: int
    start_line: int | None = None
    commit_sha: str = ""
    comments: tuple[Comment, ...] = ()


class Permission(StrEnum):
    """What a person may do in a repository, least first."""

    NONE = "none"
    READ = "read"
    TRIAGE = "triage"
    WRITE = "write"
    MAINTAIN = "maintain"
    ADMIN = "admin"

    def allows(self, least: Permission) -> bool:
        """Return whether this permission is `least` or more."""
        order = list(Permission)
        return order.index(self) >= order.index(least)
