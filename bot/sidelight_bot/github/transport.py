"""Requests through PyGithub: counted, without pauses, repeated with patience.

PyGithub's own waits are switched off: between reads none is needed, and how long a limit lasts is
told by `Retry-After`. Only what may be sent twice is sent twice: a write is repeated after a limit
(GitHub did nothing), never after a failure of which nobody knows how far it came.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import requests
from github import Auth, Github, GithubException

from sidelight_bot.github.errors import (
    GitHubError,
    NotThereError,
    RateLimitedError,
    ReadOnlyTokenError,
    RefusedError,
    UnreachableError,
)

TIMEOUT_S = 20  # of one request
PER_PAGE = 100
MAX_PAGES = 60  # 6,000 comments; GitHub lists no more than 3,000 files
UNSTATED_WAIT_S = 60.0  # "wait at least one minute", says GitHub where Retry-After is missing
RETRIED_FAILURES = 3  # of the server or the line
_REPEATABLE = frozenset({"GET", "PATCH"})
_LIMIT_WORDS = ("rate limit", "abuse detection")


@dataclass(slots=True)
class Patience:
    """The seconds that all requests of a run together may wait for limits and failing servers.

    Time that the run spends on its own work does not count.
    """

    seconds: float
    sleep: Callable[[float], None] = time.sleep
    waited_s: float = 0.0

    def wait(self, seconds: float) -> bool:
        """Sleep if that much is left; return whether it was."""
        if self.waited_s + seconds > self.seconds:
            return False
        self.waited_s += seconds
        self.sleep(seconds)
        return True


class Transport:
    """JSON requests to one server, with one token."""

    def __init__(self, api_url: str, token: str, patience: Patience, *, user_agent: str) -> None:
        self._requester = Github(
            auth=Auth.Token(token) if token else None,
            base_url=api_url,
            timeout=TIMEOUT_S,
            user_agent=user_agent,
            per_page=PER_PAGE,
            retry=0,
            seconds_between_requests=None,
            seconds_between_writes=None,
            lazy=True,
        ).requester
        self._patience = patience
        self.n_requests = 0

    @property
    def graphql_url(self) -> str:
        """The address of the GraphQL API, on Enterprise too."""
        return self._requester.graphql_url

    def pages(self, path: str, **parameters: Any) -> Iterator[Any]:
        """Yield the items of a list, page by page, and ask for no page before it is needed."""
        for page in range(1, MAX_PAGES + 1):
            asked = {"per_page": PER_PAGE, "page": page, **parameters}
            headers, items = self._send("GET", path, asked, None)
            if not isinstance(items, list):
                raise GitHubError(f"GitHub answered GET {path} with something else than a list")
            yield from items
            if 'rel="next"' not in str(headers.get("link", "")):
                return

    def get(self, path: str) -> Any:
        """Return the answer to GET."""
        return self._send("GET", path, None, None)[1]

    def write(self, verb: str, path: str, content: Mapping[str, Any]) -> Any:
        """Return the answer to POST or PATCH."""
        return self._send(verb, path, None, dict(content))[1]

    def _send(
        self, verb: str, path: str, parameters: dict[str, Any] | None, content: Any
    ) -> tuple[dict[str, Any], Any]:
        failures = 0
        while True:
            self.n_requests += 1
            what = f"{verb} {path}"
            try:
                return self._requester.requestJsonAndCheck(
                    verb, path, parameters=parameters, input=content
                )
            except GithubException as error:
                wait = _limit_wait(error)
                problem = _translate(error, what)
                if wait is not None:
                    if not self._patience.wait(wait):
                        raise problem from error
                    continue
                if error.status < 500:
                    raise problem from error
                cause: Exception = error
            except (requests.RequestException, ValueError, RuntimeError) as error:
                problem = UnreachableError(
                    f"GitHub did not answer {what}: {type(error).__name__}",
                    hint="is GITHUB_API_URL right, and the server up?",
                )
                cause = error
            failures += 1
            again = verb in _REPEATABLE and failures < RETRIED_FAILURES
            if not again or not self._patience.wait(2.0 ** (failures - 1)):
                raise problem from cause


def _limit_wait(error: GithubException) -> float | None:
    """Return the seconds until a limit ends; None if the refusal is not one of a limit."""
    headers = {str(name).lower(): str(value) for name, value in (error.headers or {}).items()}
    is_limit = error.status == 429 or (
        error.status == 403
        and ("retry-after" in headers or any(w in _words(error).lower() for w in _LIMIT_WORDS))
    )
    if not is_limit:
        return None
    after = headers.get("retry-after", "")
    if after.isascii() and after.isdigit():
        return float(after[:9])
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isascii() and reset.isdigit():
        return max(0.0, float(reset[:12]) - time.time()) + 1.0
    return UNSTATED_WAIT_S


def _translate(error: GithubException, what: str) -> GitHubError:
    """Return the refusal as the class that the bot acts on."""
    said = _words(error)
    kind, hint = GitHubError, ""
    if _limit_wait(error) is not None:
        kind, hint = RateLimitedError, "run the job again later"
    elif error.status == 403:
        kind = ReadOnlyTokenError
        hint = "the workflow's `permissions` do not allow it, or the token is that of a fork"
    elif error.status in {404, 410}:
        kind = NotThereError
    elif error.status == 422:
        kind = RefusedError
    elif error.status == 401:
        hint = "the token is wrong or has expired"
    elif error.status >= 500:
        kind = UnreachableError
    return kind(f"GitHub refused {what}: {error.status} {said}", hint=hint, status=error.status)


def _words(error: GithubException) -> str:
    """Return GitHub's own words, a line of them."""
    data = error.data if isinstance(error.data, dict) else {}
    parts = [str(data.get("message", ""))]
    errors = data.get("errors") or []
    parts += [str(e.get("message", "")) if isinstance(e, dict) else str(e) for e in errors]
    return " ".join(" ".join(parts).split())[:300]
