"""A line per row that is done, in a folder or in a store whose files cannot grow, and what is known of the rows."""

import csv
import errno
import json
import os
import threading
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from io import FileIO, StringIO
from pathlib import Path
from typing import Any

from mediakit.batches.targets.lock import Repeating
from mediakit.batches.targets.store import REPORT_LINES, SEGMENTS, Store, UrlStore
from mediakit.engines.tables.writers.text_formats import escape_formula

READ_BYTES = 2048
"""Bytes that are read for a line; a longer line needs another read."""

UPLOAD_SECONDS = 0.5
"""Interval of uploads at the start of a batch."""

SLOWER_AFTER_SEGMENTS = 100
"""For each of so many segments, the interval grows by `UPLOAD_SECONDS`, up to `MAX_UPLOAD_SECONDS`."""

MAX_UPLOAD_SECONDS = 10.0

MISSING = -1

COLUMNS = ("row", "name", "file", "sha256", "size_bytes", "ms", "notes", "error")
"""Columns of the CSV file."""

MEMBERS = (*COLUMNS[:5], "mime_type", *COLUMNS[5:], "key", "meta", "member", "fields")
"""Members of a line of JSON; `card` and `is_uncertain` follow if they have a value."""


@dataclass(frozen=True)
class Record:
    """The outcome of a row, as the report of the batch has it."""

    row: int
    """Number of the row, from 1."""
    name: str
    """Name of the result, unique in the batch, without the suffix of the file."""
    key: str = ""
    """Hash of the values of the call and the versions that made the file; equal keys have equal files."""
    file: str | None = None
    """Path of the file within the target; None if the row failed."""
    mime_type: str = ""
    size_bytes: int = 0
    sha256: str = ""
    """Checksum of the file, in hexadecimal digits."""
    ms: float = 0.0
    """Time of the call in milliseconds."""
    notes: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Lists of the meta that may need attention, such as `warnings`, if they are not empty."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """The meta of the result."""
    member: str = ""
    """Name of the file in the JSON envelope of the result; empty for results that are data."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the result beside its file and its meta."""
    card: Mapping[str, str] = field(default_factory=dict)
    """What a gallery shows of the result, with its thumbnail; empty for rows that are not shown."""
    error: str | None = None
    """Message of the error; None if the row has a file."""
    is_uncertain: bool = False
    """Whether a server may have charged the call although it failed, so that it is repeated with the same key."""


def to_line(record: Record) -> bytes:
    """Return a record as a line of JSON."""
    values = {name: getattr(record, name) for name in MEMBERS} | {"ms": round(record.ms, 1)}
    values |= {name: value for name in ("card", "is_uncertain") if (value := getattr(record, name))}
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def from_line(line: bytes) -> Record | None:
    """Return the record of a line; None if the line is not a whole record, such as the last one of a killed process."""
    try:
        record: Record = _adapter().validate_json(line)
    except ValueError:
        return None
    return record


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(Record)


def csv_lines(records: Iterable[Record]) -> Iterator[bytes]:
    """Yield the lines of a CSV file; texts that a spreadsheet would run as a formula are escaped."""
    yield _csv_line(COLUMNS)
    for record in records:
        texts = [escape_formula(text) for text in (record.name, record.file or "", notes_text(record.notes))]
        size = record.size_bytes if record.file else ""
        error = escape_formula(record.error or "")
        yield _csv_line([record.row, *texts[:2], record.sha256, size, round(record.ms, 1), texts[2], error])


def notes_text(notes: Mapping[str, Sequence[Any]]) -> str:
    """Return notes as one line of text."""
    return "; ".join(f"{name}: {', '.join(map(str, found))}" for name, found in notes.items() if found)


def _csv_line(cells: Sequence[object]) -> bytes:
    target = StringIO()
    csv.writer(target, lineterminator="\n").writerow(cells)
    return target.getvalue().encode("utf-8", "backslashreplace")


def _plain(value: object) -> object:
    """Return a value that JSON does not have as one that it has."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, Sequence | set | frozenset) else str(value)


class Journal:
    """A file of lines that only grows. Each line is in the file when `append` returns, so a killed process loses none.

    Args:
        path: The file. It is created if it does not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: FileIO | None = None
        self._end = 0
        self._lock = threading.Lock()

    def open(self) -> None:
        """Open the file, and remove an incomplete line at its end, which a killed process has left."""
        self._file = file = FileIO(self.path, "a+")
        self._end = _end_of_last_line(file)
        file.truncate(self._end)

    def close(self) -> None:
        """Close the file; it can still be read with `lines`."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def finish(self) -> None:
        """Remove what is not needed any more when the report has been written."""

    def append(self, line: bytes) -> int:
        """Write a line and return its offset.

        Raises:
            OSError: The disk is full, or the file was removed.
        """
        with self._lock:
            file, offset = self._opened(), self._end
            if not os.fstat(file.fileno()).st_nlink:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self.path))
            try:
                written = 0
                while written < len(line):  # a write can be partial on a full disk; the next one raises the error
                    written += file.write(line[written:])
            except OSError:
                file.truncate(offset)
                raise
            self._end += len(line)
            return offset

    def read(self, offset: int) -> bytes:
        """Return the line at an offset."""
        with self._lock:
            file = self._opened()
            file.seek(offset)
            found = file.read(READ_BYTES) or b""
            while b"\n" not in found[-READ_BYTES:] and (more := file.read(READ_BYTES)):
                found += more
        return found[: found.find(b"\n") + 1]

    def scan(self) -> Iterator[tuple[int, bytes]]:
        """Yield the offset and content of each line."""
        offset = 0
        with self.path.open("rb") as file:
            for line in file:
                yield offset, line
                offset += len(line)

    def lines(self, offsets: Iterator[int]) -> Iterator[bytes]:
        """Yield the lines at offsets; the journal may be closed."""
        with self.path.open("rb") as file:
            for offset in offsets:
                file.seek(offset)
                yield file.readline()

    def _opened(self) -> FileIO:
        if self._file is None:
            raise ValueError("The target of the batch is not open.")
        return self._file


def _end_of_last_line(file: FileIO) -> int:
    """Return the position after the last line break."""
    position = file.seek(0, os.SEEK_END)
    while position:
        start = max(0, position - READ_BYTES)
        file.seek(start)
        found = file.read(position - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        position = start
    return 0


class RemoteJournal(Journal):
    """A journal on this machine that is uploaded while it grows. A killed process loses the lines of one interval.

    Args:
        store: The store.
        path: The copy on this machine.
    """

    def __init__(self, store: UrlStore, path: Path) -> None:
        super().__init__(path)
        self._store = store
        self._uploaded = 0
        self._count = 0
        self._names: list[str] = []
        self._uploads: Repeating | None = None

    def open(self) -> None:
        """Download the report of earlier runs, and begin to upload new lines."""
        self._names = self._store.names(SEGMENTS)
        with self.path.open("wb") as file:
            for name in [*self._store.names(REPORT_LINES), *self._names]:
                file.write(self._store.read(name))
        super().open()
        self._uploaded = self.path.stat().st_size
        self._count = max((int(name.removeprefix(SEGMENTS)) for name in self._names), default=0)
        self._uploads = Repeating(self._upload, self._seconds)

    def append(self, line: bytes) -> int:
        """Write a line and return its offset.

        Raises:
            OSError: The disk is full, or the last upload has failed.
        """
        if self._uploads:
            self._uploads.raise_error()
        return super().append(line)

    def close(self) -> None:
        """Upload the rest.

        Raises:
            OSError: The upload has failed.
        """
        uploads, self._uploads = self._uploads, None
        if uploads:
            uploads.stop()
            try:
                self._upload()
            finally:
                super().close()

    def finish(self) -> None:
        """Delete the segments, when the report has been written."""
        for name in self._names:
            self._store.delete(name)

    def _upload(self) -> None:
        with self.path.open("rb") as file:
            file.seek(self._uploaded)
            lines = file.read()
        lines = lines[: lines.rfind(b"\n") + 1]
        if lines:
            name = f"{SEGMENTS}{self._count + 1:08}"
            self._store.put(name, lines)
            self._names.append(name)
            self._count += 1
            self._uploaded += len(lines)

    def _seconds(self) -> float:
        return min(UPLOAD_SECONDS * (1 + self._count // SLOWER_AFTER_SEGMENTS), MAX_UPLOAD_SECONDS)


def open_journal(folder: Store) -> Journal:
    """Return the journal of a folder; it is not opened yet."""
    if isinstance(folder, UrlStore):
        return RemoteJournal(folder, folder.local / REPORT_LINES)
    return Journal(Path(folder.path, REPORT_LINES))


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
        record = self._find(name)
        if record is None or record.key != key or record.error is not None or not record.file:
            return None
        return record if self._store.size(record.file) == record.size_bytes else None

    def find_failed(self, name: str) -> Record | None:
        """Return the record of a row that failed in an earlier run; None if it did not fail."""
        record = self._find(name)
        return record if record and record.error is not None else None

    def _find(self, name: str) -> Record | None:
        offset = self._earlier.get(_digest(name))
        record = None if offset is None else from_line(self._journal.read(offset))
        return record if record and record.name == name else None

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
            try:
                offset = self._journal.append(line)
            except OSError:
                if not record.card:
                    raise
                offset = self._journal.append(to_line(replace(record, card={})))  # a full disk may hold the rest
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
