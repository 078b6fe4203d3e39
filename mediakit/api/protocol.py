"""HTTP/1.1 on a connection: a request's head comes in time and within a size; what is no HTTP is refused in JSON."""

import asyncio

from pydantic_core import to_json
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 30.0
"""How long a sender may take for the line and the headers of a request."""

HEAD_BYTES = 2 * 1024 * 1024
"""The most that they may be: room for an API key of any length to be told that it is not valid."""

KEEP_ALIVE_SECONDS = 75
"""How long a connection stays open for the next request: longer than the pools of clients and proxies keep it."""

TOO_LARGE = f"The request's line and headers are too large: at most {HEAD_BYTES:,} bytes are accepted."


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which by itself waits for a head for ever, takes any, and refuses in plain text."""

    _deadline: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._have_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; as long as a head is not whole, count it."""
        if self._deadline:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._deadline and self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response(TOO_LARGE)

    def on_message_begin(self) -> None:
        """Begin to wait for the rest of a head."""
        super().on_message_begin()
        if not self._deadline:
            self._wait_for_head()

    def on_headers_complete(self) -> None:
        """Go on to the body."""
        self._have_head()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, in the shape of every other error."""
        body = to_json({"error": msg})
        head = b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n"
        self.transport.write(b"%scontent-length: %d\r\n\r\n%s" % (head, len(body), body))
        self.transport.close()

    def _wait_for_head(self) -> None:
        self._head_bytes = 0
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _have_head(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None
