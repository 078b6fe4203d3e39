"""Runs the work of a target in a worker process."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar, TypeVarTuple

from mediakit.core.runtime import runtime
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import InvalidInput

_TOO_LARGE = (
    InvalidInput,
    (
        "to: the files are too many or too large to combine ({failure}). They are saved; save to a folder or a .zip "
        "instead, or in several batches."
    ),
)
_COMBINING = Guard(memory=2 * 2**30, took_too_long=_TOO_LARGE, out_of_memory=_TOO_LARGE, crashed=_TOO_LARGE)

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


def run_in_worker(function: Callable[[*Arguments], T], *args: *Arguments, seconds: float) -> T:
    """Call a function in a worker process. Do not call this on the background loop.

    Raises:
        InvalidInput: It takes too long or needs too much memory.
    """
    return runtime.run(run_guarded(function, *args, guard=replace(_COMBINING, seconds=seconds)))
