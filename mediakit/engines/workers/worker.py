"""One worker process, as its parent holds it."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

from mediakit.engines.workers import answers
from mediakit.engines.workers.failures import Crashed, NeverBegan, OutOfMemory, TookTooLong
from mediakit.engines.workers.job import ANSWER, BEGAN, RAISED, Job

PROGRAM = "from mediakit.engines.workers.child import main; main()"

STARTING = 30.0
"""Seconds that a worker may take to start and to import a function's module."""

LARGEST_ANSWER = 1_000_000_000
"""Bytes."""

BUFFER = 1 << 20

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""There is a worker a core, and each thread of these libraries reserves tens of megabytes when it is imported."""


class Worker:
    """A process that does one job after another."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.jobs = 0
        """Jobs it was given."""
        self._process = process
        assert process.stdin  # noqa: S101  # both are pipes
        assert process.stdout  # noqa: S101
        self._stdin, self._stdout = process.stdin, process.stdout

    @classmethod
    async def start(cls) -> "Worker":
        """Start the process; what it imports comes later.

        It has a session of its own, so that Ctrl-C in a terminal or a kernel does not reach it.
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
            limit=BUFFER,
            env=_environment(),
            **group,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process has not ended, as far as is known yet."""
        return self._process.returncode is None

    async def do(self, job: Job) -> Any:
        """Do a job; after any failure but the function's own the worker is of no more use.

        Raises:
            NeverBegan: The process was gone before the function was called.
            TookTooLong: The function's seconds are over.
            OutOfMemory: The function needed more memory than it may have.
            Crashed: The process died.
        """
        self.jobs += 1
        try:
            kind, answer = await self._began(job)
        except (asyncio.IncompleteReadError, OSError, TimeoutError) as error:
            raise NeverBegan("The worker process ended before its job began.") from error
        if kind == BEGAN:
            kind, answer = await self._answered(job)
        if kind != RAISED:
            return answer
        if isinstance(answer, MemoryError):
            raise OutOfMemory(f"The work needs more than {job.memory / 1e6:.0f} MB of memory.") from answer
        raise answer

    def kill(self) -> None:
        """End the process at once, and what it started with it."""
        if not self.alive:
            return
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self.pid, signal.SIGKILL)

    async def ended(self) -> int:
        """Wait for the end of the process and give its exit status."""
        self._stdin.close()
        return await self._process.wait()

    async def _began(self, job: Job) -> tuple[bytes, Any]:
        async with asyncio.timeout(STARTING):
            self._stdin.write(job.head)
            self._stdin.write(job.call)
            await self._stdin.drain()
            return await self._read()

    async def _answered(self, job: Job) -> tuple[bytes, Any]:
        try:
            async with asyncio.timeout(job.seconds):
                return await self._read()
        except TimeoutError:
            raise TookTooLong(f"The work took more than {job.seconds:g} seconds.") from None
        except (asyncio.IncompleteReadError, OSError):
            raise Crashed(f"The worker process died: {_reason(await self.ended())}.") from None

    async def _read(self) -> tuple[bytes, Any]:
        kind, size = ANSWER.unpack(await self._stdout.readexactly(ANSWER.size))
        if size > LARGEST_ANSWER:
            raise Crashed(f"The worker answers with {size} bytes.")
        return kind, answers.read(await self._stdout.readexactly(size)) if size else None


def _environment() -> dict[str, str]:
    """Let the process import what this one can, and keep from it what it has no business to know."""
    known = {name: value for name, value in os.environ.items() if not name.upper().startswith("MEDIAKIT_")}
    return ONE_THREAD | known | {"PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}  # noqa: PTH109


def _reason(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    with suppress(ValueError):
        return signal.Signals(-status).name
    return f"signal {-status}"
