"""Where the calls of a batch run: on this event loop, in worker processes, on an executor, or on Dask.

`TaskRunner` awaits tools that wait for a browser, an engine or a server. `ProcessRunner` makes the first calls of tools
that compute in Python in a thread, and the others in worker processes. `ExecutorRunner` sends groups of calls to an
executor. What happens if a worker ends:

    group sent -> worker ended -> its rows are sent one by one -> a row whose worker ends twice fails
"""

import asyncio
import inspect
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from typing import Any

from mediakit.batches.calls import Call, Group, Outcome, local_calls, own_templates, run_group, save, with_retries
from mediakit.batches.targets.store import Store
from mediakit.batches.work import Entry
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput, MediakitError, WorkerEnded
from mediakit.results.result import Result

GROUP_SECONDS, CLUSTER_GROUP_SECONDS = 0.25, 1.0
"""Time that a group should take: long beside the time to send it, which is longer on a cluster."""

GROUPS_PER_WORKER = 2
"""Groups that a worker has, so that it never waits for the next one."""

MAX_GROUP = 500
"""Entries in a group at most, whatever their time."""

MAX_CRASHES = 2
"""Workers that may end while they make a row alone, before the row fails."""

STOP_SECONDS = 20.0
"""Time that a stopped batch waits for the rows that are being made, so that their files are in the report."""

MIN_SECONDS_LEFT = 1.5
"""Work that is worth the start of worker processes, which takes about half a second."""

TRIAL_GROUP_SECONDS = 0.05
"""Time of a group in the thread, so that the trial is short."""

TRIAL_SECONDS = 0.2
"""Time after which the work that is left can be estimated."""

SECONDS_BETWEEN_CHECKS = 1.0
"""Interval at which a worker checks whether its parent runs."""


class TaskRunner:
    """Calls the tool for one entry at a time in each task, and writes the files to a store if there is one."""

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
            saving = asyncio.to_thread(save, self._store, _call_of(entry), result, (time.perf_counter() - start) * 1000)
            await _apply_when_made([entry], asyncio.gather(saving), stop=lambda: None)

    async def close(self) -> None:
        """Do nothing: the tasks end with the job."""


class GroupSize:
    """The size of groups: adapted to the time of their calls, and smaller at the end, so that workers end together."""

    def __init__(self, seconds: float, *, concurrency: int = 1, groups: int = 1, total: int | None = None) -> None:
        self._seconds = seconds  # that a group should take
        self._concurrency = self._size = concurrency
        self._groups = groups  # that workers have at a time
        self._left = total

    @property
    def value(self) -> int:
        """The size of the next group."""
        if self._left is None:
            return self._size
        return max(self._concurrency, min(self._size, max(self._left // self._groups, self._size // 8)))

    def send(self, count: int) -> None:
        """Count calls that are sent to a worker."""
        if self._left is not None:
            self._left -= count

    def measure(self, entries: Sequence[Entry[Any]]) -> None:
        """Adapt the size to the time of the calls of a group, without the time that the group waited."""
        seconds = sum(entry.ms for entry in entries) / 1000 / self._concurrency
        wanted = round(len(entries) * self._seconds / max(seconds, 1e-4))
        self._size = max(self._concurrency, min(wanted, self._size * 4, MAX_GROUP))


class ExecutorRunner:
    """Sends groups of entries to the workers of an executor, which write their files themselves.

    In place of an executor, it takes a function that starts one, and starts it again if a worker ends.
    """

    def __init__(
        self,
        executor: Executor | Callable[[], Executor],
        tool: Tool[..., Any],
        *,
        store: Store | None,
        workers: int,
        total: int | None = None,
        seconds: float = GROUP_SECONDS,
    ) -> None:
        self._start = None if isinstance(executor, Executor) else executor
        self._executor = executor if isinstance(executor, Executor) else executor()
        self._tool = tool
        self._store = store
        self.concurrency = workers * GROUPS_PER_WORKER
        calls = 1 if is_cpu_bound(tool) else local_calls()
        self._size = GroupSize(seconds, concurrency=calls, groups=self.concurrency, total=total)
        self._alone = asyncio.Lock()

    @property
    def size(self) -> int:
        """Number of entries of the next group."""
        return self._size.value

    async def run(self, entries: list[Entry[Any]]) -> None:
        """Make the calls of entries on a worker. If the worker ends, repeat them: first together, then one by one."""
        self._size.send(len(entries))
        if await self._send(entries):
            self._size.measure(entries)
            return
        async with self._alone:  # so that only the rows that end a worker are counted
            for entry in entries:
                for _ in range(MAX_CRASHES):
                    if await self._send([entry]):
                        break
                else:
                    entry.error = WorkerEnded("The worker process ended while it made this row.")

    async def close(self) -> None:
        """End the worker processes, unless the executor belongs to the caller."""
        if self._start:
            await asyncio.to_thread(_end, self._executor)

    async def _send(self, entries: list[Entry[Any]]) -> bool:
        """Make the calls of entries on a worker; return False if it ended."""
        executor = self._executor
        try:
            group = _group(self._tool, entries, self._store)
            with nullcontext() if self._start is None else _interrupts_blocked():
                submitted = executor.submit(run_group, group)
            made = asyncio.wrap_future(submitted)

            def stop() -> None:
                if not submitted.cancel():
                    _stop(group, made)

            await _apply_when_made(entries, made, stop=stop)
        except Exception as error:
            is_broken = isinstance(error, BrokenExecutor)
            if not is_broken and type(error).__name__ != "KilledWorker":  # of Dask, after its retries
                raise
            if is_broken and executor is self._executor:  # no other group has replaced it
                if self._start is None:
                    raise InvalidInput(
                        "executor: a worker process ended, so the executor accepts no more calls. Run the same call "
                        "with a new executor; if the batch has `to`, only the missing rows are made."
                    ) from error
                self._executor = self._start()
                await asyncio.to_thread(_end, executor)
            return False
        return True


class ProcessRunner:
    """Makes the first calls in a thread, and the others in worker processes of this machine if they take long."""

    def __init__(self, tool: Tool[..., Any], *, store: Store | None, total: int | None) -> None:
        self._tool = tool
        self._store = store
        self._total = total
        self._done = 0
        self._seconds = 0.0
        self._size = GroupSize(TRIAL_GROUP_SECONDS)
        self._thread = asyncio.Lock()
        self._pool: ExecutorRunner | None = None
        self.concurrency = processors() * GROUPS_PER_WORKER

    @property
    def size(self) -> int:
        """Number of entries of the next group."""
        return self._pool.size if self._pool else self._size.value

    async def run(self, entries: list[Entry[Any]]) -> None:
        """Make the calls of entries."""
        async with self._thread:
            if self._pool is None and not self._is_long():
                start = time.perf_counter()
                group = _group(self._tool, entries, self._store)
                made = asyncio.ensure_future(asyncio.to_thread(run_group, group))
                await _apply_when_made(entries, made, stop=lambda: _stop(group, made))
                self._size.measure(entries)
                self._done += len(entries)
                self._seconds += time.perf_counter() - start
                return
            self._pool = self._pool or ExecutorRunner(
                _new_pool, self._tool, store=self._store, workers=processors(), total=self._left
            )
        await self._pool.run(entries)

    async def close(self) -> None:
        """End the worker processes."""
        if self._pool:
            await self._pool.close()

    @property
    def _left(self) -> int | None:
        return None if self._total is None else self._total - self._done

    def _is_long(self) -> bool:
        if processors() == 1 or not self._done or self._seconds < TRIAL_SECONDS:
            return False
        return self._left is None or self._left * self._seconds / self._done > MIN_SECONDS_LEFT


Runner = TaskRunner | ProcessRunner | ExecutorRunner
"""What makes the calls of entries, and sets their results, records and errors.

`concurrency` is the number of calls of `run` at a time, and `size` the number of entries that the next one should have.
`run` raises an error that does not belong to a row, for example of a full disk. `close` ends workers.
"""


def checked_executor(executor: Any) -> tuple[Executor, int, float]:
    """Return an executor, the number of its workers, and the time that a group should take.

    Raises:
        InvalidInput: The object is neither an executor nor a Dask client that can be used.
    """
    if any(base.__name__ == "Client" and base.__module__ == "distributed.client" for base in type(executor).__mro__):
        if executor.asynchronous:
            raise InvalidInput("executor: must be a Client that is not asynchronous.")
        if executor.status != "running":
            raise InvalidInput("executor: the Dask client is closed.")
        if not (threads := sum(executor.nthreads().values())):
            raise InvalidInput("executor: the Dask cluster has no worker yet; call client.wait_for_workers(1) first.")
        return executor.get_executor(pure=False), threads, CLUSTER_GROUP_SECONDS
    if not isinstance(executor, Executor):
        raise InvalidInput(
            "executor: must be an executor of concurrent.futures or a dask.distributed.Client, got "
            f"{type(executor).__name__}."
        )
    workers = getattr(executor, "_max_workers", None)
    return executor, workers if isinstance(workers, int) else local_calls(), GROUP_SECONDS


def is_cpu_bound(tool: Tool[..., Any]) -> bool:
    """Return whether the tool computes in the process of its call, and not in a browser or a worker process."""
    return not inspect.iscoroutinefunction(tool.function)


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def end_with(parent: int) -> None:
    """End this process within a second after its parent, also if the parent was killed. Ctrl-C does not end it.

    At Ctrl-C, the parent stops the batch and ends its workers. If the parent is killed, workers of loky do not notice:
    each of them holds the queue of calls open. The death signal of Linux is not used, because it comes when the
    thread that started the worker ends. On Windows, a process keeps the id of an ended parent, so workers stay.
    """

    def wait_for_end() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_BETWEEN_CHECKS)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=wait_for_end, name="end-with-parent", daemon=True).start()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Start processes that ignore Ctrl-C from their first moment, before `end_with` runs in them."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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


def _call_of(entry: Entry[Any]) -> Call:
    return Call(entry.row.number, entry.name, entry.values, entry.key)


def _group(tool: Tool[..., Any], entries: Sequence[Entry[Any]], store: Store | None) -> Group:
    """Return the calls of entries as one task, so that the work of sending them does not count."""
    return Group(tool, list(map(_call_of, entries)), store, own_templates(entry.values for entry in entries))


async def _apply_when_made(
    entries: Sequence[Entry[Any]], outcomes: asyncio.Future[Any], *, stop: Callable[[], object]
) -> None:
    """Set the outcomes of entries when their group is made. If the batch is stopped, `stop` says so to the worker."""
    try:
        _apply(entries, await asyncio.shield(outcomes))
    except asyncio.CancelledError:
        with suppress(Exception, asyncio.CancelledError):
            stop()
            _apply(entries, await asyncio.wait_for(asyncio.shield(outcomes), STOP_SECONDS))
        raise


def _stop(group: Group, made: asyncio.Future[Any]) -> None:
    """Let the worker of a group make no further rows, until it has returned the others."""

    def end(made: asyncio.Future[Any]) -> None:
        group.stop_file.unlink(missing_ok=True)
        if not made.cancelled():
            made.exception()  # a worker that is ended has no waiting call, and asyncio would print its error

    group.stop_file.touch()
    made.add_done_callback(end)


def _apply(entries: Sequence[Entry[Any]], outcomes: Sequence[Outcome]) -> None:
    for entry, outcome in zip(entries, outcomes, strict=True):
        entry.result, entry.record, entry.error = outcome.result, outcome.record, outcome.error
        entry.ms = outcome.ms
