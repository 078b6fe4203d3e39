"""A journal in a store whose files cannot grow: new lines are uploaded in segments, which are merged at the end."""

from pathlib import Path
from typing import Protocol

from mediakit.batches.targets.journal import Journal
from mediakit.batches.targets.paths import REPORT_LINES, SEGMENTS
from mediakit.batches.targets.repeating import Repeating

UPLOAD_SECONDS = 0.5
"""Interval of uploads at the start of a batch."""

SLOWER_AFTER_SEGMENTS = 100
"""For each of so many segments, the interval grows by `UPLOAD_SECONDS`, up to `MAX_UPLOAD_SECONDS`."""

MAX_UPLOAD_SECONDS = 10.0


class Segments(Protocol):
    """The store of the journal."""

    def names(self, prefix: str) -> list[str]:
        """Return the files with a prefix, in order."""

    def read(self, file: str) -> bytes:
        """Return the content of a file."""

    def put(self, file: str, content: bytes) -> None:
        """Write a file."""

    def delete(self, file: str) -> None:
        """Delete a file."""


class RemoteJournal(Journal):
    """A journal on this machine that is uploaded while it grows. A killed process loses the lines of one interval.

    Args:
        store: The store.
        path: The copy on this machine.
    """

    def __init__(self, store: Segments, path: Path) -> None:
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
