"""The double: GitHub on a loopback port, over a real git repository.

    with GitHubDouble(repo) as hub_server:
        hub = hub_server.hub
        pull = hub.open_pull(head)
        …                                   # the code under test, with hub_server.api_url and TOKEN
        assert hub.conversation(pull.number)[0].author.login == BOT
        assert hub_server.writes() == ["POST /repos/octo/demo/issues/1/comments"]

Every request and every answer is checked against GitHub's own description; leaving the context
fails the test if one was wrong. `api_url` may have a prefix, as on Enterprise.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

from helpers.githubdouble.faults import Fault, Meanwhile
from helpers.githubdouble.routes import Answer, Asked, RefusalError, answer
from helpers.githubdouble.schema import SchemaError, check
from helpers.githubdouble.state import BOT, Hub
from helpers.gitrepo import GitRepo

TOKEN = "token-of-the-job"
READ_ONLY = "token-of-a-fork"
_DOCS = "https://docs.github.com/rest"


@dataclass(frozen=True)
class Recorded:
    """One request, as it came and was answered."""

    verb: str
    path: str
    query: str
    body: Any
    status: int

    def __str__(self) -> str:
        return f"{self.verb} {self.path}"


@dataclass
class Token:
    """Whose token it is, and whether it may write."""

    login: str
    read_only: bool = False


@dataclass
class GitHubDouble:
    """The running server; a context manager."""

    repo: GitRepo
    prefix: str = ""
    tokens: dict[str, Token] = field(
        default_factory=lambda: {TOKEN: Token(BOT), READ_ONLY: Token(BOT, read_only=True)}
    )
    requests: list[Recorded] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    meanwhile: list[Meanwhile] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.double = self  # type: ignore[attr-defined]
        self._lock = threading.Lock()
        self.web = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.hub = Hub(self.repo, self.web)
        self.hub.person(BOT, "write")
        for name in ("allowAnySHA1InWant", "allowFilter"):  # as GitHub has it
            self.repo.git("config", f"uploadpack.{name}", "true")
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if kind is None and self.violations:
            raise AssertionError("\n".join(self.violations))

    @property
    def api_url(self) -> str:
        """What a job has as GITHUB_API_URL."""
        return self.web + self.prefix

    def seen(self) -> list[str]:
        """Return all requests, as `VERB PATH`."""
        return [str(item) for item in self.requests]

    def writes(self) -> list[str]:
        """Return the requests that were to change something."""
        return [s for s in self.seen() if not s.startswith("GET ") and "graphql" not in s]

    # -- one request --------------------------------------------------------------------------

    def handle(
        self, verb: str, target: str, headers: dict[str, str], raw: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of the answer."""
        with self._lock:
            return self._handle(verb, target, headers, raw)

    def _handle(
        self, verb: str, target: str, headers: dict[str, str], raw: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        parts = urlsplit(target)
        body = json.loads(raw) if raw else None
        graphql = self.prefix.removesuffix("/v3") + "/graphql"
        path = "/graphql" if parts.path == graphql else parts.path.removeprefix(self.prefix)
        for happening in self.meanwhile:
            if happening.matches(verb, path):
                happening.times -= 1
                happening.action()
        status, sent, data = self._answer(verb, path, parts.query, headers, body)
        self.requests.append(Recorded(verb, path, parts.query, body, status))
        return status, sent, data

    def _answer(
        self, verb: str, path: str, query: str, headers: dict[str, str], body: Any
    ) -> tuple[int, dict[str, str], bytes]:
        for fault in self.faults:
            if fault.matches(verb, path):
                fault.times -= 1
                return fault.status, fault.headers, json.dumps(fault.body()).encode()
        words = headers.get("authorization", "").split()
        token = self.tokens.get(words[-1] if words else "")
        if token is None:
            return self._refused(RefusalError(401, "Bad credentials"))
        viewer = self.hub.person(token.login)
        if path == "/graphql":
            return 200, {}, json.dumps({"data": {"viewer": {"login": viewer.login}}}).encode()
        asked = Asked(verb, path, dict(parse_qsl(query)), body, headers.get("accept", ""), viewer)
        try:
            if token.read_only and verb != "GET":
                raise RefusalError(403, "Resource not accessible by integration")
            return self._sent(asked, answer(self.hub, asked))
        except RefusalError as refusal:
            return self._refused(refusal)
        except SchemaError as error:
            self.violations.append(f"{verb} {path}: {error}")
            return 500, {}, json.dumps({"message": "not what GitHub describes"}).encode()

    def _sent(self, asked: Asked, made: Answer) -> tuple[int, dict[str, str], bytes]:
        if made.text is not None:
            return made.status, {"Content-Type": "text/plain"}, made.text.encode()
        if not made.pages:
            return made.status, {}, json.dumps(made.data).encode()
        size = min(int(asked.query.get("per_page", 30)), 100)
        page = int(asked.query.get("page", 1))
        shown = made.data[(page - 1) * size : page * size]
        sent = {}
        if page * size < len(made.data):
            following = f"{self.api_url}{asked.path}?per_page={size}&page={page + 1}"
            sent["Link"] = f'<{following}>; rel="next"'
        return made.status, sent, json.dumps(shown).encode()

    def _refused(self, refusal: RefusalError) -> tuple[int, dict[str, str], bytes]:
        table: dict[str, Any] = {"message": refusal.message, "documentation_url": _DOCS}
        if refusal.errors:
            table["errors"] = refusal.errors
        return refusal.status, {}, json.dumps(check("BasicError", table)).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        double: GitHubDouble = self.server.double  # type: ignore[attr-defined]
        try:
            status, sent, data = double.handle(self.command, self.path, headers, raw)
        except Exception as error:  # noqa: BLE001 - a bug of the double is the test's failure
            double.violations.append(f"{self.command} {self.path}: {type(error).__name__} {error}")
            status, sent, data = 500, {}, b"{}"
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **sent}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""
