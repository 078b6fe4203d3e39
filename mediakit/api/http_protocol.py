"""HTTP/1.1 connections: limits for what a client sends and how it reads, and JSON errors for invalid requests."""

import asyncio
from typing import Any

from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
from uvicorn.server import ServerState

from mediakit.api.connection_errors import error_bytes
from mediakit.api.connection_timers import Timer, WriteWatch
from mediakit.api.connections import connection_limit
from mediakit.api.limited_parser import LimitedParser
from mediakit.api.response_writer import ResponseWriter
from mediakit.errors import InvalidInput, MediakitError, ServerBusy

HEAD_TIMEOUT_SECONDS = 30.0
"""Time in which a request line and its headers must arrive."""

BODY_TIMEOUT_SECONDS = 300.0
"""Time in which a body must arrive, including its trailers."""

KEEP_ALIVE_SECONDS = 75
"""Idle time before a connection is closed; longer than the connection pools of common clients and proxies."""

DISCARD_SECONDS = 2.0
"""Time for which input is read and discarded after an error response.

Closing a socket that has unread input resets the connection, and the client may lose the response.
"""
MAX_DISCARDED_BYTES = 64 * 1024 * 1024
"""Bytes that are discarded in this time: the largest body that is accepted, and some more."""

BODY_TOO_SLOW = f"The body must arrive within {BODY_TIMEOUT_SECONDS:.0f} seconds."
HEAD_TOO_SLOW = f"The request line and headers must arrive within {HEAD_TIMEOUT_SECONDS:.0f} seconds."
TOO_MANY_CONNECTIONS = "The server has too many connections. Try again in 5 seconds."


class HttpProtocol(LimitedParser):
    """uvicorn's protocol with limits of time and size for every part of a request and for reading the response."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limit = connection_limit(server_state, config)
        self._head_timer = Timer(self.loop)
        self._body_timer = Timer(self.loop)
        self._discard_timer = Timer(self.loop)
        self._running: RequestResponseCycle | None = None
        """The request whose response is being sent; `cycle` is the last one that was parsed."""
        self._pending_error: MediakitError | None = None
        """Error to send after the responses to earlier requests."""
        self._discarded_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout of the first request head, or reject the connection if there are too many."""
        super().connection_made(transport)
        self._writes = WriteWatch(self.loop, transport)
        self._response_transport = _ResponseTransport(self, transport)
        if self._limit.admit(self):
            self._start_head()
        elif self._limit.admit_rejected(self):
            self._send_error(ServerBusy(TOO_MANY_CONNECTIONS))
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel every timer, and end the call that is running."""
        self._limit.remove(self)
        for timer in (self._head_timer, self._body_timer, self._discard_timer):
            timer.cancel()
        self._abort_response()
        self._writes.cancel()
        super().connection_lost(exc)

    def evict(self) -> None:
        """Close an idle connection to make room for another."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Parse received bytes, and reject a request that exceeds the limits."""
        if self._discard_timer.is_running:
            self._discard(data)
            return
        if self._pending_error:
            return
        if self.timeout_keep_alive_task and not self._head_timer.is_running:
            self._start_head()
        self._overhead_bytes += len(data)
        super().data_received(data)
        if error := self._overhead_error():
            self._reject(error)
        elif self._in_body and not self._body_timer.is_running:
            self._body_timer.start(BODY_TIMEOUT_SECONDS, lambda: self._reject(InvalidInput(BODY_TOO_SLOW)))

    def on_message_begin(self) -> None:
        """Start the timeout of a request head."""
        super().on_message_begin()
        if not self._head_timer.is_running:
            self._start_head()

    def on_headers_complete(self) -> None:
        """Cancel the timeout of the head; the connection is not idle now."""
        self._head_timer.cancel()
        self._limit.set_busy(self)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Cancel the timeout of the body."""
        self._body_timer.cancel()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Respond to a request that could not be parsed. uvicorn calls this for every parser error."""
        self._reject(self._parser_error or InvalidInput(msg))

    def on_response_complete(self) -> None:
        """Start the next call of the connection, or wait for a request."""
        self._writes.watch()
        if self._discard_timer.is_running:
            self.server_state.total_requests += 1
            return
        super().on_response_complete()
        if self._is_responding:
            return
        self._limit.set_idle(self)
        if self._pending_error:
            self._send_error(self._pending_error)

    def pause_writing(self) -> None:
        """Watch a client that does not read as fast as the app writes."""
        super().pause_writing()
        self._writes.watch()

    def resume_writing(self) -> None:
        """Stop the watch; the client has read most of what was written."""
        self._writes.resume()
        super().resume_writing()

    def close_after_response(self) -> None:
        """Close the connection. If the request was not read to its end, the client first gets time to read."""
        if self._in_body:
            self._discard_input()
        else:
            self.transport.close()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGIApp) -> None:  # type: ignore[override]
        self._running = cycle
        cycle.transport = self._response_transport
        super()._start_asgi_task(cycle, ResponseWriter(app, cycle, self._writes))  # type: ignore[arg-type]

    def _unsupported_upgrade_warning(self) -> None:
        """Ignore the Upgrade header, as RFC 9110 section 7.8 allows."""

    def _start_head(self) -> None:
        self._overhead_bytes = 0
        self._head_timer.start(HEAD_TIMEOUT_SECONDS, self._on_head_timeout)

    def _on_head_timeout(self) -> None:
        if self._is_responding:
            self._reject(InvalidInput(HEAD_TOO_SLOW))
        else:
            self.transport.close()

    @property
    def _is_responding(self) -> bool:
        return self._running is not None and not self._running.response_complete

    def _reject(self, error: MediakitError) -> None:
        """Respond with an error to the request that is being parsed, after the responses to earlier requests."""
        self._head_timer.cancel()
        self._body_timer.cancel()
        if self._in_body and self.pipeline:
            self.pipeline.popleft()
            self._pending_error = error
        elif self._is_responding and not self._in_body:
            self._pending_error = error
        else:
            self._send_error(error)

    def _send_error(self, error: MediakitError) -> None:
        """Send an error response, and close the connection when the client has had time to read it."""
        if self.transport.is_closing() or self._discard_timer.is_running:
            return
        if not self._abort_response():
            self.transport.write(error_bytes(error))
        self._discard_input()

    def _abort_response(self) -> bool:
        """End a call that is running on this connection, and return whether its response had begun."""
        if not self._is_responding:
            return False
        assert self._running  # noqa: S101  # a call is running
        self._running.disconnected = True
        self._running.message_event.set()
        return self._running.response_started

    def _discard_input(self) -> None:
        """Close the connection for writing, and discard what the client still sends, up to a limit."""
        self._unset_keepalive_if_required()
        self._writes.start_response()
        self._writes.watch()
        if not self.transport.can_write_eof():  # TLS
            self.transport.close()
            return
        self.transport.write_eof()
        self.flow.resume_reading()
        self._discard_timer.start(DISCARD_SECONDS, self.transport.close)

    def _discard(self, data: bytes) -> None:
        self._discarded_bytes += len(data)
        if self._discarded_bytes > MAX_DISCARDED_BYTES:
            self.transport.abort()


class _ResponseTransport(asyncio.Transport):
    """The transport as a response sees it: closing it does not reset a connection that has unread input."""

    def __init__(self, protocol: HttpProtocol, transport: asyncio.Transport) -> None:
        super().__init__()
        self._protocol = protocol
        self._transport = transport

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write a part of the response."""
        self._transport.write(data)

    def close(self) -> None:
        """Close the connection after the response."""
        self._protocol.close_after_response()

    def is_closing(self) -> bool:
        """Return whether the connection is closed or closing. A response to `Expect: 100-continue` asks for it."""
        return self._transport.is_closing()
