"""Runs work on untrusted files in a worker process, with limits of time and memory."""

import logging
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from mediakit.engines import workers
from mediakit.errors import InvalidInput, NotConvertible, ServerBusy

SECONDS = 30.0
"""Default time limit of one call."""

MEMORY_BYTES = 2**30

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

logger = logging.getLogger(__name__)


async def run_guarded(
    function: Callable[[*Arguments], T],
    *args: *Arguments,
    what: str = "document",
    seconds: float = SECONDS,
    field: str = "file",
) -> T:
    """Call a function in a worker and return its result.

    Args:
        function: A function of an importable module.
        args: Its arguments.
        what: The kind of the file, for errors: `PDF`, `document`, `archive`.
        seconds: Time limit.
        field: Name of the request's field that holds the file, for errors.

    Raises:
        InvalidInput: The function says so, the work needs too much memory, or a file crashes the parser.
        NotConvertible: The work took longer than `seconds`.
        ServerBusy: The workers are being stopped.
    """
    try:
        return await workers.run(function, *args, seconds=seconds, memory=MEMORY_BYTES)
    except workers.WorkerFailed as failure:
        logger.warning("Work on a %s failed: %s", what, failure)
        raise _error(failure, what, seconds, field) from failure


def _error(
    failure: workers.WorkerFailed, what: str, seconds: float, field: str
) -> InvalidInput | NotConvertible | ServerBusy:
    if isinstance(failure, workers.TookTooLong):
        return NotConvertible(f"The {what} took longer than {seconds:g} seconds.")
    if isinstance(failure, MemoryError):
        return InvalidInput(f"{field}: needs more than 1 GB of memory to process; send fewer or smaller files.")
    if isinstance(failure, workers.Crashed):
        return InvalidInput(f"{field}: is damaged and cannot be read.")
    return ServerBusy(f"A {what} cannot be processed right now. Try again.")
