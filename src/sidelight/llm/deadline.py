"""Hold one request to a time on the clock, whatever the endpoint does with its bytes.

The libraries' own timeouts are those of a single read: an endpoint that sends a byte now and then
would keep them, and the job's minutes, for as long as it likes. Sends nothing itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from sidelight.llm.transport import Fault, Reply, Request, Transport, TransportError


class Closable(Transport, Protocol):
    """A transport whose connections can be cut from another thread."""

    def close(self) -> None:
        """Cut what is open; nothing can be sent afterwards."""
        ...


class Punctual:
    """A transport that is given up after `limit_s` seconds, and made anew for the next request.

    The request runs in a thread of its own, which ends with its connection: a name server, a proxy
    or a handshake that takes for ever is left as well. Nobody waits for that thread, nor does the
    end of the program.
    """

    def __init__(self, make: Callable[[], Closable], limit_s: float) -> None:
        self._make = make
        self._limit_s = limit_s
        self._transport = make()

    def send(self, request: Request) -> Reply:
        """Return the reply to one request; see `Transport.send`."""
        call = _Call(self._transport, request)
        call.start()
        call.join(self._limit_s)
        if call.is_alive():
            self._transport.close()
            self._transport = self._make()
            raise TransportError(Fault.TIMEOUT)
        if call.error is not None:
            raise call.error
        if call.reply is None:  # the thread has printed what went wrong in it
            raise RuntimeError("a request to the language model ended without reply or error")
        return call.reply


class _Call(threading.Thread):
    def __init__(self, transport: Transport, request: Request) -> None:
        super().__init__(name="sidelight-llm-request", daemon=True)
        self._transport = transport
        self._request = request
        self.reply: Reply | None = None
        self.error: TransportError | None = None

    def run(self) -> None:
        try:
            self.reply = self._transport.send(self._request)
        except TransportError as error:
            self.error = error
