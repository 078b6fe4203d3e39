"""One worker process, seen from its parent."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

from mediakit.engines.workers import unpickling
from mediakit.engines.workers.failures import Crashed, Killed, NotStarted, OutOfMemory, TookTooLong, WorkerFailed
from mediakit.engines.workers.job import RAISED, RESPONSE_HEADER, STARTED, Job

PROGRAM = "from mediakit.engines.workers.child import main; main()"

START_TIMEOUT_SECONDS = 30.0
"""Time limit for the start of a worker and the import of the function's module."""

MAX_RESPONSE_BYTES = 1_000_000_000

READ_BUFFER_BYTES = 1 << 20

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""There is one worker per core, and each thread of these libraries reserves tens of megabytes on import."""

OUTSIDE_SIGNALS = frozenset({"SIGKILL", "SIGTERM", "SIGHUP"})
"""Signals that the system or an operator sends; a crash inside a parser raises others, such as SIGSEGV or SIGABRT.

The kernel sends SIGKILL when the machine or the container runs out of memory.
"""


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
            limit=READ_BUFFER_BYTES,
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

    async def run(self, job: Job) -> Any:
        """Run a job and return its result. After any failure other than the function's own, discard the worker.

        Raises:
            NotStarted: The process ended before the function was called.
            TookTooLong: The job exceeded its time limit.
            OutOfMemory: The job exceeded its memory limit.
            Crashed: The process crashed or exited.
            Killed: The process was killed from outside.
        """
        self.job_count += 1
        try:
            kind, content = await self._send(job)
        except (asyncio.IncompleteReadError, OSError, TimeoutError) as error:
            raise NotStarted("The worker process did not start its job.") from error
        if kind == STARTED:
            kind, content = await self._receive(job)
        if kind != RAISED:
            return content
        if isinstance(content, MemoryError):
            raise OutOfMemory(f"The job needs more than {job.memory / 1e6:.0f} MB of memory.") from content
        raise content

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

    async def _send(self, job: Job) -> tuple[bytes, Any]:
        """Send a job and return the first response, which reports that the function was called."""
        async with asyncio.timeout(START_TIMEOUT_SECONDS):
            self._stdin.write(job.header)
            self._stdin.write(job.call)
            await self._stdin.drain()
            return await self._read()

    async def _receive(self, job: Job) -> tuple[bytes, Any]:
        try:
            async with asyncio.timeout(job.seconds):
                return await self._read()
        except TimeoutError:
            raise _timeout(job) from None
        except (asyncio.IncompleteReadError, OSError):
            raise _exit_failure(await self.wait(), job) from None

    async def _read(self) -> tuple[bytes, Any]:
        kind, size = RESPONSE_HEADER.unpack(await self._stdout.readexactly(RESPONSE_HEADER.size))
        if size > MAX_RESPONSE_BYTES:
            raise Crashed(f"The worker's response has {size} bytes, more than {MAX_RESPONSE_BYTES}.")
        return kind, unpickling.load(await self._stdout.readexactly(size)) if size else None


def _environment() -> dict[str, str]:
    """Return the environment of the worker: the import path of this process, without mediakit's settings."""
    inherited = {name: value for name, value in os.environ.items() if not name.upper().startswith("MEDIAKIT_")}
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109
    return ONE_THREAD | inherited | {"PYTHONPATH": paths}


def _timeout(job: Job) -> TookTooLong:
    return TookTooLong(f"The job took more than {job.seconds:g} seconds.")


def _exit_failure(status: int, job: Job) -> WorkerFailed:
    """Return the failure that the exit status of a worker means for the job that it was running."""
    reason = _reason(status)
    if reason == "SIGALRM":  # the worker's own time limit expired before the parent handled its timeout
        return _timeout(job)
    if reason in OUTSIDE_SIGNALS:
        return Killed(f"The worker process was killed from outside: {reason}.")
    return Crashed(f"The worker process crashed: {reason}.")


def _reason(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    with suppress(ValueError):
        return signal.Signals(-status).name
    return f"signal {-status}"
