"""How GitHub fails: other answers than the right ones, and things that happen meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Fault:
    """An answer instead of the right one, for the next `times` requests that match."""

    verb: str
    path: str  # a regular expression, searched for
    status: int
    message: str
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1
    errors: list[dict[str, Any]] | None = None

    def matches(self, verb: str, path: str) -> bool:
        """Return whether this request fails."""
        return self.times > 0 and verb == self.verb and re.search(self.path, path) is not None

    def body(self) -> dict[str, Any]:
        """Return GitHub's error object."""
        table: dict[str, Any] = {
            "message": self.message,
            "documentation_url": "https://docs.github.com/rest",
        }
        return table | ({"errors": self.errors} if self.errors else {})


@dataclass
class Meanwhile:
    """Something that happens just before the next request that matches is answered."""

    verb: str
    path: str
    action: Callable[[], None]
    times: int = 1

    def matches(self, verb: str, path: str) -> bool:
        """Return whether it happens now."""
        return self.times > 0 and verb == self.verb and re.search(self.path, path) is not None


def secondary_limit(verb: str, path: str, *, retry_after: str = "1", times: int = 1) -> Fault:
    """Return the secondary limit: 403 with Retry-After."""
    message = "You have exceeded a secondary rate limit. Please wait a few minutes"
    headers = {"Retry-After": retry_after} if retry_after else {}
    return Fault(verb, path, 403, message, headers, times)


def primary_limit(verb: str, path: str, *, reset: int, times: int = 1) -> Fault:
    """Return the primary limit: 403, nothing left until `reset` (seconds since 1970)."""
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)}
    return Fault(verb, path, 403, "API rate limit exceeded for installation.", headers, times)


def not_accessible(verb: str, path: str, *, times: int = 1_000) -> Fault:
    """Return what a token without the right gets."""
    return Fault(verb, path, 403, "Resource not accessible by integration", {}, times)


def server_error(verb: str, path: str, *, status: int = 502, times: int = 1) -> Fault:
    """Return a failure of the server."""
    return Fault(verb, path, status, "Server Error", {}, times)
