"""Work on untrusted files in a worker process: its limits, and what its failures mean for the caller of a tool.

found = await run_guarded("mediakit.tools.pdf.pdf_split.splitting:split", request, returns=Split, guard=PDF)
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, TypeVarTuple, overload

from mediakit.engines import workers
from mediakit.errors import InvalidInput, MediakitError, NotConvertible

Words = tuple[type[MediakitError], str]
"""An error class and its message, with `{what}`, `{field}`, `{seconds}` and `{failure}` in braces."""

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Guard:
    """The limits of a kind of work, and the errors that its failures become."""

    what: str = "document"
    """The kind of file, for messages: `PDF`, `document`, `archive`."""
    seconds: float = 30.0
    """Time limit of a call."""
    memory: int = 2**30
    """Memory limit of the worker, in bytes."""
    took_too_long: Words = NotConvertible, "The {what} took longer than {seconds:g} seconds."
    out_of_memory: Words = (
        InvalidInput,
        "{field}: needs more than 1 GB of memory to process; send fewer or smaller files.",
    )
    crashed: Words = InvalidInput, "{field}: is damaged and cannot be read."
    prepare: str | None = None
    """See `pool.run`."""
    damage: tuple[str, ...] = ()
    """Classes of exceptions that libraries raise for damaged files; they are reported as `crashed`."""

    def error(self, failure: RuntimeError | MemoryError, field: str = "file") -> MediakitError:
        """Return the error for the caller of a tool."""
        kind, message = self.crashed
        if isinstance(failure, workers.TookTooLong):
            kind, message = self.took_too_long
        elif isinstance(failure, MemoryError):
            kind, message = self.out_of_memory
        name = type(failure).__name__
        return kind(message.format(what=self.what, field=field, seconds=self.seconds, failure=name))


DOCUMENT = Guard()

PDF = Guard("PDF", damage=("PdfError", "DataDecodingError", "FzErrorFormat", "FzErrorSyntax", "FzErrorLibrary"))

LONG_PDF = replace(PDF, seconds=60)
"""For tools that compress or redact."""

TABLE = Guard(
    "table",
    seconds=10,
    memory=10**9,
    took_too_long=(NotConvertible, "{field}: took longer than {seconds:g} seconds; send a smaller table."),
    out_of_memory=(InvalidInput, "{field}: needs more than 1 GB of memory; send a smaller table."),
    crashed=(InvalidInput, "{field}: is damaged or too complex, and cannot be read."),
)


@overload
async def run_guarded(function: str, /, *args: Any, returns: type[T], guard: Guard = ..., field: str = ...) -> T: ...


@overload
async def run_guarded(
    function: Callable[[*Arguments], T], /, *args: *Arguments, guard: Guard = ..., field: str = ...
) -> T: ...


async def run_guarded(
    function: Any, /, *args: *Arguments, returns: Any = None, guard: Guard = DOCUMENT, field: str = "file"
) -> Any:
    """Call a function, `"package.module:function"` or one of an importable module, in a worker; return its result.

    Raises:
        InvalidInput: The function raises it, the work needs too much memory, or a file crashes the parser.
        NotConvertible: The work took too long. A guard may name other errors for these three.
        ServerBusy: The workers are being stopped, or the system ended one.
    """
    from mediakit.engines.workers.pool import run

    limits: dict[str, Any] = {"seconds": guard.seconds, "memory": guard.memory, "prepare": guard.prepare}
    try:
        return await run(function, *args, returns=returns, **limits)
    except RuntimeError as failure:
        # A worker raises exceptions of libraries as `RuntimeError("Class: message")`.
        is_damage = str(failure).partition(":")[0] in guard.damage
        if not isinstance(failure, workers.WorkerFailed) and not is_damage:
            raise
        logger.warning("Work on a %s failed: %s", guard.what, failure)
        raise guard.error(failure, field) from failure
