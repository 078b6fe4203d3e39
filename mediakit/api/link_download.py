"""Responses with the file of a temporary link. The file is read while it is sent, and is never in memory as a whole."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from mediakit.accounts import LinkFile
from mediakit.api.byte_ranges import ByteRange, is_unchanged, requested_range
from mediakit.api.error_responses import error_response
from mediakit.api.responses import UNTRUSTED_FILE_HEADERS, content_disposition
from mediakit.errors import RangeNotSatisfiable

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
