"""Responses with the file of a temporary link, whole or in part (RFC 9110, sections 13 and 14).

The file is read while it is sent, and is never in memory as a whole.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from mediakit.accounts import LinkFile
from mediakit.api.error_responses import error_response
from mediakit.api.responses import UNTRUSTED_FILE_HEADERS, content_disposition
from mediakit.errors import RangeNotSatisfiable

_RANGE = re.compile(r"bytes=[ \t]*(\d{0,19})-(\d{0,19})[ \t]*", re.IGNORECASE | re.ASCII)
_ETAG = re.compile(r'(?:W/)?("[^"]*")')


@dataclass(frozen=True, slots=True)
class ByteRange:
    """A part of a file: the bytes from `start` up to, but without, `end`."""

    start: int
    end: int

    @property
    def size(self) -> int:
        """Number of bytes."""
        return self.end - self.start


def requested_range(range_header: str | None, if_range: str | None, etag: str, size: int) -> ByteRange | None:
    """Return the part of a file that a request asks for; None for the whole file.

    Several ranges, other units, syntax errors and an `If-Range` of another file result in the whole file.

    Raises:
        RangeNotSatisfiable: The range begins after the end of the file.
    """
    match = _RANGE.fullmatch(range_header or "")
    first, last = match.groups() if match else ("", "")
    if not (first or last) or if_range not in (None, etag):
        return None
    if not first:
        found = ByteRange(max(0, size - int(last)), size)
    elif last and int(last) < int(first):
        return None
    else:
        found = ByteRange(int(first), min(int(last) + 1, size) if last else size)
    if found.size <= 0:
        raise RangeNotSatisfiable(f"Range: must begin within the {size:,} bytes of the file, got {first}-{last}.")
    return found


def is_unchanged(if_none_match: str | None, etag: str) -> bool:
    """Return whether the client already has the file, by its `If-None-Match` header."""
    if if_none_match is None:
        return False
    return if_none_match.strip() == "*" or etag in _ETAG.findall(if_none_match)


READ_BYTES = 256 * 1024
"""Size of the parts in which a file is read and sent."""

ACTIVE_TYPES = ("image/svg+xml", "text/html", "application/xhtml+xml", "text/xml", "application/xml")
"""Media types that can contain scripts: browsers download such a file instead of opening it on this origin."""

ReadPart = Callable[[int, int], Awaitable[bytes]]
"""Reads a part of a file: its start and its size."""


def download_response(request: Request, file: LinkFile, read: ReadPart) -> Response:
    """Return the response to a request for a file: all of it, a range, or only that it has not changed.

    Args:
        request: The request.
        file: The file. It is closed with the response.
        read: Reads parts of the file, without blocking the event loop.
    """
    headers = {
        "ETag": file.etag,
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, no-store",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    if is_unchanged(request.headers.get("if-none-match"), file.etag):
        file.close()
        return Response(status_code=304, headers=headers)
    part = ByteRange(0, file.size)
    status = 200
    if request.method == "GET":
        try:
            asked = _requested_range(request, file)
        except RangeNotSatisfiable as error:
            file.close()
            return error_response(error, headers | {"Content-Range": f"bytes */{file.size}"})
        if asked:
            part, status = asked, 206
            headers["Content-Range"] = f"bytes {part.start}-{part.end - 1}/{file.size}"
    headers |= UNTRUSTED_FILE_HEADERS | _content_headers(file, part)
    if request.method == "HEAD":
        file.close()
        return Response(headers=headers, media_type=file.mime_type)
    return _FileResponse(file, part, read, status, headers)


def _requested_range(request: Request, file: LinkFile) -> ByteRange | None:
    headers = request.headers
    return requested_range(headers.get("range"), headers.get("if-range"), file.etag, file.size)


def _content_headers(file: LinkFile, part: ByteRange) -> dict[str, str]:
    disposition: Literal["inline", "attachment"] = "attachment" if file.mime_type in ACTIVE_TYPES else "inline"
    return {
        "Content-Length": str(part.size),
        "Content-Disposition": content_disposition(disposition, file.filename),
    }


class _FileResponse(StreamingResponse):
    """A response that reads a file while it is sent, and closes it."""

    def __init__(self, file: LinkFile, part: ByteRange, read: ReadPart, status: int, headers: dict[str, str]) -> None:
        super().__init__(_parts(part, read), status, headers, file.mime_type)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()


async def _parts(part: ByteRange, read: ReadPart) -> AsyncIterator[bytes]:
    for start in range(part.start, part.end, READ_BYTES):
        yield await read(start, min(READ_BYTES, part.end - start))
