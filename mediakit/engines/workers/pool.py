"""The workers of this process: one a core, started when needed, replaced when killed, stopped when idle."""

import asyncio
import os
from collections.abc import Coroutine
from typing import Any
from weakref import WeakKeyDictionary

from mediakit.core.runtime import runtime
from mediakit.engines.workers.failures import NeverBegan, WorkerFailed
from mediakit.engines.workers.job import Job
from mediakit.engines.workers.worker import Worker

IDLE = 300.0
"""Seconds without a job after which a worker is stopped."""

LIFETIME = 500
"""Jobs after which a worker is replaced: libraries leak."""

_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, "Pool"] = WeakKeyDictionary()


async def run_job(job: Job) -> Any:
    """Do a job with the workers of the running event loop, which end with it."""
    loop = asyncio.get_running_loop()
    if loop not in _pools:
        _pools[loop] = Pool(cores())
        runtime.at_exit(_pools[loop].close)
    return await _pools[loop].run(job)


def cores() -> int:
    """Count the processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool:
    """Workers that take jobs in the order in which they come; all methods belong to one event loop."""

    def __init__(self, size: int, *, idle: float = IDLE, lifetime: int = LIFETIME) -> None:
        self._turns = asyncio.Semaphore(size)
        self._idle = idle
        self._lifetime = lifetime
        self._closed = False
        self._waiting: dict[Worker, asyncio.TimerHandle] = {}
        self._workers: set[Worker] = set()
        self._chores: set[asyncio.Task[Any]] = set()

    @property
    def workers(self) -> frozenset[Worker]:
        """Those that live, at work or not."""
        return frozenset(self._workers)

    async def run(self, job: Job) -> Any:
        """Do a job; one whose worker was dead before it began goes to another, once.

        Raises:
            WorkerFailed: It took too long, needed too much memory or killed its worker.
        """
        async with self._turns:
            try:
                return await self._once(job)
            except NeverBegan:
                return await self._once(job)

    async def close(self) -> None:
        """Kill every worker and wait until they are gone; no job starts any more."""
        self._closed = True
        for worker in self.workers:
            self._end(worker)
        await asyncio.gather(*self._chores)

    async def _once(self, job: Job) -> Any:
        worker = self._rested() or await self._started()
        try:
            answer = await worker.do(job)
        except (WorkerFailed, asyncio.CancelledError):
            self._end(worker)
            raise
        except BaseException:
            self._rest(worker)
            raise
        self._rest(worker)
        return answer

    def _rested(self) -> Worker | None:
        """Take the worker that rested last, whose memory is the warmest."""
        while self._waiting:
            worker, timer = self._waiting.popitem()
            timer.cancel()
            if worker.alive:
                return worker
            self._end(worker)
        return None

    async def _started(self) -> Worker:
        if self._closed:
            raise WorkerFailed("The workers have stopped.")
        worker = await Worker.start()
        self._workers.add(worker)
        return worker

    def _rest(self, worker: Worker) -> None:
        if worker not in self._workers:  # the pool was closed meanwhile
            return
        if worker.jobs >= self._lifetime:
            self._end(worker)
        else:
            self._waiting[worker] = asyncio.get_running_loop().call_later(self._idle, self._end, worker)

    def _end(self, worker: Worker) -> None:
        self._workers.discard(worker)
        if timer := self._waiting.pop(worker, None):
            timer.cancel()
        worker.kill()
        self._later(worker.ended())

    def _later(self, chore: Coroutine[Any, Any, Any]) -> None:
        """Do something to its end, whoever is cancelled meanwhile."""
        task = asyncio.ensure_future(chore)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)
