"""The calls of a batch, which run concurrently and fail independently."""

import asyncio
from typing import Any

from mediakit.batches.feed import Feed
from mediakit.batches.runners import Runner
from mediakit.batches.work import Work

PROGRESS_INTERVAL_SECONDS = 0.1


class Job:
    """Runs the calls of pending entries in order, on the event loop that starts it.

    Args:
        work: The entries, which receive their results and errors.
        runner: Makes the calls.
    """

    def __init__(self, work: Work[Any], runner: Runner) -> None:
        self._work = work
        self._runner = runner
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the calls."""
        feed = Feed(self._work.chunks(), self._work.admit)
        self._tasks = [asyncio.create_task(self._run(feed)) for _ in range(self._runner.concurrency)]

    async def is_running(self) -> bool:
        """Wait for one progress interval or until all calls have finished; return whether calls are still running.

        Raises:
            Exception: An error that does not belong to a row, for example a full disk.
        """
        done, running = await asyncio.wait(
            self._tasks, timeout=PROGRESS_INTERVAL_SECONDS, return_when=asyncio.FIRST_EXCEPTION
        )
        for task in done:
            task.result()
        return bool(running)

    async def stop(self) -> None:
        """Cancel running calls and wait until they have cleaned up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._runner.close()

    async def _run(self, feed: Feed) -> None:
        while entries := await feed.take(self._runner.size):
            try:
                await self._runner.run(entries)
            finally:  # also after an interrupt
                for entry in entries:
                    if not entry.is_pending:
                        self._work.finish(entry)
