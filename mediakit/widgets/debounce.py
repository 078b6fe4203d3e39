"""Debounced updates: one at a time, a moment after the last change."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from mediakit.core.runtime import runtime

T = TypeVar("T")

DELAY_SECONDS = 0.25
"""Time without a change before an update starts."""


class DebouncedUpdate(Generic[T]):
    """Compute and show a value on the background event loop after changes; can be used from any thread.

    Args:
        compute: Computes the current value.
        show: Shows the value; not called if another change happened during the computation.
    """

    def __init__(self, compute: Callable[[], Awaitable[T]], show: Callable[[T], None]) -> None:
        self._compute = compute
        self._show = show
        self._changes = 0
        self._task: asyncio.Task[None] | None = None

    def schedule(self, *, delay: float = DELAY_SECONDS) -> None:
        """Schedule an update after `delay` seconds without another change."""
        if runtime.inside:  # a value that an update shows can change another one
            self._start(delay)
        else:
            runtime.run(self._schedule(delay))

    def wait(self) -> None:
        """Wait until the last change has been shown."""
        runtime.run(self._wait())

    async def _schedule(self, delay: float) -> None:
        self._start(delay)

    def _start(self, delay: float) -> None:
        self._changes += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._update(delay))

    async def _wait(self) -> None:
        if self._task and not self._task.done():
            await asyncio.wait({self._task})  # unlike `await self._task`, does not cancel the task on an interrupt

    async def _update(self, delay: float) -> None:
        seen = None
        while seen != self._changes:
            seen = self._changes
            await asyncio.sleep(delay)
            if seen == self._changes:
                value = await self._compute()
                if seen == self._changes:
                    self._show(value)
