"""Files that are sent in parts, so that they are never in memory as a whole: temporary links and large results."""

import asyncio
import io
import logging
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Literal

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from mediakit.accounts import LinkFile
from mediakit.api.headers import is_known
from mediakit.api.responses import UNTRUSTED_FILE_HEADERS, ErrorResponse, content_disposition
from mediakit.errors import RangeNotSatisfiable, ServerBusy

_RANGE = re.compile(r"bytes=[ \t]*(\d{0,19})-(\d{0,19})[ \t]*", re.IGNORECASE | re.ASCII)


def requested_range(range_header: str | None, if_range: str | None, etag: str, size: int) -> range | None:
    """Return the positions of the bytes that a request asks for; None for the whole file.

    Several ranges, other units, syntax errors and an `If-Range` of another file result in the whole file.

    Raises:
        RangeNotSatisfiable: The range begins after the end of the file.
    """
    match = _RANGE.fullmatch(range_header or "")
    first, last = match.groups() if match else ("", "")
    is_reversed = bool(first and last) and int(last) < int(first)
    if not (first or last) or if_range not in (None, etag) or is_reversed:
        return None
    if first:
        found = range(int(first), min(int(last) + 1, size) if last else size)
    else:
        found = range(max(0, size - int(last)), size)
    if not found:
        raise RangeNotSatisfiable(f"Range: must begin within the {size:,} bytes of the file, got {first}-{last}.")
    return found


READ_BYTES = 256 * 1024
"""Size of the parts in which a file is read and sent."""

ACTIVE_TYPES = ("image/svg+xml", "text/html", "application/xhtml+xml", "text/xml", "application/xml")
"""Media types that can contain scripts: browsers download such a file instead of opening it on this origin."""

ReadPart = Callable[[int, int], Awaitable[bytes]]
"""Reads a part of a file: its start and its size."""


def download_response(request: Request, file: LinkFile, read: ReadPart) -> Response:
    """Return the response to a request for a file: all of it, a range, or only that it has not changed.

    The file is closed with the response. Its parts are read without blocking the event loop.
    """
    headers = {
        "ETag": file.etag,
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, no-store",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    received = request.headers
    if is_known(request, file.etag):
        file.close()
        return Response(status_code=304, headers=headers)
    part = None
    if request.method == "GET":
        try:
            part = requested_range(received.get("range"), received.get("if-range"), file.etag, file.size)
        except RangeNotSatisfiable as error:
            file.close()
            return ErrorResponse(error, headers | {"Content-Range": f"bytes */{file.size}"})
    if part:
        headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{file.size}"
    sent = part or range(file.size)
    disposition: Literal["inline", "attachment"] = "attachment" if file.mime_type in ACTIVE_TYPES else "inline"
    headers |= UNTRUSTED_FILE_HEADERS | {
        "Content-Length": str(len(sent)),
        "Content-Disposition": content_disposition(disposition, file.filename),
    }
    if request.method == "HEAD":
        file.close()
        return Response(headers=headers, media_type=file.mime_type)
    return _LinkFileResponse(file, sent, read, 206 if part else 200, headers)


class _LinkFileResponse(StreamingResponse):
    """A response that reads a file while it is sent, and closes it."""

    def __init__(self, file: LinkFile, part: range, read: ReadPart, status: int, headers: dict[str, str]) -> None:
        super().__init__(_parts(part, read), status, headers, file.mime_type)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()


async def _parts(part: range, read: ReadPart) -> AsyncIterator[bytes]:
    for start in part[::READ_BYTES]:
        yield await read(start, min(READ_BYTES, part.stop - start))


SPOOL_BYTES = 256 * 1024
"""Larger bodies are sent from a file, in parts of this size."""

MAX_ACCOUNT_BYTES = 256 * 1024 * 1024
"""Bytes of results that the clients of an account have not read. With more, its next calls get a 503."""


_log = logging.getLogger("mediakit.api")


class UnreadResults:
    """The large results of this process that their clients have not read yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        """The home of the server; the folder for temporary files of a container is often in memory."""
        self._bytes: Counter[int] = Counter()

    def require_room(self, account_id: int) -> None:
        """Refuse a call of an account whose clients do not read its results.

        Raises:
            ServerBusy: Too many bytes are unread.
        """
        if self._bytes[account_id] > MAX_ACCOUNT_BYTES:
            megabytes = MAX_ACCOUNT_BYTES // 1024**2
            raise ServerBusy(f"{megabytes} MB of results of this account are unread. Read them, then try again.")

    def response(self, response: Response, account_id: int) -> Response:
        """Return a response that holds a large body in a file; a small one as it is."""
        if len(response.body) <= SPOOL_BYTES:
            return response
        return _FileBodyResponse(response, self._folder, self._bytes, account_id)


class _FileBodyResponse(StreamingResponse):
    """A response whose body is written to a temporary file, and sent from there in parts."""

    def __init__(self, response: Response, folder: Path, unread: Counter[int], account_id: int) -> None:
        self._folder = folder
        self.status_code, self.raw_headers = response.status_code, response.raw_headers
        self.background = response.background
        self.body_iterator = self._parts(unread, account_id)
        self._content = bytes(response.body)

    async def _parts(self, unread: Counter[int], account_id: int) -> AsyncIterator[bytes]:
        size = len(self._content)
        unread[account_id] += size
        try:
            with await asyncio.to_thread(self._spool) as file:
                while part := await asyncio.to_thread(file.read, SPOOL_BYTES):
                    yield part
        finally:
            unread[account_id] -= size
            if not unread[account_id]:
                del unread[account_id]

    def _spool(self) -> IO[bytes]:
        """Move the body to a file without a name; it stays in memory if the disk is full."""
        content, self._content = self._content, b""
        try:
            with ExitStack() as failed:
                file: IO[bytes] = failed.enter_context(tempfile.TemporaryFile(dir=self._folder))
                file.write(content)
                file.seek(0)
                failed.pop_all()
                return file
        except OSError as error:
            _log.warning("A result of %d bytes stays in memory; MEDIAKIT_HOME: %s", len(content), error.strerror)
            return io.BytesIO(content)
