"""The worker processes of this process: one per core, started on first use, stopped when idle."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from mediakit.core.runtime import runtime
from mediakit.engines.workers.protocol import (
    MAX_PARTS,
    PIPE_BYTES,
    RAISED,
    RETURNED,
    SIZE,
    START,
    STARTED,
    Crashed,
    Job,
    Killed,
    NotStarted,
    OutOfMemory,
    PoolClosed,
    TookTooLong,
    WorkerFailed,
    check_class,
    load,
)

IDLE_TIMEOUT_SECONDS = 300.0
"""A worker without a job for this long is stopped."""

MAX_JOBS_PER_WORKER = 500
"""A worker is replaced after this many jobs, because libraries leak memory."""

SPARE_DELAY_SECONDS = 1.5
"""A spare worker is prepared this long after the start of a job, or at its end."""

PREPARE_TIMEOUT_SECONDS = 30.0

PROGRAM = "from mediakit.engines.workers.child import main; main()"

START_TIMEOUT_SECONDS = 30.0
"""Time limit for the start of a worker and the import of the function's module."""

MAX_RESPONSE_BYTES = 1_000_000_000

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""There is one worker per core, and each thread of these libraries reserves tens of megabytes on import."""

OUTSIDE_SIGNALS = frozenset({"SIGKILL", "SIGTERM", "SIGHUP"})
"""Signals that the system or an operator sends; a crash inside a parser raises others, such as SIGSEGV or SIGABRT.

The kernel sends SIGKILL when the machine or the container runs out of memory.
"""

logger = logging.getLogger(__name__)


class Worker:
    """A process that runs one job at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.job_count = 0
        """Number of jobs that this worker received."""
        self._process = process
        assert process.stdin  # noqa: S101  # both are pipes
        assert process.stdout  # noqa: S101
        self._stdin, self._stdout = process.stdin, process.stdout

    @classmethod
    async def start(cls) -> "Worker":
        """Start the process. Modules are imported when the first job needs them.

        The process has its own session, so that Ctrl-C in a terminal or a kernel does not reach it.
        """
        group: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-c",
            PROGRAM,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            limit=PIPE_BYTES,
            env=_environment(),
            **group,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """Process ID."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is running, as far as the event loop knows."""
        return self._process.returncode is None

    async def run(self, job: Job) -> tuple[bytes, Any]:
        """Run a job; return `RETURNED` and its result, or `RAISED` and its exception.

        Discard the worker if this raises an exception.

        Raises:
            NotStarted: The process ended before the function was called.
            TookTooLong: The job exceeded its time limit.
            OutOfMemory: The job exceeded its memory limit.
            Crashed: The process crashed or exited, or its response is invalid.
            Killed: The process was killed from outside.
            UnknownResult: This process has not imported the class of the result.
        """
        self.job_count += 1
        try:
            async with asyncio.timeout(START_TIMEOUT_SECONDS):
                for part in job.message:
                    for start in range(0, len(part), PIPE_BYTES):  # what fits into the pipe is not copied to a buffer
                        self._stdin.write(memoryview(part)[start : start + PIPE_BYTES])
                        await self._stdin.drain()
                kind, content = await self._read()
        except (asyncio.IncompleteReadError, OSError, TimeoutError) as error:
            raise NotStarted("The worker process did not start its job.") from error
        if kind == STARTED:
            kind, content = await self._receive(job)
        if kind == RETURNED:
            check_class(content, job.returns)
        elif kind == RAISED and isinstance(content, MemoryError):
            raise OutOfMemory(f"The job needs more than {job.memory / 1e6:.0f} MB of memory.") from content
        else:
            check_class(content, BaseException)
        return kind, content

    def kill(self) -> None:
        """Kill the process and its children."""
        if not self.alive:
            return
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self.pid, signal.SIGKILL)

    async def wait(self) -> int:
        """Wait for the process to exit and return its exit status."""
        self._stdin.close()
        return await self._process.wait()

    async def _receive(self, job: Job) -> tuple[bytes, Any]:
        try:
            async with asyncio.timeout(job.seconds):
                return await self._read()
        except TimeoutError:
            raise _timeout(job) from None
        except (asyncio.IncompleteReadError, OSError):
            raise _exit_failure(await self.wait(), job) from None

    async def _read(self) -> tuple[bytes, Any]:
        kind, count = START.unpack(await self._stdout.readexactly(START.size))
        if count > MAX_PARTS:
            raise Crashed(f"The worker's response has {count} parts, more than {MAX_PARTS}.")
        sizes = [size for (size,) in SIZE.iter_unpack(await self._stdout.readexactly(count * SIZE.size))]
        if sum(sizes) > MAX_RESPONSE_BYTES:
            raise Crashed(f"The worker's response has {sum(sizes)} bytes, more than {MAX_RESPONSE_BYTES}.")
        return kind, load([await self._part(size) for size in sizes])

    async def _part(self, size: int) -> bytes:
        """Read in pieces: `readexactly` would collect them in a buffer that grows and is copied."""
        pieces = []
        while size:
            pieces.append(await self._stdout.read(size))
            if not pieces[-1]:
                raise asyncio.IncompleteReadError(b"", size)
            size -= len(pieces[-1])
        return b"".join(pieces)


def _environment() -> dict[str, str]:
    """Return the environment of the worker: the import path of this process, without mediakit's settings."""
    inherited = {name: value for name, value in os.environ.items() if not name.upper().startswith("MEDIAKIT_")}
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109
    return ONE_THREAD | inherited | {"PYTHONPATH": paths}


def _timeout(job: Job) -> TookTooLong:
    return TookTooLong(f"The job took more than {job.seconds:g} seconds.")


def _exit_failure(status: int, job: Job) -> WorkerFailed:
    """Return the failure that the exit status of a worker means for the job that it was running."""
    reason = f"exit status {status}" if status >= 0 else f"signal {-status}"
    with suppress(ValueError):
        reason = signal.Signals(-status).name
    if reason == "SIGALRM":  # the worker's own time limit expired before the parent handled its timeout
        return _timeout(job)
    if reason in OUTSIDE_SIGNALS:
        return Killed(f"The worker process was killed from outside: {reason}.")
    return Crashed(f"The worker process crashed: {reason}.")


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
            kind, content = await worker.run(job)
        except BaseException:
            self._stop(worker)
            raise
        self._release(worker)
        if kind == RAISED:
            raise content
        return content

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

    def _in_background(self, coroutine: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a coroutine to completion, even if the current task is cancelled."""
        task = asyncio.ensure_future(coroutine)
        self._exits.add(task)
        task.add_done_callback(self._exits.discard)
        return task


class SparePool(Pool):
    """A pool whose workers run one job each. A spare worker, which has imported its modules, waits for the next job."""

    def __init__(self, size: int, prepare: str) -> None:
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
            self._preparation = self._in_background(self._start_spare())

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


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str | None, Pool]] = WeakKeyDictionary()


async def run_job(job: Job, prepare: str | None = None) -> Any:
    """Run a job in a pool of the running event loop. The pool is closed when the loop ends.

    Args:
        job: The job.
        prepare: Name of a function of processes that run one job; each has a pool of its own.
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
