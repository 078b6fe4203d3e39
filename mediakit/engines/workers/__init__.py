"""Run functions in worker processes, which can be killed when they hang, crash or use too much memory.

    form = await workers.run("mediakit.engines.pdf.forms.filling:fill", request, returns=FilledForm, seconds=10)

Use it for parsers of untrusted files and for libraries that hold the interpreter's lock while they work.
"""

import logging
from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple, overload

from mediakit.engines.workers.protocol import Crashed, Interrupted, Job, OutOfMemory, TookTooLong, WorkerFailed
from mediakit.errors import ServerBusy
from mediakit.installation import required

__all__ = ["Crashed", "OutOfMemory", "TookTooLong", "WorkerFailed", "run"]

DEFAULT_MEMORY_BYTES = 1_500_000_000
MAX_MEMORY_BYTES = 2_000_000_000
"""The largest memory limit that a call may have; the memory of a server is sized by it."""

RETRY_AFTER_SECONDS = 5

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

logger = logging.getLogger(__name__)


@overload
async def run(
    function: str,
    /,
    *args: Any,
    returns: type[T],
    seconds: float = ...,
    memory: int = ...,
    prepare: str | None = ...,
) -> T: ...


@overload
async def run(
    function: Callable[[*Arguments], T],
    /,
    *args: *Arguments,
    seconds: float = ...,
    memory: int = ...,
    prepare: str | None = ...,
) -> T: ...


async def run(
    function: Any,
    /,
    *args: *Arguments,
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
    from mediakit.core.runtime import runtime
    from mediakit.engines.workers.pool import run_job

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
