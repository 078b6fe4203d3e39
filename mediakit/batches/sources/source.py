"""Rows that are read in chunks."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress

from mediakit.batches.rows import Row
from mediakit.batches.sources.making import CHUNK_ROWS, RowMaker
from mediakit.errors import InvalidInput, MediakitError

__all__ = ["CHUNK_ROWS", "Read", "RowSource"]

Read = Callable[[RowMaker], Iterator[list[Row]]]
"""Reads the rows of a source from its first one, and builds them."""


class RowSource:
    """Rows that are read in chunks.

    Args:
        read: Reads the rows.
        make: Returns what builds them.
        columns: The columns of all rows, if they are known before the rows are read.
        total: Number of rows, if it is known.
        repeatable: Whether the rows can be read again.
        fits_memory: Whether the rows are in memory, or come from a small file.
    """

    def __init__(
        self,
        read: Read,
        make: Callable[[], RowMaker],
        *,
        columns: Sequence[str] | None = None,
        total: int | None = None,
        repeatable: bool = False,
        fits_memory: bool = False,
    ) -> None:
        self._read = read
        self._make = make
        self._readers: list[Generator[list[Row], None, None]] = []
        self.columns = None if columns is None else tuple(columns)
        """The columns of all rows, renamed, if they are known before the rows are read."""
        self.total = total
        """Number of rows, if it is known without reading them."""
        self.repeatable = repeatable
        """Whether `chunks` can be called again and returns the same rows."""
        self.fits_memory = fits_memory
        """Whether the rows are in memory, or come from a small file."""

    def chunks(self) -> Iterator[list[Row]]:
        """Read the rows lazily, at most `CHUNK_ROWS` at once. They are numbered from 1.

        Raises:
            InvalidInput: The source is damaged, its columns are invalid, or its rows were read before and are gone.
        """
        if self._readers and not self.repeatable:
            raise InvalidInput("rows: can be read only once; pass a list to read them again.")
        reader = self._chunks(self._make())
        self._readers.append(reader)
        return reader

    def close(self) -> None:
        """Close open files. Iterators and results of queries belong to the caller and stay open."""
        for reader in self._readers:
            with suppress(ValueError):  # another thread is reading
                reader.close()

    def _chunks(self, maker: RowMaker) -> Generator[list[Row], None, None]:
        try:
            yield from self._read(maker)
        except MediakitError:
            raise
        except Exception as error:
            error.add_note(f"Raised while the rows after row {maker.count} were read.")
            raise
