"""Run functions in worker processes, which can be killed when they hang, crash or use too much memory.

    result = await workers.run(function, file, seconds=10)

Use it for parsers of untrusted files and for libraries that hold the interpreter's lock while they work.
"""

import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from mediakit.engines.workers.failures import Crashed, Interrupted, OutOfMemory, TookTooLong, WorkerFailed
from mediakit.errors import ServerBusy
from mediakit.installation import required

__all__ = ["Crashed", "OutOfMemory", "TookTooLong", "WorkerFailed", "run"]

P = ParamSpec("P")
T = TypeVar("T")

DEFAULT_MEMORY_BYTES = 1_500_000_000

RETRY_AFTER_SECONDS = 5

logger = logging.getLogger(__name__)


async def run(
    function: Callable[..., T],
    *args: Any,
    seconds: float = 10.0,
    memory: int = DEFAULT_MEMORY_BYTES,
    prepare: Callable[[], None] | None = None,
) -> T:
    """Call a function in a worker process; return its result or raise its exception.

    The pool has one worker per processor core. Workers start on first use and keep the modules that they import.
    Further calls wait in first-come, first-served order. Cancelling a call kills only the worker of that call.

    Args:
        function: A function of an importable module, not of a script or a notebook cell.
        args: Positional arguments. They are pickled.
        seconds: Time limit of the call. Time in the queue and the import of the function's module do not count.
        memory: Memory limit of the process during the call, in bytes, interpreter and libraries included. Linux only.
        prepare: If set, the call has a process of its own, which ends with it. A spare process, which has called this
            function to import modules, waits for the next such call.

    Returns:
        Plain data or instances of mediakit's own classes. Everything else is rejected, because a hostile file may
        have taken control of the worker.

    Raises:
        TookTooLong: The call took longer than `seconds`.
        OutOfMemory: The call needed more than `memory`.
        Crashed: The process crashed or exited during the call.
        MissingPackage: The function needs PyMuPDF, which some do not install because of its license.
        ServerBusy: The process was killed from outside, for example because the machine ran out of memory. The same
            call can succeed later.
        ValueError: The function or its arguments cannot be pickled.
    """
    from mediakit.core.runtime import runtime
    from mediakit.engines.workers.job import Job
    from mediakit.engines.workers.pool import run_job

    job = Job.of(function, args, seconds=seconds, memory=memory)
    try:
        with required("This call", "PyMuPDF"):
            return await runtime.wait(run_job(job, prepare))
    except Interrupted as failure:
        logger.warning("A job was interrupted: %s", failure)
        raise ServerBusy(
            f"The server could not finish this request. Try again in {RETRY_AFTER_SECONDS} seconds.",
            retry_after=RETRY_AFTER_SECONDS,
        ) from failure
