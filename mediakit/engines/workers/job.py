"""Jobs and answers as they travel through the pipes: a head of fixed length, then a pickle."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import Any

PROTOCOL = 5

JOB = Struct(">Qdq")
"""Bytes of the pickled call, seconds, bytes of memory."""

ANSWER = Struct(">cQ")
"""One of the kinds below, bytes of the pickle."""

BEGAN, RETURNED, RAISED = b"b", b"r", b"x"


@dataclass(frozen=True, slots=True)
class Job:
    """A call of a function, with what it may use."""

    call: bytes
    """The function and its arguments, pickled."""
    seconds: float
    memory: int
    """Bytes."""

    @classmethod
    def of(cls, function: Callable[..., Any], args: tuple[Any, ...], *, seconds: float, memory: int) -> "Job":
        """Pickle a call.

        Raises:
            ValueError: A worker could not import the function, or the arguments have no pickle.
        """
        if function.__module__ == "__main__":
            raise ValueError(f"function: {function.__qualname__} is no module's; put it into one that can be imported.")
        try:
            return cls(pickle.dumps((function, args), PROTOCOL), seconds, memory)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise ValueError(f"function: cannot be sent to a worker: {error}") from error

    @property
    def head(self) -> bytes:
        """What goes before the call."""
        return JOB.pack(len(self.call), self.seconds, self.memory)
