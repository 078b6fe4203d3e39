"""Runs work on untrusted PDFs in a worker process, with limits of time and memory."""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from mediakit.engines import guarded

SECONDS = guarded.SECONDS
"""Time limit of one call."""

LONG_SECONDS = 60.0
"""Time limit of one call of the tools that compress or redact."""

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


async def run_guarded(
    function: Callable[[*Arguments], T], *args: *Arguments, seconds: float = SECONDS, field: str = "file"
) -> T:
    """Call a function on a PDF in a worker and return its result. See `guarded.run_guarded`."""
    return await guarded.run_guarded(function, *args, what="PDF", seconds=seconds, field=field)
