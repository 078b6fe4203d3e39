"""The calls of a batch, which run concurrently and fail independently."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from mediakit.batches.names import file_name
from mediakit.batches.rows import Row
from mediakit.errors import MediakitError, ServerBusy, TooManyRequests
from mediakit.results.result import Result

R = TypeVar("R", bound=Result)

PROGRESS_INTERVAL_SECONDS = 0.1

MAX_RETRY_SECONDS = 300.0
"""Time for which a row is retried while the server is busy or the rate limit is reached."""


@dataclass
class Entry(Generic[R]):
    """A row with its call and the result or error."""

    row: Row
    name: str
    values: Mapping[str, Any]
    result: R | None = None
    path: Path | None = None
    error: MediakitError | None = None
    idempotency_key: str = field(default_factory=lambda: str(uuid.uuid4()))
    """Key of the call to a server, so that a call whose response was lost is charged once."""

    @property
    def is_pending(self) -> bool:
        """Whether the entry has neither a result nor an error."""
        return self.result is None and self.error is None


class Job(Generic[R]):
    """Runs the calls of pending entries in order, on the event loop that starts it.

    Args:
        entries: The entries, which receive their results and errors.
        call: Calls the tool for an entry.
        directory: Directory in which each file is saved as soon as it is ready.
        workers: Number of concurrent calls.
    """

    def __init__(
        self,
        entries: Sequence[Entry[R]],
        call: Callable[[Entry[R]], Awaitable[R]],
        *,
        directory: Path | None,
        workers: int,
    ) -> None:
        self._pending = (entry for entry in entries if entry.is_pending)
        self._call = call
        self._directory = directory
        self._workers = workers
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the calls."""
        self._tasks = [asyncio.create_task(self._work(self._pending)) for _ in range(self._workers)]

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

    async def _work(self, pending: Iterator[Entry[R]]) -> None:
        for entry in pending:
            try:
                result = await self._call_with_retries(entry)
                if self._directory:
                    entry.path = await asyncio.to_thread(result.save, self._directory / file_name(entry.name, result))
                entry.result = result
            except MediakitError as error:
                entry.error = error

    async def _call_with_retries(self, entry: Entry[R]) -> R:
        deadline = time.monotonic() + MAX_RETRY_SECONDS
        while True:
            try:
                return await self._call(entry)
            except (ServerBusy, TooManyRequests) as error:
                can_retry = type(error) in (ServerBusy, TooManyRequests)  # a subclass is not temporary
                if not can_retry or time.monotonic() + error.retry_after > deadline:
                    raise
                await asyncio.sleep(error.retry_after)
