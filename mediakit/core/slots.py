"""A limit on simultaneous jobs, with a bounded queue."""

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mediakit.errors import ServerBusy

SMOOTHING = 0.2
"""Weight of the latest job in the moving average of durations."""


class Slots:
    """Lets a number of jobs run at the same time; further jobs wait in a bounded first-in, first-out queue."""

    def __init__(self, slots: int, queue: int) -> None:
        self.slots = slots
        """Number of jobs that can run at the same time."""
        self.queue = queue
        """Number of jobs that can wait."""
        self._free = asyncio.Semaphore(slots)
        self._seconds = 1.0
        self.taken = 0
        """Number of running jobs."""
        self.waiting = 0
        """Number of jobs in the queue."""

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold a slot, after waiting for one if none is free.

        Raises:
            ServerBusy: The queue is full.
        """
        await self._wait()
        self.taken += 1
        began = time.monotonic()
        try:
            yield
        finally:
            self._seconds += SMOOTHING * (time.monotonic() - began - self._seconds)
            self.taken -= 1
            self._free.release()

    @property
    def retry_after(self) -> int:
        """Estimated seconds until a slot is free, 1 to 30, from the duration of recent jobs."""
        return min(max(math.ceil(self._seconds * (self.waiting + 1) / self.slots), 1), 30)

    async def _wait(self) -> None:
        if self._free.locked() and self.waiting >= self.queue:
            seconds = self.retry_after
            unit = "second" if seconds == 1 else "seconds"
            raise ServerBusy(f"The server is busy. Try again in {seconds} {unit}.", retry_after=seconds)
        self.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.waiting -= 1
