"""HTTP/1.1 connections: uvicorn's protocol, with the limits for which uvicorn has no setting.

uvicorn parses requests with httptools and sends responses. Added here are a time and a size for request heads, a bound
for bytes that are neither head nor body, a time in which a client must read, a limit for connections at which an idle
one makes room, and JSON errors. Responses are sent in small parts. Bodies are limited where they are read, in
`body_stream`.
"""

import asyncio
import logging
import math
import re
import socket
import struct
import time
from functools import partial
from http import HTTPStatus
from typing import Any

import uvicorn
from pydantic_core import to_json
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from mediakit.api.headers import log_request, new_request_id
from mediakit.errors import InvalidInput, MediakitError, RequestHeadersTooLarge, ServerBusy

HEAD_TIMEOUT_SECONDS = 30.0
"""Time in which a request line and its headers must arrive."""

KEEP_ALIVE_SECONDS = 75
"""Idle time before a connection is closed; longer than the connection pools of common clients and proxies."""

STOP_SECONDS = 1.0
"""Time for which an idle connection stays open when the server stops, because a proxy may be about to use it."""

READ_TIMEOUT_SECONDS = 60.0
"""Time in which a client must read what is in the buffer of a connection, about 128 KB."""

MAX_RESPONSE_SECONDS = 600.0
"""Time in which a client must read a response that does not fit into the buffer."""

CHECK_SECONDS = 1.0
"""Interval at which the times of a connection are checked."""

MAX_HEAD_BYTES = 64 * 1024
"""Size limit of a request line with its headers, and of bytes that are neither a head nor the content of a body."""

MAX_HEADERS = 100
"""Limit for the number of header lines."""

MAX_PIPELINED = 16
"""Requests of a connection that wait for the response to an earlier one."""

FREE_BYTES_PER_CHUNK = 16
"""Bytes around the content of a chunk that do not count."""

PART_BYTES = 64 * 1024
"""Largest part of a body that is sent at once. The next one is sent when the client has read most of it."""

DISCARD_SECONDS = 2.0
"""Time for which the rest of a request is read and discarded after a response.

Closing a connection with unread input resets it, and the client may lose the response.
"""
MAX_DISCARDED_BYTES = 64 * 1024 * 1024
"""Bytes that are discarded in this time: the largest body that is accepted, and some more."""

LOG_INTERVAL_SECONDS = 60.0

TOO_MANY_HEADERS = f"headers: at most {MAX_HEADERS} header lines are accepted."
HEAD_TOO_LARGE = (
    f"headers: the request line and headers must be at most {MAX_HEAD_BYTES:,} bytes together. "
    "Send long options in a JSON body."
)
TOO_MUCH_OVERHEAD = "Transfer-Encoding: the chunked body has too many bytes that are not content."
TOO_MANY_PIPELINED = f"At most {MAX_PIPELINED} requests can wait on a connection. Wait for responses, then send more."
TOO_MANY_CONNECTIONS = "The server has too many connections. Try again in 5 seconds."
ONE_HOST = "Host: must be sent exactly once."
ONLY_CHUNKED = "Transfer-Encoding: must be chunked, in HTTP/1.1."

_UPGRADE_HEADER = b"\r\nupgrade:"
_UPGRADE = re.compile(_UPGRADE_HEADER, re.IGNORECASE)
_UPGRADE_BEGINNINGS = (b"\r\n\r", *(_UPGRADE_HEADER[:size] for size in range(len(_UPGRADE_HEADER) - 1, 0, -1)))
"""What can be the beginning of the header at the end of a packet, or an incomplete end of the head."""

_log = logging.getLogger("mediakit.api")


class HttpConfig(uvicorn.Config):
    """uvicorn's configuration, and what the connections of a server share."""

    def __init__(self, app: ASGIApp | str, *, max_connections: int, **options: Any) -> None:
        super().__init__(app, http=HttpProtocol, timeout_keep_alive=KEEP_ALIVE_SECONDS, **options)
        self.max_connections = max_connections
        self.idle: dict[HttpProtocol, None] = {}
        """Connections without a complete request head, the longest idle one first."""
        self._next_log_time = 0.0

    def log_full(self) -> None:
        """Log that a connection is refused, at most once a minute."""
        if time.monotonic() >= self._next_log_time:
            self._next_log_time = time.monotonic() + LOG_INTERVAL_SECONDS
            _log.warning("All %d connections are in use; new connections get a 503.", self.max_connections)


class HttpProtocol(HttpToolsProtocol):
    """A connection whose client can neither send without end nor leave responses unread."""

    config: HttpConfig

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to check the connection. At the limit, the longest idle one is closed, or this one gets a 503."""
        super().connection_made(transport)
        self._in_body = False
        """Whether a request head is complete, and its body is not."""
        self._held_back = b""
        """The last bytes of an incomplete head that can be the beginning of a header `Upgrade`."""
        self._overhead_bytes = 0
        """Bytes received that are not content of a body, since a head began or a body made progress."""
        self._error: MediakitError | None = None
        """Why this connection ends. It is sent after the responses to earlier requests."""
        self._is_discarding = False
        """Whether further input is discarded."""
        self._is_stopping = False
        """Whether the server stops; the connection ends after the next response."""
        self._running: RequestResponseCycle | None = None
        """The request whose response is being sent; `cycle` is the last one that was parsed."""
        self._input_deadline = self.loop.time() + HEAD_TIMEOUT_SECONDS
        self._read_deadline = self._response_deadline = math.inf
        self._checks = self.loop.call_later(CHECK_SECONDS, self._check)
        idle = self.config.idle
        while len(self.connections) > self.config.max_connections and idle:
            oldest = next(iter(idle))
            del idle[oldest]
            self.connections.discard(oldest)
            oldest.transport.abort()
        idle[self] = None
        if len(self.connections) > self.config.max_connections:
            self.config.log_full()
            self._reject(ServerBusy(TOO_MANY_CONNECTIONS))

    def connection_lost(self, exc: Exception | None) -> None:
        """End the call that is running; uvicorn ends only the last one that was received."""
        self._checks.cancel()
        self.config.idle.pop(self, None)
        self._end_call()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received bytes, and count those that are not content."""
        self._overhead_bytes += len(data)
        if self._is_discarding:
            if self._overhead_bytes > MAX_DISCARDED_BYTES:
                self.transport.abort()
            return
        if not self._in_body:
            data = self._without_upgrade(data)
        if self.timeout_keep_alive_task:
            self._input_deadline = self.loop.time() + HEAD_TIMEOUT_SECONDS
        super().data_received(data)
        if self._overhead_bytes > MAX_HEAD_BYTES and not self._error:
            self._reject(InvalidInput(TOO_MUCH_OVERHEAD) if self._in_body else RequestHeadersTooLarge(HEAD_TOO_LARGE))

    def _without_upgrade(self, data: bytes) -> bytes:
        """Rename the header `Upgrade`: httptools would not read the body of such a request.

        A server may ignore the header (RFC 9110, section 7.8). What can be its beginning waits for the next bytes.
        """
        head, end, rest = (self._held_back + data).partition(b"\r\n\r\n")
        self._held_back = b""
        if not end:
            lower = head[-len(_UPGRADE_HEADER) :].lower()
            self._held_back = next((part for part in _UPGRADE_BEGINNINGS if lower.endswith(part)), b"")
            self._held_back = head[len(head) - len(self._held_back) :]  # as it was sent
            head = head[: len(head) - len(self._held_back)]
        return _UPGRADE.sub(b"\r\nx-upgrade:", head) + end + rest

    def on_message_begin(self) -> None:
        """Start the time of a request head, also of one that follows an unanswered request."""
        super().on_message_begin()
        self._input_deadline = min(self._input_deadline, self.loop.time() + HEAD_TIMEOUT_SECONDS)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header. Trailers are not added to the headers."""
        if not self._in_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Check the head, and start or queue the call."""
        if error := self._head_error():
            self._reject(error)
            raise error  # the parser stops at an error of a callback
        self.config.idle.pop(self, None)
        super().on_headers_complete()
        self._in_body, self._overhead_bytes, self._input_deadline = True, 0, math.inf
        if self._is_stopping or self.parser.should_upgrade():  # the parser drops the bytes after a request with Upgrade
            self.cycle.keep_alive = False
        if len(self.pipeline) > MAX_PIPELINED:
            error = InvalidInput(TOO_MANY_PIPELINED)
            self._reject(error)
            raise error

    def on_body(self, body: bytes) -> None:
        """Allow overhead in proportion to the content."""
        self._overhead_bytes = max(0, self._overhead_bytes - 3 * len(body) - FREE_BYTES_PER_CHUNK)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Expect the next request."""
        self._in_body, self._overhead_bytes = False, 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Respond to a request that could not be parsed. uvicorn calls this for every parser error."""
        if not self._error:
            self._reject(InvalidInput(msg))

    def on_response_complete(self) -> None:
        """Start the next call of the connection, or wait for a request."""
        self._response_deadline = math.inf
        if self.transport.get_write_buffer_size():
            self._read_deadline = min(self._read_deadline, self.loop.time() + READ_TIMEOUT_SECONDS)
        super().on_response_complete()
        if not self._is_responding and not self.transport.is_closing():
            self.config.idle[self] = None
            if self._error:
                self._send_error(self._error)

    def shutdown(self) -> None:
        """End the connection when the server stops: after a response, or soon if none is expected."""
        self._is_stopping = True
        if self.timeout_keep_alive_task:
            self.timeout_keep_alive_task.cancel()
            self.timeout_keep_alive_task = self.loop.call_later(STOP_SECONDS, self.timeout_keep_alive_handler)
        else:
            super().shutdown()

    def pause_writing(self) -> None:
        """Set the time in which the client must read what was written, and the rest of the response."""
        super().pause_writing()
        now = self.loop.time()
        self._read_deadline = now + READ_TIMEOUT_SECONDS
        self._response_deadline = min(self._response_deadline, now + MAX_RESPONSE_SECONDS)

    def resume_writing(self) -> None:
        """Set the time for the rest; the client has read most of what was written."""
        self._read_deadline = self.loop.time() + READ_TIMEOUT_SECONDS
        super().resume_writing()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGIApp) -> None:  # type: ignore[override]
        self._running = cycle
        super()._start_asgi_task(cycle, partial(self._run, app, cycle))

    async def _run(self, app: ASGIApp, cycle: RequestResponseCycle, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the app for a request. Its response is sent in parts; if it comes early, the connection ends after it."""
        is_early = False

        async def send_parts(message: Message) -> None:
            nonlocal is_early
            if message["type"] == "http.response.start":
                cycle.keep_alive = cycle.keep_alive and not cycle.more_body
                is_early = cycle.more_body and any(name.lower() == b"content-length" for name, _ in message["headers"])
                await send(message)
                return
            body = memoryview(message.get("body", b""))
            while len(body) > PART_BYTES:
                await send({"type": message["type"], "body": body[:PART_BYTES], "more_body": True})
                body = body[PART_BYTES:]
            # After the end of a response, uvicorn would close the connection at once.
            await send({**message, "body": body, "more_body": is_early or message.get("more_body", False)})

        await app(scope, receive, send_parts)
        if is_early:
            self._close_after_discarding()

    def _unsupported_upgrade_warning(self) -> None:
        """Ignore the Upgrade header, as RFC 9110 section 7.8 allows."""

    @property
    def _is_responding(self) -> bool:
        return self._running is not None and not self._running.response_complete

    def _check(self) -> None:
        """Close the connection if its client is too slow."""
        self._checks = self.loop.call_later(CHECK_SECONDS, self._check)
        now = self.loop.time()
        if not self.transport.get_write_buffer_size():
            self._read_deadline = math.inf
        elif now > min(self._read_deadline, self._response_deadline):
            # The system would otherwise try to send the rest for minutes.
            sock = self.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
        if now > self._input_deadline and not self._is_responding:
            self.transport.close()

    def _head_error(self) -> MediakitError | None:
        """Return what is wrong with a request head that the parser has accepted."""
        if len(self.headers) > MAX_HEADERS:
            return RequestHeadersTooLarge(TOO_MANY_HEADERS)
        if len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > MAX_HEAD_BYTES:
            return RequestHeadersTooLarge(HEAD_TOO_LARGE)
        is_current = self.parser.get_http_version() == "1.1"
        hosts = [value for name, value in self.headers if name == b"host"]
        codings = [value.lower() for name, value in self.headers if name == b"transfer-encoding"]
        if len(hosts) != 1 and is_current:
            return InvalidInput(ONE_HOST)
        return InvalidInput(ONLY_CHUNKED) if codings and (codings != [b"chunked"] or not is_current) else None

    def _reject(self, error: MediakitError) -> None:
        """Respond with an error to the request that is being parsed, after the responses to earlier requests."""
        self._error, self._is_discarding = error, True
        self._overhead_bytes, self._input_deadline = 0, math.inf
        if self._in_body and self.pipeline:
            self.pipeline.popleft()  # its call has not begun
        elif self._in_body or not self._is_responding:
            self._send_error(error)

    def _send_error(self, error: MediakitError) -> None:
        """Send an error response, unless the request has got another one, and close the connection."""
        if not (self._in_body and self.cycle.response_started):
            self.transport.write(_response(error))
        self._close_after_discarding()

    def _close_after_discarding(self) -> None:
        """Close the connection for writing, and discard what the client still sends, for a short time."""
        self._is_discarding, self._overhead_bytes = True, 0
        self._unset_keepalive_if_required()
        self._end_call()
        if self.transport.is_closing():
            return
        if not self.transport.can_write_eof():  # TLS
            self.transport.close()
            return
        self.transport.write_eof()
        self.flow.resume_reading()
        self._input_deadline = self.loop.time() + DISCARD_SECONDS

    def _end_call(self) -> None:
        """End the call that is running, as if its client had disconnected."""
        if self._running and self._is_responding:
            self._running.disconnected = True
            self._running.message_event.set()
            self._running = None


def _response(error: MediakitError) -> bytes:
    """Return a response, after which the connection is closed. No app has the request, so it is logged here."""
    request_id = new_request_id()
    log_request("-", "unknown", error.status, 0, request_id)
    body = to_json(error.body())
    headers = [
        f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}",
        "content-type: application/json",
        "connection: close",
        f"content-length: {len(body)}",
        f"x-request-id: {request_id}",
    ]
    if hasattr(error, "retry_after"):
        headers.append(f"retry-after: {error.retry_after}")
    return "\r\n".join([*headers, "\r\n"]).encode() + body
