"""`Entry`: a row of a batch with its call and its outcome."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mediakit.batches.records import Record
from mediakit.batches.rows import Row
from mediakit.errors import MediakitError
from mediakit.results.result import Result

R = TypeVar("R", bound=Result)


@dataclass(slots=True)
class Entry(Generic[R]):
    """A row with its call and the result, the record of a saved file, or the error."""

    row: Row
    name: str
    values: Mapping[str, Any]
    result: R | None = None
    record: Record | None = None
    """The saved file, if the batch has a target."""
    error: MediakitError | None = None
    ms: float = 0.0
    """Time of the call in milliseconds."""
    key: str = ""
    """Hash of the call, if the batch has a target; equal calls have equal keys."""
    crashes: int = 0
    """How many worker processes ended while they made this row."""
    idempotency_key: str = ""
    """Key of the call to a server, so that a call whose response was lost is charged once; empty until the call."""

    @property
    def is_created(self) -> bool:
        """Whether the row has a result or a saved file."""
        return self.result is not None or self.record is not None

    @property
    def is_pending(self) -> bool:
        """Whether the entry has neither a result nor an error."""
        return not self.is_created and self.error is None
