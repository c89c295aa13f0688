"""Speak to Anthropic's own endpoint (extra `anthropic`); its compatible one ignores schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anthropic

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

# Their words for why an answer ended, in OpenAI's, which the client knows.
FINISHES = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
}


class AnthropicTransport:
    """See the module."""

    def __init__(self, settings: LlmSettings) -> None:
        self._model = settings.model
        self._client = anthropic.Anthropic(
            api_key=settings.key.reveal(),
            base_url=settings.url,
            timeout=settings.timeout_s,
            max_retries=0,
            default_headers={"Connection": "close"},  # so there is nothing to close later
            http_client=anthropic.DefaultHttpxClient(**client_options()),
        )
        self._takes_temperature = True

    def close(self) -> None:
        """Cut what is open."""
        self._client.close()

    def send(self, request: Request) -> Reply:
        """Return the reply to one request; see `Transport.send`."""
        try:
            return self._send(request)
        except TransportError as error:
            if error.status != 400 or "temperature" not in error.detail.lower():
                raise
            self._takes_temperature = False
        return self._send(request)

    def _send(self, request: Request) -> Reply:
        system = "\n\n".join(m.text for m in request.messages if m.role == "system")
        turns = [
            {"role": m.role, "content": m.text} for m in request.messages if m.role != "system"
        ]
        warm = self._takes_temperature  # the library no longer names what older models take
        body: dict[str, Any] = {
            "model": self._model,
            "max_tokens": request.max_tokens,
            "messages": turns,
            **({"system": system} if system else {}),
            **({"extra_body": {"temperature": min(request.temperature, 1.0)}} if warm else {}),
        }
        if request.form is Form.SCHEMA and request.schema is not None:
            form = {"type": "json_schema", "schema": request.schema.schema}
            body["output_config"] = {"format": form}
        try:
            raw = self._client.messages.with_raw_response.create(**body)
            data = raw.http_response.content
        except anthropic.APITimeoutError:
            raise TransportError(Fault.TIMEOUT) from None
        except anthropic.APIConnectionError as error:
            raise broken(error) from None
        except anthropic.APIStatusError as error:
            headers = {name.lower(): value for name, value in error.response.headers.items()}
            raise diagnose(
                error.status_code, headers, read_any(error.response.content), request.form
            ) from None
        except anthropic.AnthropicError:
            raise TransportError(Fault.STRANGE) from None
        return _read(read_json(data))


def _read(reply: Mapping[str, Any]) -> Reply:
    content = reply.get("content")
    if not isinstance(content, list):
        raise TransportError(Fault.STRANGE, "the reply has no content")
    texts = [p.get("text") for p in content if isinstance(p, Mapping) and p.get("type") == "text"]
    usage = reply.get("usage")
    finish = reply.get("stop_reason")
    finish = finish if isinstance(finish, str) else ""
    return Reply(
        text="".join(text for text in texts if isinstance(text, str)),
        finish=FINISHES.get(finish, finish),
        prompt_tokens=count_of(usage, "input_tokens"),
        completion_tokens=count_of(usage, "output_tokens"),
        refusal="the model declined" if finish == "refusal" else "",
    )
