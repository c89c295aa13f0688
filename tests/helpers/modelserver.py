"""A scripted model behind a real HTTP server on loopback, OpenAI-compatible and Anthropic's.

    with ModelServer() as server:
        server.say("first answer")                         # steps are used up in order
        server.fail(429, retry_after=0)
        server.say_json({"notes": []})
        server.say_when("Does this note hold", '{"holds": true, "because": "…"}')  # whenever asked
        model = server.model()                             # the real client, with no waiting
        ...
        assert "secret" not in server.prompts()[0]         # what was sent to the model

A step that matches the prompt (`say_when`) is never used up and goes before the queue; a request
that no step answers gets `default`, or else 500 and is kept in `unanswered`.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, BinaryIO, Self

from sidelight.llm.budget import Budget
from sidelight.llm.opening import open_chat_model
from sidelight.llm.protocol import ChatModel
from sidelight.llm.settings import ApiKey, LlmSettings

KEY = "sk-test-0123456789abcdefghijklmn"


@dataclass(frozen=True)
class Request:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def prompt(self) -> str:
        """Every text that was sent: the system's, then each message's."""
        system = self.body.get("system", "")
        messages = self.body.get("messages", [])
        return "\n\n".join([str(system), *(str(m["content"]) for m in messages)]).strip()

    @property
    def form(self) -> str:
        """How structured output was asked for: "json_schema", "json_object" or ""."""
        asked = self.body.get("response_format") or {}
        if "output_config" in self.body:
            asked = self.body["output_config"].get("format", {})
        return str(asked.get("type", ""))


@dataclass(frozen=True)
class Step:
    """What the server does with one request."""

    text: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None  # in place of a completion; bytes are sent as they are
    finish: str | None = "stop"
    message: Mapping[str, Any] = field(default_factory=dict)  # more of the answer's message
    usage: tuple[int, int] | None = (100, 20)
    fault: str = ""  # "reset", "hang", "cut", "drip", "drip-head" or "flood": the connection's


class ModelServer:
    """See the module. Not for several clients at once, but for as many requests as they like."""

    def __init__(self, default: str | None = None) -> None:
        self.requests: list[Request] = []
        self.unanswered: list[Request] = []
        self.default = default
        self.write: Callable[[Request], str] | None = None
        self.rules: list[tuple[Callable[[Request], bool], Step]] = []
        self._steps: list[Step] = []
        self._released = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def base_url(self) -> str:
        """The endpoint for `SIDELIGHT_LLM_BASE_URL`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def settings(self, **changes: Any) -> LlmSettings:
        """Return settings that lead here; retries do not wait."""
        url = self.base_url
        if changes.get("provider") == "anthropic":
            url = url.removesuffix("/v1")
        ours = LlmSettings(
            provider="openai",
            model="scripted",
            base_url=url,
            key=ApiKey(KEY),
            timeout_s=10.0,
            backoff_s=0.0,
        )
        return replace(ours, **changes)

    def environment(self) -> dict[str, str]:
        """Return the variables that configure this model for a process."""
        return {
            "SIDELIGHT_LLM_BASE_URL": self.base_url,
            "SIDELIGHT_LLM_MODEL": "scripted",
            "SIDELIGHT_LLM_API_KEY": KEY,
        }

    def model(self, budget: Budget | None = None, **changes: Any) -> ChatModel:
        """Return the real client, configured for this server."""
        model = open_chat_model(self.settings(**changes), budget)
        assert model is not None
        return model

    def prompts(self) -> list[str]:
        """Return all text that was sent, by request."""
        return [request.prompt for request in self.requests]

    # Steps

    def do(self, *steps: Step) -> Self:
        """Queue steps."""
        self._steps += steps
        return self

    def say(self, text: str | None, **changes: Any) -> Self:
        """Queue an answer."""
        return self.do(Step(text, **changes))

    def say_json(self, data: Any, **changes: Any) -> Self:
        """Queue an answer that is data."""
        return self.say(json.dumps(data), **changes)

    def say_when(self, words: str, text: str, **changes: Any) -> Self:
        """Answer every prompt that holds the words with that text."""
        self.rules.append((lambda request: words in request.prompt, Step(text, **changes)))
        return self

    def say_with(self, write: Callable[[Request], str]) -> Self:
        """Answer what nothing else answers with what a function writes for it."""
        self.write = write
        return self

    def fail(self, status: int, message: str = "no", *, code: str = "", **changes: Any) -> Self:
        """Queue an error as OpenAI writes it; `retry_after` sets that header."""
        retry_after = changes.pop("retry_after", None)
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        error = {"error": {"message": message, "type": code or "error", "code": code or None}}
        return self.do(Step(status=status, headers=headers, body=error, **changes))

    def overflow(self, limit: int = 8192) -> Self:
        """Queue OpenAI's answer to a prompt that is too long."""
        return self.fail(
            400,
            f"This model's maximum context length is {limit} tokens. However, your messages"
            " resulted in 9999 tokens.",
            code="context_length_exceeded",
        )

    def refuse_form(self) -> Self:
        """Queue the answer of an endpoint that lacks the structured output that was asked for."""
        return self.fail(400, "response_format is not supported by this model")

    def reset(self) -> Self:
        """Queue a connection that is reset before a byte is sent."""
        return self.do(Step(fault="reset"))

    def hang(self) -> Self:
        """Queue a request that is never answered."""
        return self.do(Step(fault="hang"))

    def cut_body(self) -> Self:
        """Queue an answer whose bytes end before they should."""
        return self.do(Step("an answer that ends too soon", fault="cut"))

    def drip(self) -> Self:
        """Queue an answer that comes byte by byte and never ends."""
        return self.do(Step("slow", fault="drip"))

    def drip_head(self) -> Self:
        """Queue an answer whose head comes byte by byte and never ends."""
        return self.do(Step("slow", fault="drip-head"))

    def flood(self) -> Self:
        """Queue an answer that goes on as long as anybody reads."""
        return self.do(Step("", fault="flood"))

    def next_step(self, request: Request) -> Step:
        """Return what to do with a request."""
        self.requests.append(request)
        for matches, step in self.rules:
            if matches(request):
                return step
        if self._steps:
            return self._steps.pop(0)
        if self.write is not None:
            return Step(self.write(request))
        if self.default is not None:
            return Step(self.default)
        self.unanswered.append(request)
        return Step(status=500, body={"error": {"message": "nothing is scripted for this request"}})

    def wait_for_end(self, timeout_s: float | None = None) -> bool:
        """Wait until the server is left, or for some seconds; return whether it was."""
        return self._released.wait(timeout_s)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gives up is no news."""


def _handler(owner: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Keep quiet."""

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.path, headers, json.loads(raw))
            step = owner.next_step(request)
            if step.fault == "hang":
                owner.wait_for_end()
                self.close_connection = True
                return
            if step.fault == "reset":
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.connection.close()
                self.close_connection = True
                return
            if step.fault in {"drip", "drip-head", "flood"}:
                _pour(owner, self.wfile, step.fault)
                self.close_connection = True
                return
            anthropic = self.path.endswith("/messages")
            body = step.body if step.body is not None else _completion(step, anthropic=anthropic)
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(step.status)
            for name, value in {"Content-Type": "application/json", **step.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if step.fault == "cut" else data)
            self.close_connection = self.close_connection or step.fault == "cut"

    return Handler


def _pour(owner: ModelServer, out: BinaryIO, fault: str) -> None:
    """Write an answer without an end, until the reader has gone or the server is left."""
    out.write(b"HTTP/1.1 200 OK\r\n")
    if fault != "drip-head":
        out.write(b"Content-Type: application/json\r\n\r\n")
    part = b" " * 65_536 if fault == "flood" else b"x"
    with contextlib.suppress(OSError):
        while fault == "flood" or not owner.wait_for_end(0.02):
            out.write(part)


ANTHROPIC_STOPS = {"stop": "end_turn", "length": "max_tokens"}


def _completion(step: Step, *, anthropic: bool) -> dict[str, Any]:
    if anthropic:
        table: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": [] if step.text is None else [{"type": "text", "text": step.text}],
            "stop_reason": ANTHROPIC_STOPS.get(step.finish or "", step.finish),
        }
        if step.usage is not None:
            table["usage"] = {"input_tokens": step.usage[0], "output_tokens": step.usage[1]}
        return table
    message = {"role": "assistant", "content": step.text, **step.message}
    table = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": step.finish}],
    }
    if step.usage is not None:
        prompt, completion = step.usage
        table["usage"] = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }
    return table
