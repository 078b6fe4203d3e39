"""Runs work on untrusted PDFs in a worker process, with limits of time and memory."""

import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from mediakit.engines import workers
from mediakit.errors import InvalidInput, NotConvertible, ServerBusy

SECONDS = 30.0
"""Time limit of one call."""

MEMORY_BYTES = 2**30

P = ParamSpec("P")
T = TypeVar("T")

logger = logging.getLogger(__name__)


async def run_guarded(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a worker and return its result.

    Raises:
        InvalidInput: The function says so, the work needs too much memory, or a file crashes the parser.
        NotConvertible: The work took longer than 30 seconds.
        ServerBusy: The workers are being stopped.
    """
    if kwargs:
        raise TypeError("run_guarded() takes positional arguments for the function only")
    try:
        return await workers.run(function, *args, seconds=SECONDS, memory=MEMORY_BYTES)
    except workers.WorkerFailed as failure:
        logger.warning("Work on a PDF failed: %s", failure)
        raise _error(failure) from failure


def _error(failure: workers.WorkerFailed) -> InvalidInput | NotConvertible | ServerBusy:
    if isinstance(failure, workers.TookTooLong):
        return NotConvertible(f"The PDF took longer than {SECONDS:g} seconds.")
    if isinstance(failure, MemoryError):
        return InvalidInput("file: needs more than 1 GB of memory to process; send fewer or smaller files.")
    if isinstance(failure, workers.Crashed):
        return InvalidInput("file: is damaged and cannot be read.")
    return ServerBusy("PDFs cannot be processed right now. Try again.")
