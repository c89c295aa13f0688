"""One request to an endpoint, as a provider's adapter sends it. Values and a protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from sidelight.llm.protocol import JsonSchema, Message

MAX_REPLY = 4_000_000  # bytes of an endpoint's reply


class Form(StrEnum):
    """How data is asked for, the strictest first."""

    SCHEMA = "schema"  # the endpoint holds the model to a JSON schema
    OBJECT = "object"  # the endpoint holds it to some JSON object; the prompt says which
    PROMPT = "prompt"  # the prompt alone asks for it


class Fault(StrEnum):
    """Why a request brought no reply."""

    BUSY = "busy"  # a rate limit, an overload, an error of the endpoint: may pass
    UNREACHABLE = "unreachable"  # no connection, or it broke: may pass
    TIMEOUT = "timeout"  # may pass
    FORM = "form"  # this form of structured output is not known there
    OVERFLOW = "overflow"  # the prompt is too long
    FILTERED = "filtered"  # by a content filter
    KEY = "key"  # refused
    MODEL = "model"  # unknown model or address
    QUOTA = "quota"  # used up
    REQUEST = "request"  # refused for another reason
    STRANGE = "strange"  # the reply is no completion


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent."""

    messages: Sequence[Message]
    max_tokens: int
    temperature: float
    form: Form | None = None
    schema: JsonSchema | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `finish` is the provider's word, "" if it has none."""

    text: str
    finish: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    refusal: str = ""


class TransportError(Exception):
    """A request failed. `detail` is the endpoint's own word, untrusted and unredacted."""

    def __init__(
        self,
        fault: Fault,
        detail: str = "",
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        limit: int | None = None,
    ) -> None:
        super().__init__(fault.value)
        self.fault = fault
        self.detail = detail
        self.status = status
        self.retry_after_s = retry_after_s
        self.limit = limit


class Transport(Protocol):
    """A provider's adapter. It tries once; retries are the client's."""

    def send(self, request: Request) -> Reply:
        """Return the endpoint's reply.

        Raises:
            TransportError: there is none.
        """
        ...


def read_any(data: bytes) -> Any:
    """Return the JSON of an error's body, or the beginning of what is no JSON."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data[:200].decode("utf-8", "replace")


def read_json(data: bytes) -> Mapping[str, Any]:
    """Return a reply's JSON object.

    Raises:
        TransportError: it is none, or too long.
    """
    if len(data) > MAX_REPLY:
        raise TransportError(Fault.STRANGE, "the reply is too long")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise TransportError(Fault.STRANGE, "the reply is not JSON") from None
    if not isinstance(value, dict):
        raise TransportError(Fault.STRANGE, "the reply is not a JSON object")
    return value


def count_of(table: object, name: str) -> int | None:
    """Return a count of a reply's usage; None if it is not a sensible one."""
    value = table.get(name) if isinstance(table, Mapping) else None
    return value if type(value) is int and 0 <= value < 1 << 40 else None
