"""Drawing while somebody types: a moment after the last change, one drawing at a time, only the newest is shown."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from mediakit.core.runtime import runtime

T = TypeVar("T")

QUIET = 0.25
"""Seconds without a change before a drawing starts."""


class Redraw(Generic[T]):
    """Makes and shows on the background loop, whatever thread asks.

    Args:
        make: Makes the drawing of the moment.
        show: Shows it, unless something has changed meanwhile.
    """

    def __init__(self, make: Callable[[], Awaitable[T]], show: Callable[[T], None]) -> None:
        self._make = make
        self._show = show
        self._changes = 0
        self._task: asyncio.Task[None] | None = None

    def ask(self, *, quiet: float = QUIET) -> None:
        """Note a change; the drawing starts when no other one comes for some seconds."""
        runtime.run(self._ask(quiet))

    def settle(self) -> None:
        """Wait until the last change has been drawn."""
        runtime.run(self._settle())

    async def _ask(self, quiet: float) -> None:
        self._changes += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._draw(quiet))

    async def _settle(self) -> None:
        if self._task and not self._task.done():
            await asyncio.wait({self._task})  # an interrupted waiter leaves the drawing alone

    async def _draw(self, quiet: float) -> None:
        drawn = None
        while drawn != self._changes:
            drawn = self._changes
            await asyncio.sleep(quiet)
            if drawn == self._changes:
                made = await self._make()
                if drawn == self._changes:
                    self._show(made)
