"""Run functions in worker processes, which can be killed when they hang, crash or use too much memory.

    form = await pool.run("mediakit.engines.pdf.forms.filling:fill", request, returns=FilledForm, seconds=10)

Use it for parsers of untrusted files and for libraries that hold the interpreter's lock while they work. `guarded.py`
has the limits and the errors of the tools.

A message between parent and worker is a header (its kind, the number of its parts, their sizes) and its parts: a
pickle, then the buffers that pickle protocol 5 leaves beside it. The contents of files are such buffers, so they are
not copied into a pickle. The parent does not trust what a worker sends.

A job that returns no message fails:

    WorkerFailed        RuntimeError
    ├── TookTooLong     TimeoutError
    ├── OutOfMemory     MemoryError
    ├── Crashed
    └── Interrupted
        ├── NotStarted
        ├── Killed
        └── PoolClosed

The first three are caused by the job: its file is too complex or damaged. `engines.guarded` raises them as errors for
the caller of a tool. `Interrupted` is not, so the same job can succeed later; `pool.run` raises it as `ServerBusy`.
"""

import builtins
import io
import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any, get_origin

DEFAULT_MEMORY_BYTES = 1_500_000_000
MAX_MEMORY_BYTES = 2_000_000_000
"""The largest memory limit that a call may have; the memory of a server is sized by it."""


START = Struct(">cI")
"""Kind of the message, number of its parts."""

SIZE = Struct(">Q")
"""Size of a part in bytes."""

CALL, FORK, STARTED, RETURNED, RAISED = b"c", b"f", b"s", b"r", b"x"
"""A call in the worker or in a process that it forks; the start of a call, its result and its exception."""

PIPE_BYTES = 1 << 20
"""Capacity of the pipes, where the system allows it: large files pass in few steps."""

MAX_PARTS = 100_000

MIN_BUFFER_BYTES = 1 << 15
"""Smaller values are copied into the pickle."""

Buffer = bytes | memoryview


class WorkerFailed(RuntimeError):
    """A worker did not return a result."""


class TookTooLong(WorkerFailed, TimeoutError):
    """The job exceeded its time limit. Its worker was killed."""


class OutOfMemory(WorkerFailed, MemoryError):
    """The job exceeded its memory limit."""


class Crashed(WorkerFailed):
    """The worker process crashed or exited, or its response is invalid."""


class Interrupted(WorkerFailed):
    """The job did not finish, for a reason that the job did not cause."""


class NotStarted(Interrupted):
    """The worker process ended, or its start timed out, before it called the function."""


class Killed(Interrupted):
    """The worker process was killed from outside during the job, by an operator or for lack of memory."""


class PoolClosed(Interrupted):
    """The pool is closed and starts no more workers."""


class UnknownResult(RuntimeError):
    """A worker returned an instance of a class that this process has not imported: pass the class as `returns`."""


def message(kind: bytes, value: Any = None) -> list[Buffer]:
    """Return the header and the parts of a message. A message of None has no parts."""
    parts: list[Buffer] = []
    if value is not None:
        buffers: list[pickle.PickleBuffer] = []
        file = io.BytesIO()
        _Pickler(file, protocol=5, buffer_callback=buffers.append).dump(_beside(value))
        parts = [file.getbuffer(), *(buffer.raw() for buffer in buffers)]
    return [b"".join([START.pack(kind, len(parts)), *(SIZE.pack(len(part)) for part in parts)]), *parts]


class _Pickler(pickle.Pickler):
    """Leaves large bytes beside the pickle, if they are an attribute of one of mediakit's own objects."""

    def reducer_override(self, obj: Any) -> Any:
        state = getattr(obj, "__dict__", None)
        if type(state) is not dict or not _is_own(type(obj)) or not any(map(_is_large, state.values())):
            return NotImplemented
        function, args, *rest = obj.__reduce_ex__(5)
        if rest and type(rest[0]) is dict:
            rest[0] = {name: _beside(value) for name, value in rest[0].items()}
        return function, args, *rest


def _is_large(value: Any) -> bool:
    return type(value) is bytes and len(value) >= MIN_BUFFER_BYTES


def _beside(value: Any) -> Any:
    return pickle.PickleBuffer(value) if _is_large(value) else value


@dataclass(frozen=True)
class Job:
    """A function call with its limits."""

    message: Sequence[Buffer]
    """What is sent to the worker: the name of the function, its arguments, and the limits."""
    seconds: float
    """Time limit."""
    memory: int
    """Memory limit, in bytes."""
    returns: Any = None
    """The class of the result; None if it is not checked."""

    @classmethod
    def of(
        cls,
        function: str | Callable[..., Any],
        args: tuple[Any, ...],
        *,
        seconds: float,
        memory: int,
        returns: Any = None,
        forks: bool = False,
    ) -> "Job":
        """Pickle a call; `forks` gives it a process of its own.

        Raises:
            ValueError: A worker cannot import the function, or the arguments cannot be pickled.
        """
        name = function if isinstance(function, str) else _name(function)
        try:
            sent = message(FORK if forks else CALL, (name, tuple(map(_beside, args)), seconds, memory))
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise ValueError(f"{name}: its arguments cannot be sent to a worker: {error}") from error
        return cls(sent, seconds, memory, returns)


def _name(function: Callable[..., Any]) -> str:
    module, name = function.__module__, function.__qualname__
    if module == "__main__":
        raise ValueError(f"function: {name} must be defined in an importable module.")
    if getattr(sys.modules.get(module), name, None) is not function:
        raise ValueError(f"function: {module}.{name} cannot be sent to a worker: it is not a function of its module.")
    return f"{module}:{name}"


def load(parts: Sequence[bytes]) -> Any:
    """Return the value of a worker's message, which is not trusted.

    A hostile file may have taken control of the worker, and unpickling can call every function that the unpickler
    finds. Only plain data, instances of mediakit's own classes and built-in exceptions are accepted.

    Raises:
        Crashed: The message is damaged or contains an object of another kind.
        UnknownResult: It contains an instance of a class of mediakit that this process has not imported.
    """
    if not parts:
        return None
    try:
        return _RestrictedUnpickler(io.BytesIO(parts[0]), buffers=parts[1:]).load()
    except UnknownResult:
        raise
    except Exception as error:  # a damaged pickle raises exceptions of nearly every type
        raise Crashed(f"The worker's response cannot be read: {error}") from error


class _RestrictedUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return a class of a module that is already imported. Functions and dotted names are rejected."""
        if module.partition(".")[0] == "mediakit" and module not in sys.modules:
            raise UnknownResult(
                f"The worker returned {module}.{name}, which this process has not imported. Import it where the job is "
                "started, and pass it as `returns`."
            )
        found = getattr(sys.modules.get(module), name, None)
        is_builtin = found is getattr(builtins, name, None)
        if isinstance(found, type) and (_is_own(found) or (is_builtin and issubclass(found, BaseException))):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is not accepted from a worker")


def check_class(result: Any, stated: Any) -> None:
    """Check the class of what a worker returned, as far as it is known at run time.

    Raises:
        Crashed: It is of another class.
    """
    kind = get_origin(stated) or stated
    if isinstance(kind, type) and not isinstance(result, kind):
        raise Crashed(f"The worker returned {type(result).__qualname__}, not {kind.__qualname__}.")


def _is_own(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "mediakit"
