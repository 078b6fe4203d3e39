"""Reads request bodies up to a size limit."""

import asyncio
from collections.abc import AsyncIterator, Callable

from starlette.requests import ClientDisconnect, Request

from mediakit.errors import InvalidInput, MediakitError, ServerBusy

IDLE_TIMEOUT_SECONDS = 30
"""Maximum time between two parts of a body."""

BODY_TIMEOUT_SECONDS = 300
"""Time in which a body must arrive, including its trailers."""

MAX_BUFFERED_BYTES = 256 * 1024 * 1024
"""Bytes of all bodies that this process is reading at the same time."""


class UnreadBodyError(Exception):
    """A request was rejected before its body was read; the connection has to be closed."""

    def __init__(self, error: MediakitError) -> None:
        super().__init__(error.message)
        self.error = error
        """The error of the response."""


class BodyBudget:
    """Counts the bytes of unfinished bodies in memory."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used = 0

    def add(self, size: int) -> None:
        """Count the bytes of a chunk.

        Raises:
            UnreadBodyError: All bodies together are larger than the limit.
        """
        self.used += size
        if self.used > self.limit:
            raise UnreadBodyError(ServerBusy("The server is receiving too many large bodies. Try again in 5 seconds."))

    def remove(self, size: int) -> None:
        """Subtract the bytes of a body that is complete, or was rejected."""
        self.used -= size


buffered = BodyBudget(MAX_BUFFERED_BYTES)


async def read(request: Request, limit: int, too_large: Callable[[], MediakitError]) -> bytes:
    """Return the body. Stop reading when it is larger than the limit.

    Raises:
        InvalidInput: The body is compressed.
        UnreadBodyError: The body is larger than the limit, or arrives too slowly.
    """
    return b"".join([chunk async for chunk in stream(request, limit, too_large)])


async def stream(request: Request, limit: int, too_large: Callable[[], MediakitError]) -> AsyncIterator[bytes]:
    """Yield the chunks of the body. Raises the same errors as `read`."""
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise InvalidInput("Content-Encoding: compressed bodies are not accepted; send the body uncompressed.")
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > limit:
        raise UnreadBodyError(too_large())
    size, has_more = 0, True
    deadline = asyncio.get_running_loop().time() + BODY_TIMEOUT_SECONDS
    try:
        while has_more:
            chunk, has_more = await _next_chunk(request, deadline)
            size += len(chunk)
            buffered.add(len(chunk))
            if size > limit:
                raise UnreadBodyError(too_large())
            if chunk:
                yield chunk
    finally:
        buffered.remove(size)


async def _next_chunk(request: Request, deadline: float) -> tuple[bytes, bool]:
    """Return the next part of the body, and whether there are more."""
    now = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout_at(min(deadline, now + IDLE_TIMEOUT_SECONDS)):
            message = await request.receive()
    except TimeoutError:
        text = f"The body must arrive within {BODY_TIMEOUT_SECONDS} seconds."
        if deadline > now + IDLE_TIMEOUT_SECONDS:
            text = f"The body paused for more than {IDLE_TIMEOUT_SECONDS} seconds."
        raise UnreadBodyError(InvalidInput(text)) from None
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message.get("body", b""), message.get("more_body", False)
