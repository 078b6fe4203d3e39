"""The calls of a batch: so many at a time, each with an outcome of its own."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from mediakit.batches.names import file_name
from mediakit.batches.rows import Row
from mediakit.errors import MediakitError, ServerBusy, TooManyRequests
from mediakit.results.result import Result

R = TypeVar("R", bound=Result)

TICK = 0.1
"""Seconds between two looks at the progress."""

PATIENCE = 300.0
"""Seconds that a row waits for a busy server, or for its key's next minute."""


@dataclass
class Entry(Generic[R]):
    """A row, its call and what became of it."""

    row: Row
    name: str
    values: Mapping[str, Any]
    result: R | None = None
    path: Path | None = None
    error: MediakitError | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is still to be made."""
        return self.result is None and self.error is None


class Job(Generic[R]):
    """Makes the open entries, in their order; belongs to the event loop that starts it.

    Args:
        entries: What to make; they note their outcomes.
        call: Makes one result.
        folder: Where files are saved as they are made.
        workers: How many calls run at a time.
    """

    def __init__(
        self,
        entries: Sequence[Entry[R]],
        call: Callable[[Mapping[str, Any]], Awaitable[R]],
        *,
        folder: Path | None,
        workers: int,
    ) -> None:
        self._waiting = (entry for entry in entries if entry.is_open)
        self._call = call
        self._folder = folder
        self._workers = workers
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin."""
        self._tasks = [asyncio.create_task(self._work(self._waiting)) for _ in range(self._workers)]

    async def goes_on(self) -> bool:
        """Wait a moment, or until all is done, and tell whether something still runs.

        What is no failure of a row, such as a full disk, is raised.
        """
        done, running = await asyncio.wait(self._tasks, timeout=TICK, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
        return bool(running)

    async def stop(self) -> None:
        """Cancel what still runs, and wait until it has cleaned up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _work(self, waiting: Iterator[Entry[R]]) -> None:
        for entry in waiting:
            try:
                made = await self._patient(entry)
                if self._folder:
                    entry.path = await asyncio.to_thread(made.save, self._folder / file_name(entry.name, made))
                entry.result = made
            except MediakitError as error:
                entry.error = error

    async def _patient(self, entry: Entry[R]) -> R:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return await self._call(entry.values)
            except (ServerBusy, TooManyRequests) as error:
                waits = type(error) in (ServerBusy, TooManyRequests)  # their kinds fail for other reasons
                if not waits or time.monotonic() + error.retry_after > deadline:
                    raise
                await asyncio.sleep(error.retry_after)
