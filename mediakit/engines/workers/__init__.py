"""Work that may hang, crash or eat all memory: done in processes of their own, which can be killed.

    answer = await workers.run(function, file, seconds=10)

For parsers of files from strangers, and for libraries that keep the interpreter's lock while they work.
"""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from mediakit.engines.workers.failures import Crashed, OutOfMemory, TookTooLong, WorkerFailed

__all__ = ["Crashed", "OutOfMemory", "TookTooLong", "WorkerFailed", "run"]

P = ParamSpec("P")
T = TypeVar("T")

MEMORY = 1_500_000_000


async def run(function: Callable[..., T], *args: Any, seconds: float = 10.0, memory: int = MEMORY) -> T:
    """Call a function in a worker process and give what it returns, or raise what it raises.

    There are as many workers as processor cores; they start when they are first needed and keep what they import.
    Calls beyond that wait in the order in which they came. Cancelling the caller kills the worker of that call alone.

    Args:
        function: One that can be imported, so none of a script or a notebook's cell.
        args: Its arguments; they are pickled.
        seconds: The longest that it may run, waiting and importing its module aside.
        memory: Bytes that the process may hold meanwhile, interpreter and libraries included; on Linux alone.

    Returns:
        Plain data or objects of mediakit's own classes. Nothing else is taken from a worker: a file may have seized it.

    Raises:
        TookTooLong: It ran longer than `seconds`.
        OutOfMemory: It needed more than `memory`.
        Crashed: The process died.
        ValueError: The function or its arguments cannot be sent to a worker.
    """
    from mediakit.core.runtime import runtime
    from mediakit.engines.workers.job import Job
    from mediakit.engines.workers.pool import run_job

    return await runtime.wait(run_job(Job.of(function, args, seconds=seconds, memory=memory)))
