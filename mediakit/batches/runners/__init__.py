"""Where the calls of a batch run: in this process, in worker processes, or on an executor."""

from typing import Any, Protocol

from mediakit.batches.entries import Entry

__all__ = ["Runner"]


class Runner(Protocol):
    """Makes the calls of entries and sets their results, records and errors."""

    @property
    def concurrency(self) -> int:
        """Number of calls of `run` at a time."""

    @property
    def size(self) -> int:
        """Number of entries that the next call of `run` should have."""

    async def run(self, entries: list[Entry[Any]]) -> None:
        """Make the calls of entries.

        Raises:
            Exception: An error that does not belong to a row, for example a full disk.
        """

    async def close(self) -> None:
        """Stop workers that the runner started."""
