"""The file that has a line for each row that is done, in the order in which the rows were done."""

import errno
import os
import threading
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

READ_BYTES = 2048
"""Bytes that are read for a line; a longer line needs another read."""


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
