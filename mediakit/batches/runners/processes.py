"""Calls in worker processes of this machine: for tools that compute in Python."""

import asyncio
import os
import time
from concurrent.futures import Executor
from typing import Any

from mediakit.batches.calls import run_group
from mediakit.batches.entries import Entry
from mediakit.batches.runners.executors import ExecutorRunner, processors
from mediakit.batches.runners.groups import GroupSize, apply_when_made, make_group
from mediakit.batches.runners.parent import end_with
from mediakit.batches.targets.store import Store
from mediakit.core.tool import Tool

MIN_SECONDS_LEFT = 1.5
"""Work that is worth the start of worker processes, which takes about half a second."""

TRIAL_GROUP_SECONDS = 0.05
"""Time of a group in the thread, so that the trial is short."""

TRIAL_SECONDS = 0.2
"""Time after which the work that is left can be estimated."""


class ProcessRunner:
    """Makes the first calls in a thread, and the others in worker processes if they take long.

    Args:
        tool: The tool.
        store: Where files are written; None to keep the results.
        total: Number of calls; None if it is not known.
    """

    def __init__(self, tool: Tool[..., Any], *, store: Store | None, total: int | None) -> None:
        self._tool = tool
        self._store = store
        self._total = total
        self._done = 0
        self._seconds = 0.0
        self._size = GroupSize()
        self._thread = asyncio.Lock()
        self._pool: _PoolRunner | None = None
        self.concurrency = processors() * 2

    @property
    def size(self) -> int:
        """Number of entries of the next group."""
        return self._pool.size if self._pool else self._size.value

    async def run(self, entries: list[Entry[Any]]) -> None:
        """Make the calls of entries."""
        async with self._thread:
            if self._pool is None and not self._is_long():
                await self._run_here(entries)
                return
            self._pool = self._pool or _PoolRunner(self._tool, self._store)
        await self._pool.run(entries)

    async def close(self) -> None:
        """End the worker processes."""
        if self._pool:
            await self._pool.close()

    def _is_long(self) -> bool:
        if processors() == 1 or not self._done or self._seconds < TRIAL_SECONDS:
            return False
        left = float("inf") if self._total is None else self._total - self._done
        return left * self._seconds / self._done > MIN_SECONDS_LEFT

    async def _run_here(self, entries: list[Entry[Any]]) -> None:
        start = time.perf_counter()
        group = make_group(self._tool, entries, self._store)
        await apply_when_made(entries, asyncio.ensure_future(asyncio.to_thread(run_group, group)))
        seconds = time.perf_counter() - start
        self._size.measure(entries, groups_per_second=1 / TRIAL_GROUP_SECONDS)
        self._done += len(entries)
        self._seconds += seconds


class _PoolRunner(ExecutorRunner):
    """Runs groups in worker processes, and starts new ones if one ends."""

    def __init__(self, tool: Tool[..., Any], store: Store | None) -> None:
        super().__init__(_new_pool(), tool, store=store, workers=processors())

    async def renew(self, broken: Executor) -> None:
        """Start new worker processes, unless another group has done so."""
        if broken is self._executor:
            self._executor = _new_pool()
            await asyncio.to_thread(_end, broken)

    async def close(self) -> None:
        """End the worker processes."""
        await asyncio.to_thread(_end, self._executor)


def _new_pool() -> Executor:
    """Return a pool of processes that do not import the main module, so that scripts need no guard."""
    from loky.backend import get_context
    from loky.process_executor import ProcessPoolExecutor

    pool: Executor = ProcessPoolExecutor(
        processors(), context=get_context("loky"), initializer=end_with, initargs=(os.getpid(),)
    )
    return pool


def _end(pool: Any) -> None:
    pool.shutdown(wait=True, kill_workers=True)
