"""Ends the work for a request when its client closes the connection."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

T = TypeVar("T")

GRACE_SECONDS = 0.05
"""Time for which work runs without a check of the connection. Most calls end earlier, and need no task for it."""


class ClientDisconnected(Exception):  # noqa: N818  # not an error: the response cannot be sent
    """The client closed the connection before the tool had finished."""


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of the work; it is cancelled if the client closes the connection.

    Raises:
        ClientDisconnected: The client closed the connection.
    """
    watch = _Watch(request)
    timer = asyncio.get_running_loop().call_later(GRACE_SECONDS, watch.start)
    try:
        return await work
    except asyncio.CancelledError:
        if watch.end_cancellation():
            raise ClientDisconnected from None
        raise
    finally:
        timer.cancel()
        watch.stop()


class _Watch:
    """Cancels the current task when the client of a request closes the connection."""

    __slots__ = ("_cancellations", "_has_cancelled", "_request", "_task", "_worker")

    def __init__(self, request: Request) -> None:
        self._request = request
        worker = asyncio.current_task()
        assert worker  # noqa: S101  # created in a coroutine
        self._worker = worker
        self._cancellations = worker.cancelling()
        self._task: asyncio.Task[None] | None = None
        self._has_cancelled = False

    def start(self) -> None:
        self._task = asyncio.create_task(self._wait())

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    def end_cancellation(self) -> bool:
        """Return whether the client is the only reason for the cancellation, which has then ended."""
        return self._has_cancelled and self._worker.uncancel() <= self._cancellations

    async def _wait(self) -> None:
        while (await self._request.receive())["type"] != "http.disconnect":
            pass
        self._has_cancelled = True
        self._worker.cancel()
