"""Calls as tasks on the running event loop: for the browser, for worker processes of engines, and for servers."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from mediakit.batches.calls import Call, save, with_retries
from mediakit.batches.entries import Entry
from mediakit.batches.targets.store import Store
from mediakit.errors import MediakitError
from mediakit.results.result import Result


class TaskRunner:
    """Calls the tool for one entry at a time in each task.

    Args:
        call: Calls the tool for an entry.
        store: Where files are written; None to keep the results.
        concurrency: Number of concurrent calls.
    """

    size = 1

    def __init__(
        self, call: Callable[[Entry[Any]], Awaitable[Result]], *, store: Store | None, concurrency: int
    ) -> None:
        self._call = call
        self._store = store
        self.concurrency = concurrency

    async def run(self, entries: list[Entry[Any]]) -> None:
        """Make the calls of entries one after another."""
        for entry in entries:
            start = time.perf_counter()
            try:
                result = await with_retries(partial(self._call, entry))
            except MediakitError as error:
                entry.error = error
                continue
            entry.ms = (time.perf_counter() - start) * 1000
            if self._store is None:
                entry.result = result
            else:
                await self._save(entry, result, self._store)

    async def _save(self, entry: Entry[Any], result: Result, store: Store) -> None:
        """Write the file of an entry. An interrupt waits for it, so that every file has a record."""
        call = Call(entry.row.number, entry.name, entry.values, entry.key)
        saving = asyncio.ensure_future(asyncio.to_thread(save, store, call, result, entry.ms))
        try:
            await asyncio.shield(saving)
        except asyncio.CancelledError:
            await saving
            raise
        finally:
            if saving.done() and not saving.cancelled() and not saving.exception():
                entry.record, entry.error = saving.result().record, saving.result().error

    async def close(self) -> None:
        """Do nothing: the tasks end with the job."""
