"""The wire format between parent and worker: a header of fixed length, then a pickle."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import Any

PROTOCOL = 5

JOB_HEADER = Struct(">Qdq")
"""Size of the pickled call in bytes, time limit in seconds, memory limit in bytes."""

RESPONSE_HEADER = Struct(">cQ")
"""One of the kinds below, size of the pickle in bytes."""

STARTED, RETURNED, RAISED = b"s", b"r", b"x"


@dataclass(frozen=True, slots=True)
class Job:
    """A function call with its limits."""

    call: bytes
    """The function and its arguments, pickled."""
    seconds: float
    """Time limit."""
    memory: int
    """Memory limit, in bytes."""

    @classmethod
    def of(cls, function: Callable[..., Any], args: tuple[Any, ...], *, seconds: float, memory: int) -> "Job":
        """Pickle a call.

        Raises:
            ValueError: A worker cannot import the function, or the arguments cannot be pickled.
        """
        if function.__module__ == "__main__":
            raise ValueError(f"function: {function.__qualname__} must be defined in an importable module.")
        try:
            return cls(pickle.dumps((function, args), PROTOCOL), seconds, memory)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise ValueError(f"function: cannot be sent to a worker: {error}") from error

    @property
    def header(self) -> bytes:
        """The header that precedes the pickled call."""
        return JOB_HEADER.pack(len(self.call), self.seconds, self.memory)
