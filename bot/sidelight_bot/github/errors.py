"""How GitHub refuses. Each class is one that the bot acts on differently."""

from __future__ import annotations

from sidelight.errors import SidelightError


class GitHubError(SidelightError):
    """A request failed; `status` is HTTP's, 0 if there was no answer."""

    def __init__(self, message: str, *, hint: str = "", status: int = 0) -> None:
        super().__init__(message, hint=hint)
        self.status = status


class ReadOnlyTokenError(GitHubError):
    """The token may not do that: forks' tokens may only read."""


class NotThereError(GitHubError):
    """What was asked for is not there (any more), or may not be seen."""


class RefusedError(GitHubError):
    """GitHub does not accept the content (422): an anchor outside the diff, a body too long."""


class RateLimitedError(GitHubError):
    """A limit is reached, and waiting for its end would take longer than the run may."""


class UnreachableError(GitHubError):
    """The server did not answer, or failed, as long as the run could wait."""
