"""The worker processes of this process: one per core, started on first use, stopped when idle. `run` calls one."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO
from weakref import WeakKeyDictionary

from mediakit.core.runtime import runtime
from mediakit.engines.workers import (
    DEFAULT_MEMORY_BYTES,
    MAX_MEMORY_BYTES,
    MAX_PARTS,
    PIPE_BYTES,
    RAISED,
    RETURNED,
    SIZE,
    START,
    STARTED,
    Crashed,
    Interrupted,
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
from mediakit.errors import ServerBusy
from mediakit.installation import required

RETRY_AFTER_SECONDS = 5

IDLE_TIMEOUT_SECONDS = 300.0
"""A worker without a job for this long is stopped."""

MAX_JOBS_PER_WORKER = 500
"""A worker is replaced after this many jobs, because libraries leak memory."""

PREPARE_TIMEOUT_SECONDS = 30.0

PROGRAM = "from mediakit.engines.workers.child import main; main()"

START_TIMEOUT_SECONDS = 30.0
"""Time limit for the start of a worker and the import of the function's module."""

MAX_RESPONSE_BYTES = 1_000_000_000

RESPONSES_PER_JOB = 2
"""The start of the call, and its result. A worker that sends more is not trusted any more."""

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""There is one worker per core, and each thread of these libraries reserves tens of megabytes on import."""

OUTSIDE_SIGNALS = frozenset({"SIGKILL", "SIGTERM", "SIGHUP"})
"""Signals that the system or an operator sends; a crash inside a parser raises others, such as SIGSEGV or SIGABRT.

The kernel sends SIGKILL when the machine or the container runs out of memory.
"""

logger = logging.getLogger(__name__)


class Worker:
    """A process that runs one job at a time."""

    def __init__(self, process: asyncio.subprocess.Process, responses: BinaryIO) -> None:
        self.job_count = 0
        """Number of jobs that this worker received."""
        self._process = process
        assert process.stdin  # noqa: S101  # it is a pipe
        self._stdin = process.stdin
        self._responses: asyncio.Queue[tuple[bytes, list[bytes]] | Exception] = asyncio.Queue()
        self._room = threading.Semaphore(RESPONSES_PER_JOB)
        """Responses that may wait in the queue."""
        arguments = (responses, asyncio.get_running_loop())
        threading.Thread(target=self._read_responses, args=arguments, daemon=True).start()

    @classmethod
    async def start(cls) -> "Worker":
        """Start the process. Modules are imported when the first job needs them.

        The process has its own session, so that Ctrl-C in a terminal or a kernel does not reach it.
        """
        group: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
        # The import path of this process, without mediakit's settings.
        inherited = {name: value for name, value in os.environ.items() if not name.upper().startswith("MEDIAKIT_")}
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109
        read_end, write_end = os.pipe()
        responses = os.fdopen(read_end, "rb")
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-c",
                PROGRAM,
                stdin=subprocess.PIPE,
                stdout=write_end,
                stderr=subprocess.DEVNULL,
                env=ONE_THREAD | inherited | {"PYTHONPATH": paths},
                **group,
            )
        except BaseException:
            responses.close()
            raise
        finally:
            os.close(write_end)
        return cls(process, responses)

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
        if not self._responses.empty():
            raise NotStarted("The worker process ended, or it sent a response without a job.")
        try:
            async with asyncio.timeout(START_TIMEOUT_SECONDS):
                for part in job.message:
                    for start in range(0, len(part), PIPE_BYTES):  # what fits into the pipe is not copied to a buffer
                        self._stdin.write(memoryview(part)[start : start + PIPE_BYTES])
                        await self._stdin.drain()
                kind, content = await self._read()
        except (EOFError, OSError, TimeoutError) as error:
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
        except (EOFError, OSError):
            raise _exit_failure(await self.wait(), job) from None

    async def _read(self) -> tuple[bytes, Any]:
        response = await self._responses.get()
        self._room.release()
        if isinstance(response, Exception):
            raise response
        return response[0], load(response[1])

    def _read_responses(self, responses: BinaryIO, loop: asyncio.AbstractEventLoop) -> None:
        """Read in a thread, which reads large files without copies; asyncio's stream would copy them four times."""
        with responses, suppress(RuntimeError):  # the loop is closed
            response: tuple[bytes, list[bytes]] | Exception | None = None
            while not isinstance(response, Exception):
                try:
                    response = _response(responses)
                    if not self._room.acquire(blocking=False):
                        raise Crashed("The worker sent more responses than a job has.")  # noqa: TRY301
                except (EOFError, OSError, MemoryError, Crashed) as error:
                    response = error
                loop.call_soon_threadsafe(self._responses.put_nowait, response)


def _response(responses: BinaryIO) -> tuple[bytes, list[bytes]]:
    """Read the kind of the next response and its parts."""
    kind, count = START.unpack(_exactly(responses, START.size))
    if count > MAX_PARTS:
        raise Crashed(f"The worker's response has {count} parts, more than {MAX_PARTS}.")
    sizes = [size for (size,) in SIZE.iter_unpack(_exactly(responses, count * SIZE.size))]
    if sum(sizes) > MAX_RESPONSE_BYTES:
        raise Crashed(f"The worker's response has {sum(sizes)} bytes, more than {MAX_RESPONSE_BYTES}.")
    return kind, [_exactly(responses, size) for size in sizes]


def _exactly(responses: BinaryIO, size: int) -> bytes:
    content = responses.read(size)
    if len(content) < size:
        raise EOFError("The worker closed its pipe.")
    return content


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
        self,
        size: int,
        *,
        prepare: str | None = None,
        idle_seconds: float = IDLE_TIMEOUT_SECONDS,
        max_jobs: int = MAX_JOBS_PER_WORKER,
    ) -> None:
        self._prepare = prepare
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
        if worker in self._workers:  # else the pool was closed during the job
            if worker.job_count >= self._max_jobs:
                self._stop(worker)
            else:
                loop = asyncio.get_running_loop()
                self._idle[worker] = loop.call_later(self._idle_seconds, self._stop, worker)
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
        if self._prepare:
            try:
                await worker.run(Job.of(self._prepare, (), seconds=PREPARE_TIMEOUT_SECONDS, memory=1 << 40))
            except BaseException:
                self._stop(worker)
                raise
        return worker

    def _stop(self, worker: Worker) -> None:
        self._workers.discard(worker)
        if timer := self._idle.pop(worker, None):
            timer.cancel()
        worker.kill()
        task = asyncio.ensure_future(worker.wait())  # goes on if the current task is cancelled
        self._exits.add(task)
        task.add_done_callback(self._exits.discard)


async def run(
    function: str | Callable[..., Any],
    /,
    *args: Any,
    returns: Any = None,
    seconds: float = 10.0,
    memory: int = DEFAULT_MEMORY_BYTES,
    prepare: str | None = None,
) -> Any:
    """Call a function in a worker process; return its result or raise its exception.

    The pool has one worker per processor core. Workers start on first use and keep the modules that they import.
    Further calls wait in first-come, first-served order. Cancelling a call kills only the worker of that call.

    Args:
        function: The name of a function, `"package.module:function"`, so that this process need not import its
            module; or a function of a module that may be imported here.
        args: Positional arguments. They are pickled; the contents of files are sent without a copy.
        returns: The class of the result. This process must have imported it, and the classes of its parts.
        seconds: Time limit of the call. Time in the queue and the import of the function's module do not count.
        memory: Memory limit of the process during the call, in bytes, interpreter and libraries included. Linux only.
        prepare: If set, the call has a process of its own, which ends with it: a fork of a worker that has called the
            function of this name to import modules.

    Returns:
        Plain data or instances of mediakit's own classes. Everything else is rejected, because a hostile file may
        have taken control of the worker.

    Raises:
        TookTooLong: The call took longer than `seconds`.
        OutOfMemory: The call needed more than `memory`.
        Crashed: The process crashed or exited during the call, or returned something else than `returns`.
        MissingPackage: The function needs PyMuPDF, which some do not install because of its license.
        ServerBusy: The process was killed from outside, for example because the machine ran out of memory. The same
            call can succeed later.
        ValueError: The function or its arguments cannot be pickled.
    """
    if memory > MAX_MEMORY_BYTES:
        raise ValueError(f"memory: must be at most {MAX_MEMORY_BYTES}, got {memory}.")
    job = Job.of(function, args, seconds=seconds, memory=memory, returns=returns, forks=prepare is not None)
    try:
        with required("This call", "PyMuPDF"):
            return await runtime.wait(run_job(job, prepare))
    except Interrupted as failure:
        logger.warning("A job was interrupted: %s", failure)
        raise ServerBusy(
            f"The server could not finish this request. Try again in {RETRY_AFTER_SECONDS} seconds.",
            retry_after=RETRY_AFTER_SECONDS,
        ) from failure


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str | None, Pool]] = WeakKeyDictionary()


async def run_job(job: Job, prepare: str | None = None) -> Any:
    """Run a job in a pool of the running event loop. The pool is closed when the loop ends.

    The function of the name `prepare` prepares a worker, which then forks a process for each job. Each such function
    has a pool of its own. A system without `fork` starts a worker for each job.
    """
    pools = _pools.setdefault(asyncio.get_running_loop(), {})
    if prepare not in pools:
        is_single = prepare is not None and not hasattr(os, "fork")
        pools[prepare] = Pool(core_count(), prepare=prepare, max_jobs=1 if is_single else MAX_JOBS_PER_WORKER)
        runtime.at_exit(pools[prepare].close)
    return await pools[prepare].run(job)


def core_count() -> int:
    """Return the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
