"""Speak to an OpenAI-compatible endpoint: OpenAI, Azure, Groq, Ollama, vLLM, llama.cpp, …

Replies are read as plain JSON and checked field by field: compatible endpoints leave things out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import openai

from sidelight.llm.diagnosis import diagnose
from sidelight.llm.settings import LlmSettings
from sidelight.llm.transport import (
    Fault,
    Form,
    Reply,
    Request,
    TransportError,
    count_of,
    read_any,
    read_json,
)
from sidelight.llm.wire import broken, client_options

# A connection of its own for each of a few requests, so that there is nothing to close later.
HEADERS = {
    "Connection": "close",
    "OpenAI-Organization": openai.Omit(),
    "OpenAI-Project": openai.Omit(),
}
NO_KEY = "none"  # for a local endpoint; the library wants some word


class OpenAiTransport:
    """See the module. Remembers which parameters the model does not take."""

    def __init__(self, settings: LlmSettings) -> None:
        self._model = settings.model
        self._client = openai.OpenAI(
            api_key=settings.key.reveal() or NO_KEY,
            base_url=settings.url,
            timeout=settings.timeout_s,
            max_retries=0,  # ours know the budget and honour Retry-After
            # An organisation in the environment is for another program.
            http_client=openai.DefaultHttpxClient(**client_options()),
            default_headers=HEADERS,  # type: ignore[arg-type]
        )
        self._limit_name = "max_tokens"
        self._takes_temperature = True

    def close(self) -> None:
        """Cut what is open."""
        self._client.close()

    def send(self, request: Request) -> Reply:
        """Return the reply to one request; see `Transport.send`."""
        for _ in range(2):  # both parameters may have to change
            try:
                return self._send(request)
            except TransportError as error:
                if not self._adapt(error):
                    raise
        return self._send(request)

    def _adapt(self, error: TransportError) -> bool:
        """Return whether the request is worth sending anew without what the model does not take."""
        if error.status != 400:
            return False
        if self._limit_name == "max_tokens" and "max_completion_tokens" in error.detail:
            self._limit_name = "max_completion_tokens"
            return True
        if self._takes_temperature and "temperature" in error.detail.lower():
            self._takes_temperature = False
            return True
        return False

    def _send(self, request: Request) -> Reply:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": m.role, "content": m.text} for m in request.messages],
            self._limit_name: request.max_tokens,
            **({"temperature": request.temperature} if self._takes_temperature else {}),
            **_response_format(request),
        }
        try:
            raw = self._client.chat.completions.with_raw_response.create(**body)
            data = raw.http_response.content
        except openai.APITimeoutError:
            raise TransportError(Fault.TIMEOUT) from None
        except openai.APIConnectionError as error:
            raise broken(error) from None
        except openai.APIStatusError as error:
            headers = {name.lower(): value for name, value in error.response.headers.items()}
            raise diagnose(
                error.status_code, headers, read_any(error.response.content), request.form
            ) from None
        except openai.OpenAIError:
            raise TransportError(Fault.STRANGE) from None
        return _read(read_json(data))


def _response_format(request: Request) -> dict[str, Any]:
    if request.schema is None or request.form in {None, Form.PROMPT}:
        return {}
    if request.form is Form.OBJECT:
        return {"response_format": {"type": "json_object"}}
    named = {"name": request.schema.name, "schema": request.schema.schema, "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def _read(reply: Mapping[str, Any]) -> Reply:
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, Mapping):
        error = reply.get("error")  # some endpoints fail with status 200
        if error:
            raise diagnose(502, {}, reply, None)
        raise TransportError(Fault.STRANGE, "the reply has no choices")
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise TransportError(Fault.STRANGE, "the reply has no message")
    usage = reply.get("usage")
    finish = choice.get("finish_reason")
    refusal = message.get("refusal")
    return Reply(
        text=_text(message.get("content")),
        finish=finish if isinstance(finish, str) else "",
        prompt_tokens=count_of(usage, "prompt_tokens"),
        completion_tokens=count_of(usage, "completion_tokens"),
        refusal=refusal if isinstance(refusal, str) else "",
    )


def _text(content: object) -> str:
    """Return a message's text, which some endpoints send in parts."""
    if isinstance(content, list):
        return "".join(_text(p.get("text")) for p in content if isinstance(p, Mapping))
    return content if isinstance(content, str) else ""
