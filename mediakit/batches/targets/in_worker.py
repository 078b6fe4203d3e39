"""Runs the work of a target in a worker process."""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from mediakit.core.runtime import runtime
from mediakit.engines import workers
from mediakit.errors import InvalidInput

MEMORY_BYTES = 2 * 2**30

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


def run_in_worker(function: Callable[[*Arguments], T], *args: *Arguments, seconds: float) -> T:
    """Call a function in a worker process. Do not call this on the background loop.

    Raises:
        InvalidInput: It takes too long or needs too much memory.
    """
    try:
        return runtime.run(workers.run(function, *args, seconds=seconds, memory=MEMORY_BYTES))
    except workers.WorkerFailed as error:
        raise InvalidInput(
            f"to: the files are too many or too large to combine ({type(error).__name__}). They are saved; "
            "save to a folder or a .zip instead, or in several batches."
        ) from error
