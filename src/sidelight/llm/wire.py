"""What both libraries are told of HTTP: no redirects, and no reply without an end.

A redirect would carry a stranger's code to an address that nobody configured. A reply is cut where
no answer of a model goes on, before it fills the memory. Which HTTP client a library brings along
is its own affair: nothing of it is imported here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sidelight.llm.transport import MAX_REPLY, Fault, TransportError


class EndlessReplyError(TransportError):
    """A reply went on after `MAX_REPLY` bytes."""

    def __init__(self) -> None:
        super().__init__(Fault.STRANGE, "the reply is too long")


def client_options() -> dict[str, Any]:
    """Return the options of the libraries' own HTTP clients."""
    return {"follow_redirects": False, "event_hooks": {"response": [_bound]}}


def broken(error: Exception) -> TransportError:
    """Return what a library's connection error stands for, such as "Connection refused"."""
    if isinstance(error.__cause__, EndlessReplyError):  # some libraries wrap what they meet
        return error.__cause__
    return TransportError(Fault.UNREACHABLE, str(error.__cause__ or ""))


def _bound(response: Any) -> None:
    """Hold a response's body to its limit; `read` takes its bytes, unpacked, from `iter_bytes`."""
    read = response.iter_bytes

    def parts(chunk_size: int | None = None) -> Iterator[bytes]:
        left = MAX_REPLY
        for part in read(chunk_size):
            left -= len(part)
            if left < 0:
                raise EndlessReplyError
            yield part

    response.iter_bytes = parts
