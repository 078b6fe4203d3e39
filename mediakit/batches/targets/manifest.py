"""What a target knows of its rows: those of earlier runs, and those of this run."""

from array import array
from collections.abc import Callable, Iterator
from hashlib import blake2b

from mediakit.batches.records import Record
from mediakit.batches.targets.journal import Journal
from mediakit.batches.targets.record_lines import from_line, to_line
from mediakit.batches.targets.store import Store

MISSING = -1


class Manifest:
    """Records of rows in a journal. Only the positions of the records are in memory, about 200 bytes a row.

    Args:
        journal: The file of the records.
        store: The files that records of earlier runs name.
        check: Called for each record that is added.
    """

    def __init__(self, journal: Journal, store: Store, check: Callable[[Record], None] = lambda _: None) -> None:
        self._journal = journal
        self._store = store
        self._check = check
        self._earlier: dict[int, int] = {}
        self._rows = array("q")
        self._finished: Callable[[], Iterator[bytes]] | None = None

    def open(self) -> None:
        """Read where the records of earlier runs are."""
        self._journal.open()
        self._earlier.clear()
        self._rows = array("q")
        self._finished = None
        for offset, line in self._journal.scan():
            if record := from_line(line):
                self._earlier[_digest(record.name)] = offset

    def find(self, name: str, key: str) -> Record | None:
        """Return the record of a row from an earlier run.

        Returns:
            None if the row was not made with this key, failed, or its file is missing or has another size.
        """
        offset = self._earlier.get(_digest(name))
        if offset is None:
            return None
        record = from_line(self._journal.read(offset))
        if record is None or record.name != name or record.key != key or record.error is not None or not record.file:
            return None
        return record if self._store.size(record.file) == record.size_bytes else None

    def find_failed(self, name: str) -> Record | None:
        """Return the record of a row that failed in an earlier run; None if it did not fail."""
        offset = self._earlier.get(_digest(name))
        record = None if offset is None else from_line(self._journal.read(offset))
        return record if record and record.name == name and record.error is not None else None

    def add(self, record: Record) -> None:
        """Add the record of a row of this run; it replaces an earlier one of the same row.

        Raises:
            InvalidInput: The target cannot hold a file of this type.
            OSError: The disk is full, or the folder was removed.
        """
        self._check(record)
        line, digest = to_line(record), _digest(record.name)
        offset = self._earlier.get(digest, MISSING)
        if offset == MISSING or self._journal.read(offset) != line:
            offset = self._journal.append(line)
            if digest in self._earlier:
                self._earlier[digest] = offset
        missing = record.row - len(self._rows)
        if missing > 0:
            self._rows.extend([MISSING] * missing)
        self._rows[record.row - 1] = offset

    def records(self) -> Iterator[Record]:
        """Yield the latest record of each row of this run, in the order of the rows."""
        for line in self.lines():
            if record := from_line(line):
                yield record

    def lines(self) -> Iterator[bytes]:
        """Yield the latest record of each row of this run as JSON."""
        if self._finished:
            return self._finished()
        return self._journal.lines(offset for offset in self._rows if offset != MISSING)

    def close(self) -> None:
        """Close the journal; the records can still be read."""
        self._journal.close()

    def finish(self, lines: Callable[[], Iterator[bytes]]) -> None:
        """Close the journal, whose records are now in a report, which is read with a function."""
        self.close()
        self._journal.finish()
        self._finished = lines
        self._earlier.clear()
        self._rows = array("q")


def _digest(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest())
