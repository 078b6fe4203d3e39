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
from io import FileIO
from pathlib import Path
from typing import Any

from mediakit.batches.targets.lock import Repeating
from mediakit.batches.targets.store import REPORT_LINES, SEGMENTS, Store, UrlStore
from mediakit.engines.tables.writers.text_formats import escape_formula

READ_BYTES = 2048
"""Bytes that are read for a line; a longer line needs another read."""

UPLOAD_SECONDS = 3.0
"""Interval of uploads."""

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


def write_csv(path: Path, records: Iterable[Record]) -> None:
    """Write records to a CSV file; texts that a spreadsheet would run as a formula are escaped."""
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for record in records:
            name, saved, notes, error = map(
                escape_formula, (record.name, record.file or "", notes_text(record.notes), record.error or "")
            )
            size = record.size_bytes if saved else ""
            writer.writerow([record.row, name, saved, record.sha256, size, round(record.ms, 1), notes, error])


def notes_text(notes: Mapping[str, Sequence[Any]]) -> str:
    """Return notes as one line of text."""
    return "; ".join(f"{name}: {', '.join(map(str, found))}" for name, found in notes.items() if found)


def _plain(value: object) -> object:
    """Return a value that JSON does not have as one that it has."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, Sequence | set | frozenset) else str(value)


class Segments:
    """Uploads the lines of a journal while it grows. A killed process loses the lines of one interval."""

    def __init__(self, store: UrlStore, path: Path) -> None:
        self._store, self._path = store, path
        self._names = store.names(SEGMENTS)
        with path.open("wb") as file:
            for name in [*store.names(REPORT_LINES), *self._names]:
                file.write(store.read(name))
        self._count = max((int(name.removeprefix(SEGMENTS)) for name in self._names), default=0)
        self._uploaded = 0
        self._uploads: Repeating | None = None

    def begin(self, offset: int) -> None:
        """Upload the lines after an offset, from now on."""
        self._uploaded = offset
        self._uploads = Repeating(self._upload, UPLOAD_SECONDS)

    def raise_error(self) -> None:
        """Raise the error of the last upload, if it has failed."""
        if self._uploads and self._uploads.error:
            raise self._uploads.error

    def close(self) -> None:
        """Upload the rest."""
        uploads, self._uploads = self._uploads, None
        if uploads:
            uploads.stop()
            self._upload()

    def delete(self) -> None:
        """Delete the segments, when the report has been written."""
        for name in self._names:
            self._store.delete(name)

    def _upload(self) -> None:
        with self._path.open("rb") as file:
            file.seek(self._uploaded)
            lines = file.read()
        if lines := lines[: lines.rfind(b"\n") + 1]:
            self._count += 1
            self._names.append(f"{SEGMENTS}{self._count:08}")
            self._store.put(self._names[-1], lines)
            self._uploaded += len(lines)


class Manifest:
    """Records of rows in a file that only grows, `report.jsonl`.

    A record is in the file when `add` returns, so a killed process loses none. Only the positions of the records are in
    memory, about 200 bytes a row.
    """

    def __init__(self, store: Store, check: Callable[[Record], None] = lambda _: None) -> None:
        self._store = store
        self._check = check
        self._lock = threading.Lock()
        self._file: FileIO | None = None
        self._segments: Segments | None = None
        self._end = 0
        self._earlier: dict[int, int] = {}
        self._rows = array("q")
        self._finished: Callable[[], Iterator[bytes]] | None = None

    @property
    def _path(self) -> Path:
        return self._store.local / REPORT_LINES

    def open(self) -> None:
        """Read where the records of earlier runs are; the last line of a killed process may be incomplete."""
        self._segments = Segments(self._store, self._path) if isinstance(self._store, UrlStore) else None
        self._file = FileIO(self._path, "a+")
        self._earlier, self._rows, self._finished, self._end = {}, array("q"), None, 0
        with self._path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                if record := from_line(line):
                    self._earlier[_digest(record.name)] = self._end
                self._end += len(line)
        self._file.truncate(self._end)
        if self._segments:
            self._segments.begin(self._end)

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
        record = None if offset is None else from_line(self._read(offset))
        return record if record and record.name == name else None

    def _read(self, offset: int) -> bytes:
        with self._lock:
            file = self._opened()
            file.seek(offset)
            found = file.read(READ_BYTES) or b""
            while b"\n" not in found[-READ_BYTES:] and (more := file.read(READ_BYTES)):
                found += more
        return found[: found.find(b"\n") + 1]

    def add(self, record: Record) -> None:
        """Add the record of a row of this run; it replaces an earlier one of the same row.

        Raises:
            InvalidInput: The target cannot hold a file of this type.
            OSError: The disk is full, the folder was removed, or the last upload has failed.
        """
        self._check(record)
        line, digest = to_line(record), _digest(record.name)
        offset = self._earlier.get(digest, MISSING)
        if offset == MISSING or self._read(offset) != line:
            try:
                offset = self._append(line)
            except OSError:
                if not record.card:
                    raise
                offset = self._append(to_line(replace(record, card={})))  # a full disk may hold the rest
            if digest in self._earlier:
                self._earlier[digest] = offset
        self._rows.extend([MISSING] * (record.row - len(self._rows)))
        self._rows[record.row - 1] = offset

    def _append(self, line: bytes) -> int:
        """Write a line and return its offset."""
        if self._segments:
            self._segments.raise_error()
        with self._lock:
            file, offset = self._opened(), self._end
            if not os.fstat(file.fileno()).st_nlink:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(self._path))
            try:
                written = 0
                while written < len(line):  # a write can be partial on a full disk; the next one raises the error
                    written += file.write(line[written:])
            except OSError:
                file.truncate(offset)
                raise
            self._end += len(line)
            return offset

    def _opened(self) -> FileIO:
        if self._file is None:
            raise ValueError("The target of the batch is not open.")
        return self._file

    def records(self) -> Iterator[Record]:
        """Yield the latest record of each row of this run, in the order of the rows."""
        return filter(None, map(from_line, self.lines()))

    def lines(self) -> Iterator[bytes]:
        """Yield the latest record of each row of this run as JSON; the manifest may be closed."""
        if self._finished:
            yield from self._finished()
            return
        with self._path.open("rb") as file:
            for offset in self._rows:
                if offset != MISSING:
                    file.seek(offset)
                    yield file.readline()

    def close(self) -> None:
        """Close the file; the records can still be read."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            if self._segments:
                self._segments.close()
        finally:
            file.close()

    def finish(self, lines: Callable[[], Iterator[bytes]]) -> None:
        """Close the file, whose records are now in a report, which is read with a function."""
        self.close()
        if self._segments:
            self._segments.delete()
        self._finished = lines
        self._earlier.clear()
        self._rows = array("q")


def _digest(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest())
