"""Reads request bodies up to a size limit."""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request

from mediakit.errors import InvalidInput, MediakitError

IDLE_TIMEOUT_SECONDS = 30
"""Maximum time between two parts of a body."""


class UnreadBodyError(Exception):
    """A request was rejected before its body was read; the connection has to be closed."""

    def __init__(self, error: MediakitError) -> None:
        super().__init__(error.message)
        self.error = error
        """The error of the response."""


async def read(request: Request, limit: int, too_large: MediakitError) -> bytes:
    """Return the body. Stop reading when it is larger than the limit.

    Raises:
        InvalidInput: The body is compressed.
        UnreadBodyError: The body is larger than the limit, or arrives too slowly.
    """
    return b"".join([chunk async for chunk in stream(request, limit, too_large)])


async def stream(request: Request, limit: int, too_large: MediakitError) -> AsyncIterator[bytes]:
    """Yield the chunks of the body. Raises the same errors as `read`."""
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise InvalidInput("Content-Encoding: compressed bodies are not accepted; send the body uncompressed.")
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > limit:
        raise UnreadBodyError(too_large)
    size = 0
    chunks = request.stream().__aiter__()
    while True:
        try:
            async with asyncio.timeout(IDLE_TIMEOUT_SECONDS):
                chunk = await anext(chunks, None)
        except TimeoutError:
            message = f"The body paused for more than {IDLE_TIMEOUT_SECONDS} seconds."
            raise UnreadBodyError(InvalidInput(message)) from None
        if chunk is None:
            return
        size += len(chunk)
        if size > limit:
            raise UnreadBodyError(too_large)
        yield chunk
