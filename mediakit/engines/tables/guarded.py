"""Work on foreign tables in a worker process, within limits of time and memory."""

import gc
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from mediakit.engines import workers
from mediakit.errors import InvalidInput, NotConvertible

TIMEOUT_SECONDS = 10.0
"""The longest that reading and writing tables may take."""

MEMORY_BYTES = 1_000_000_000
"""Memory that a worker may use."""

T = TypeVar("T")
logger = logging.getLogger(__name__)


async def run_guarded(function: Callable[..., T], *args: Any, field: str = "file") -> T:
    """Call a function on foreign data in a worker process.

    Args:
        function: An importable function.
        args: Its arguments.
        field: The name that an error begins with.

    Raises:
        NotConvertible: It took too long.
        InvalidInput: It needed too much memory, or the data crashed its parser.
    """
    try:
        return await workers.run(_call, function, args, seconds=TIMEOUT_SECONDS, memory=MEMORY_BYTES)
    except workers.TookTooLong:
        raise NotConvertible(f"{field}: took longer than {TIMEOUT_SECONDS:g} seconds; send a smaller table.") from None
    except workers.OutOfMemory:
        raise InvalidInput(
            f"{field}: needs more than {MEMORY_BYTES // 10**9} GB of memory; send a smaller table."
        ) from None
    except workers.Crashed as failure:
        logger.warning("A table crashed its parser: %s", failure)
        raise InvalidInput(f"{field}: is damaged or too complex, and cannot be read.") from None


def _call(function: Callable[..., T], args: tuple[Any, ...]) -> T:
    """Call a function without garbage collection, which would walk millions of cells again and again."""
    gc.disable()
    try:
        return function(*args)
    finally:
        gc.enable()
        gc.collect()
