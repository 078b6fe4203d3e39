"""Calls on an executor of the standard library or of Dask."""

import asyncio
import inspect
import os
from concurrent.futures import BrokenExecutor, Executor
from typing import Any

from mediakit.batches.calls import Group, local_calls, run_group
from mediakit.batches.entries import Entry
from mediakit.batches.runners.groups import GroupSize, apply_when_made, make_group
from mediakit.batches.targets.store import Store
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput, WorkerEnded

GROUPS_PER_WORKER = 2
"""Groups that a worker has, so that it never waits for the next one."""

MAX_CRASHES = 2
"""Workers that may end while they make a row alone, before the row fails."""


class ExecutorRunner:
    """Sends groups of entries to the workers of an executor, which write their files themselves.

    Args:
        executor: The executor.
        tool: The tool.
        store: Where the workers write files; None to send the results back.
        workers: Number of workers of the executor.
    """

    def __init__(self, executor: Executor, tool: Tool[..., Any], *, store: Store | None, workers: int) -> None:
        self._executor = executor
        self._tool = tool
        self._store = store
        self.concurrency = workers * GROUPS_PER_WORKER
        self._size = GroupSize(1 if is_cpu_bound(tool) else local_calls())
        self._alone = asyncio.Lock()

    @property
    def size(self) -> int:
        """Number of entries of the next group."""
        return self._size.value

    async def run(self, entries: list[Entry[Any]]) -> None:
        """Make the calls of entries on a worker. If the worker ends, repeat them: first together, then one by one."""
        executor = self._executor
        try:
            await self._send(entries)
        except Exception as error:
            if not has_ended(error):
                raise
            async with self._alone:  # so that only the rows that end a worker are counted
                await self._repeat(entries, error, executor)
        else:
            self._size.measure(entries)

    async def close(self) -> None:
        """Do nothing: the executor belongs to the caller."""

    async def renew(self, broken: Executor) -> None:  # noqa: ARG002  # for runners that own their executor
        """Replace an executor whose worker ended.

        Raises:
            InvalidInput: The executor belongs to the caller.
        """
        raise InvalidInput(
            "executor: a worker process ended, so the executor accepts no more calls. Run the same call with a new "
            "executor; if the batch has `to`, only the missing rows are made."
        )

    async def _repeat(self, entries: list[Entry[Any]], error: Exception, executor: Executor) -> None:
        if isinstance(error, BrokenExecutor):
            await self.renew(executor)
        for entry in entries:
            while entry.is_pending:
                executor = self._executor
                try:
                    await self._send([entry])
                except Exception as again:
                    if not has_ended(again):
                        raise
                    if isinstance(again, BrokenExecutor):
                        await self.renew(executor)
                    entry.crashes += 1
                    if entry.crashes >= MAX_CRASHES:
                        entry.error = WorkerEnded("The worker process ended while it made this row.")

    async def _send(self, entries: list[Entry[Any]]) -> None:
        group: Group = make_group(self._tool, entries, self._store)
        submitted = self._executor.submit(run_group, group)
        await apply_when_made(entries, asyncio.wrap_future(submitted), cancel=submitted.cancel)


def is_cpu_bound(tool: Tool[..., Any]) -> bool:
    """Return whether the tool computes in the process of its call, and not in a browser or a worker process."""
    return not inspect.iscoroutinefunction(tool.function)


def has_ended(error: Exception) -> bool:
    """Return whether an error means that the worker ended, of a process pool or, after its retries, of Dask."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
