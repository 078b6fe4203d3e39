"""HTTP/1.1 connections: limits for the request head, and JSON errors for requests that cannot be parsed."""

import asyncio
from http import HTTPStatus

from pydantic_core import to_json
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from mediakit.errors import InvalidInput, MediakitError, RequestHeadersTooLarge

HEAD_TIMEOUT_SECONDS = 30.0
"""Time in which a request line and its headers must arrive."""

MAX_HEAD_BYTES = 64 * 1024
"""Size limit of the request line and the headers together."""

MAX_HEADERS = 100
"""Limit for the number of header lines, including the trailers of a chunked body."""

KEEP_ALIVE_SECONDS = 75
"""Idle time before a connection is closed; longer than the connection pools of common clients and proxies."""

DISCARD_SECONDS = 2.0
"""Time for which input is read and discarded after an error response.

Closing a socket that has unread input resets the connection, and the client may lose the response.
"""

TOO_MANY_HEADERS = f"headers: at most {MAX_HEADERS} header lines are accepted."
HEAD_TOO_LARGE = (
    f"headers: the request line and headers must be at most {MAX_HEAD_BYTES:,} bytes together. "
    "Send long options in a JSON body."
)


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol with a timeout and size limits for request heads, and with errors as JSON."""

    _head_timeout: asyncio.TimerHandle | None = None
    _discard_timeout: asyncio.TimerHandle | None = None
    _rejection: MediakitError | None = None
    _unparsed_bytes = 0
    """Bytes received since a head began; a header reaches `on_header` only when it is complete."""
    _head_bytes = 0
    _header_count = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout of the first request head."""
        super().connection_made(transport)
        self._start_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel every timeout."""
        self._cancel_head_timeout()
        if self._discard_timeout:
            self._discard_timeout.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received bytes, and reject a request head that exceeds the limits."""
        if self._discard_timeout:
            return
        if self._head_timeout:
            self._unparsed_bytes += len(data)
        super().data_received(data)
        if self._head_timeout and self._unparsed_bytes > MAX_HEAD_BYTES:
            self._reject(RequestHeadersTooLarge(HEAD_TOO_LARGE))

    def on_message_begin(self) -> None:
        """Start the timeout and the counters of a request head."""
        super().on_message_begin()
        self._head_bytes = self._header_count = 0
        if not self._head_timeout:
            self._start_head()

    def on_url(self, url: bytes) -> None:
        """Count the bytes of the URL."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header line and its bytes."""
        self._header_count += 1
        if self._header_count > MAX_HEADERS:
            self._stop_parsing(RequestHeadersTooLarge(TOO_MANY_HEADERS))
        self._count(len(name) + len(value) + len(b": \r\n"))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Cancel the timeout of the head; the body has its own."""
        self._cancel_head_timeout()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Respond to a request that could not be parsed. uvicorn calls this for every parser error."""
        self._reject(self._rejection or InvalidInput(msg))

    def _count(self, size: int) -> None:
        self._head_bytes += size
        if self._head_bytes > MAX_HEAD_BYTES:
            self._stop_parsing(RequestHeadersTooLarge(HEAD_TOO_LARGE))

    def _stop_parsing(self, rejection: MediakitError) -> None:
        self._rejection = rejection
        raise rejection  # the parser stops at an error of a callback, and uvicorn calls send_400_response

    def _reject(self, error: MediakitError) -> None:
        """Send an error response, and close the connection when the client has had time to read it."""
        self._cancel_head_timeout()
        if self.transport.is_closing():
            return
        if not self._abort_response():
            self.transport.write(_response(error))
        if not self.transport.can_write_eof():  # TLS
            self.transport.close()
            return
        self.transport.write_eof()
        self.flow.resume_reading()
        self._discard_timeout = self.loop.call_later(DISCARD_SECONDS, self.transport.close)

    def _abort_response(self) -> bool:
        """End a call that is running on this connection, and return whether its response had begun."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete:
            return False
        cycle.disconnected = True
        cycle.message_event.set()
        return cycle.response_started

    def _start_head(self) -> None:
        self._unparsed_bytes = 0
        self._head_timeout = self.loop.call_later(HEAD_TIMEOUT_SECONDS, self.transport.close)

    def _cancel_head_timeout(self) -> None:
        if self._head_timeout:
            self._head_timeout.cancel()
            self._head_timeout = None


def _response(error: MediakitError) -> bytes:
    body = to_json(error.body())
    head = (
        f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}\r\n"
        "content-type: application/json\r\nconnection: close\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
