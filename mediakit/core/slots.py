"""Who may work now, who waits, and who is sent away."""

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mediakit.errors import ServerBusy

WEIGHT = 0.2
"""How much the latest job counts in the average."""


class Slots:
    """A number of jobs at the same time, and a bounded queue before them, first come first served."""

    def __init__(self, slots: int, queue: int) -> None:
        self._slots = slots
        self._queue = queue
        self._free = asyncio.Semaphore(slots)
        self._seconds = 1.0
        self.taken = 0
        """Jobs that run now."""
        self.waiting = 0
        """Jobs that wait for a slot."""

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold a slot; wait for one if need be.

        Raises:
            ServerBusy: The queue is full.
        """
        await self._wait()
        self.taken += 1
        began = time.monotonic()
        try:
            yield
        finally:
            self._seconds += WEIGHT * (time.monotonic() - began - self._seconds)
            self.taken -= 1
            self._free.release()

    @property
    def retry_after(self) -> int:
        """Seconds until the queue has likely moved on, 1 to 30, from how long recent jobs took."""
        return min(max(math.ceil(self._seconds * (self.waiting + 1) / self._slots), 1), 30)

    async def _wait(self) -> None:
        if self._free.locked() and self.waiting >= self._queue:
            seconds = self.retry_after
            unit = "second" if seconds == 1 else "seconds"
            raise ServerBusy(f"The server is busy. Try again in {seconds} {unit}.", retry_after=seconds)
        self.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.waiting -= 1
