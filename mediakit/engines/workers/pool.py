"""The worker processes of this process: one per core, started on first use, stopped when idle."""

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine
from typing import Any
from weakref import WeakKeyDictionary

from mediakit.core.runtime import runtime
from mediakit.engines.workers.failures import NotStarted, PoolClosed, WorkerFailed
from mediakit.engines.workers.job import Job
from mediakit.engines.workers.worker import Worker

IDLE_TIMEOUT_SECONDS = 300.0
"""A worker without a job for this long is stopped."""

MAX_JOBS_PER_WORKER = 500
"""A worker is replaced after this many jobs, because libraries leak memory."""

SPARE_DELAY_SECONDS = 1.5
"""A spare worker is prepared this long after the start of a job, or at its end."""

PREPARE_TIMEOUT_SECONDS = 30.0

logger = logging.getLogger(__name__)

Prepare = Callable[[], None]

_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Prepare | None, "Pool"]] = WeakKeyDictionary()


async def run_job(job: Job, prepare: Prepare | None = None) -> Any:
    """Run a job in a pool of the running event loop. The pool is closed when the loop ends.

    Args:
        job: The job.
        prepare: A function of processes that run one job; each has a pool of its own.
    """
    pools = _pools.setdefault(asyncio.get_running_loop(), {})
    if prepare not in pools:
        pools[prepare] = Pool(core_count()) if prepare is None else SparePool(core_count(), prepare)
        runtime.at_exit(pools[prepare].close)
    return await pools[prepare].run(job)


def core_count() -> int:
    """Return the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool:
    """A fixed number of workers that run jobs first come, first served. All methods belong to one event loop."""

    def __init__(
        self, size: int, *, idle_seconds: float = IDLE_TIMEOUT_SECONDS, max_jobs: int = MAX_JOBS_PER_WORKER
    ) -> None:
        self._semaphore = asyncio.Semaphore(size)
        self._idle_seconds = idle_seconds
        self._max_jobs = max_jobs
        self._closed = False
        self._idle: dict[Worker, asyncio.TimerHandle] = {}
        self._workers: set[Worker] = set()
        self._exits: set[asyncio.Task[Any]] = set()

    @property
    def workers(self) -> frozenset[Worker]:
        """All running workers, busy and idle."""
        return frozenset(self._workers)

    async def run(self, job: Job) -> Any:
        """Run a job. If the worker ended before the job started, another worker runs it, once.

        Raises:
            WorkerFailed: The job exceeded a limit, or its worker crashed or was killed.
        """
        async with self._semaphore:
            try:
                return await self._run_once(job)
            except NotStarted:
                return await self._run_once(job)

    async def close(self) -> None:
        """Kill every worker and wait for the processes to exit. Later jobs raise `PoolClosed`."""
        self._closed = True
        for worker in self.workers:
            self._stop(worker)
        await asyncio.gather(*self._exits)

    async def _run_once(self, job: Job) -> Any:
        worker = self._take_idle() or await self._start()
        try:
            result = await worker.run(job)
        except (WorkerFailed, asyncio.CancelledError):
            self._stop(worker)
            raise
        except BaseException:
            self._release(worker)
            raise
        self._release(worker)
        return result

    def _take_idle(self) -> Worker | None:
        """Return the worker that became idle last, because its memory is the most likely to be cached."""
        while self._idle:
            worker, timer = self._idle.popitem()
            timer.cancel()
            if worker.alive:
                return worker
            self._stop(worker)
        return None

    async def _start(self) -> Worker:
        if self._closed:
            raise PoolClosed("The worker pool is closed.")
        worker = await Worker.start()
        self._workers.add(worker)
        return worker

    def _release(self, worker: Worker) -> None:
        if worker not in self._workers:  # the pool was closed during the job
            return
        if worker.job_count >= self._max_jobs:
            self._stop(worker)
        else:
            loop = asyncio.get_running_loop()
            self._idle[worker] = loop.call_later(self._idle_seconds, self._stop, worker)

    def _stop(self, worker: Worker) -> None:
        self._workers.discard(worker)
        if timer := self._idle.pop(worker, None):
            timer.cancel()
        worker.kill()
        self._in_background(worker.wait())

    def _in_background(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Run a coroutine to completion, even if the current task is cancelled."""
        task = asyncio.ensure_future(coroutine)
        self._exits.add(task)
        task.add_done_callback(self._exits.discard)


class SparePool(Pool):
    """A pool whose workers run one job each. A spare worker, which has imported its modules, waits for the next job."""

    def __init__(self, size: int, prepare: Prepare) -> None:
        super().__init__(size, max_jobs=1)
        self._prepare_job = Job.of(prepare, (), seconds=PREPARE_TIMEOUT_SECONDS, memory=1 << 40)
        self._preparation: asyncio.Task[None] | None = None

    async def run(self, job: Job) -> Any:
        """Run a job in a worker that ends after it.

        Raises:
            WorkerFailed: The job exceeded a limit, or its worker crashed or was killed.
        """
        if self._preparation and not self._preparation.done():
            await asyncio.wait([self._preparation])
        timer = asyncio.get_running_loop().call_later(SPARE_DELAY_SECONDS, self._prepare_spare)
        try:
            return await super().run(job)
        finally:
            timer.cancel()
            self._prepare_spare()

    def _prepare_spare(self) -> None:
        is_preparing = self._preparation is not None and not self._preparation.done()
        if not (self._closed or self._idle or is_preparing):
            self._preparation = asyncio.ensure_future(self._start_spare())
            self._exits.add(self._preparation)
            self._preparation.add_done_callback(self._exits.discard)

    async def _start_spare(self) -> None:
        try:
            worker = await self._start()
        except (PoolClosed, OSError) as error:
            logger.warning("A spare worker did not start: %s", error)
            return
        if self._closed:
            self._stop(worker)
            return
        try:
            await worker.run(self._prepare_job)
        except (RuntimeError, ImportError) as error:  # WorkerFailed is a RuntimeError
            self._stop(worker)
            if not self._closed:
                logger.warning("A spare worker ended: %s", error)  # the next job starts a worker of its own
            return
        worker.job_count = 0
        self._release(worker)
