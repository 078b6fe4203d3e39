"""What can be done with credits. Operations are objects, so that a thread can execute those of many calls together."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from mediakit.accounts.keys import Principal
from mediakit.accounts.leases import Hold
from mediakit.accounts.ledger import Outcome
from mediakit.usage import Usage

T = TypeVar("T")


@dataclass(eq=False, kw_only=True)
class Operation(Generic[T]):
    """An operation that has a result or an error after its execution."""

    value: T | None = None
    error: Exception | None = None

    @property
    def is_done(self) -> bool:
        """Whether the operation was executed."""
        return self.value is not None or self.error is not None

    def result(self) -> T:
        """Return the result, or raise the error."""
        if self.error:
            raise self.error
        assert self.value is not None  # noqa: S101  # the operation was executed
        return self.value


@dataclass(eq=False)
class Reserve(Operation[Hold]):
    """Hold a credit."""

    principal: Principal
    hold_seconds: float


@dataclass(eq=False)
class Commit(Operation[Usage]):
    """Charge a call."""

    hold: Hold
    outcome: Outcome


@dataclass(eq=False)
class Release(Operation[bool]):
    """Return the credit of a call."""

    hold: Hold
