"""A parser of HTTP/1.1 requests that stops at requests over a limit, and at requests that are ambiguous."""

import asyncio
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from mediakit.errors import InvalidInput, MediakitError, RequestHeadersTooLarge

MAX_HEAD_BYTES = 64 * 1024
"""Size limit of the request line and the headers together, including the trailers of a chunked body.

It also limits the bytes of a chunked body that are not content, beyond those of reasonably large chunks.
"""

MAX_HEADERS = 100
"""Limit for the number of header lines, including the trailers of a chunked body."""

MAX_PIPELINED = 16
"""Requests of a connection that wait for the response to an earlier one."""

FREE_BYTES_PER_CHUNK = 16
"""Bytes around the content of a chunk that do not count as overhead."""

TOO_MANY_HEADERS = f"headers: at most {MAX_HEADERS} header lines are accepted."
HEAD_TOO_LARGE = (
    f"headers: the request line and headers must be at most {MAX_HEAD_BYTES:,} bytes together. "
    "Send long options in a JSON body."
)
TOO_MUCH_OVERHEAD = "Transfer-Encoding: the chunked body has too many bytes that are not content."
TOO_MANY_PIPELINED = f"At most {MAX_PIPELINED} requests can wait on a connection. Wait for responses, then send more."
ONE_HOST = "Host: must be sent exactly once."


class LimitedParser(HttpToolsProtocol):
    """uvicorn's protocol with size limits for every part of a request."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._in_body = False
        """Whether a request head is complete, and its body is not."""
        self._parser_error: MediakitError | None = None
        """The reason why a callback of the parser stopped it."""
        self._overhead_bytes = 0
        """Bytes received that are not content of a body, since a head began or a body made progress.

        A header reaches `on_header` only when it is complete.
        """
        self._head_bytes = 0
        self._header_count = 0

    def on_message_begin(self) -> None:
        """Reset the counters of a request head."""
        super().on_message_begin()
        self._head_bytes = self._header_count = 0

    def on_url(self, url: bytes) -> None:
        """Count the bytes of the URL."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header line and its bytes. Trailers are not added to the headers."""
        self._header_count += 1
        if self._header_count > MAX_HEADERS:
            self._stop_parsing(RequestHeadersTooLarge(TOO_MANY_HEADERS))
        self._count(len(name) + len(value) + len(b": \r\n"))
        if not self._in_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Check the head, and start or queue the call."""
        if sum(name == b"host" for name, _ in self.headers) != 1 and self.parser.get_http_version() == "1.1":
            self._stop_parsing(InvalidInput(ONE_HOST))
        super().on_headers_complete()
        self._in_body = True
        self._overhead_bytes = 0
        if self.parser.should_upgrade():
            self.cycle.keep_alive = False  # the parser drops the bytes after a request with Upgrade
        if len(self.pipeline) > MAX_PIPELINED:
            self._stop_parsing(InvalidInput(TOO_MANY_PIPELINED))

    def on_chunk_header(self) -> None:
        """Allow some overhead for each chunk."""
        self._overhead_bytes = max(0, self._overhead_bytes - FREE_BYTES_PER_CHUNK)

    def on_body(self, body: bytes) -> None:
        """Allow overhead in proportion to the content."""
        self._overhead_bytes = max(0, self._overhead_bytes - 3 * len(body))
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Reset the counters."""
        self._in_body = False
        self._overhead_bytes = 0
        super().on_message_complete()

    def _overhead_error(self) -> MediakitError | None:
        """Return the error of a request with too many bytes that are not content."""
        if self._overhead_bytes <= MAX_HEAD_BYTES:
            return None
        return InvalidInput(TOO_MUCH_OVERHEAD) if self._in_body else RequestHeadersTooLarge(HEAD_TOO_LARGE)

    def _count(self, size: int) -> None:
        self._head_bytes += size
        if self._head_bytes > MAX_HEAD_BYTES:
            self._stop_parsing(RequestHeadersTooLarge(HEAD_TOO_LARGE))

    def _stop_parsing(self, error: MediakitError) -> None:
        self._parser_error = error
        raise error  # the parser stops at an error of a callback, and uvicorn calls send_400_response
