"""Rows of a source with changed values in some of them."""

from collections.abc import Callable, Iterable, Iterator

from mediakit.batches.rows import Row
from mediakit.batches.sources.source import RowSource


class ReplacedRows(RowSource):
    """The rows of another source, after a function has replaced some of them.

    Args:
        source: The other source.
        replace: Returns the row to use for a row.
        added: Columns that replaced rows may have in addition.
    """

    def __init__(self, source: RowSource, replace: Callable[[Row], Row], added: Iterable[str]) -> None:
        self._source = source
        self._replace = replace
        self.columns = tuple(dict.fromkeys([*(source.columns or ()), *added]))
        self.total = source.total
        self.repeatable = source.repeatable
        self.fits_memory = source.fits_memory

    def chunks(self) -> Iterator[list[Row]]:
        """Read the rows lazily."""
        return ([self._replace(row) for row in rows] for rows in self._source.chunks())

    def close(self) -> None:
        """Close open files of the other source."""
        self._source.close()
