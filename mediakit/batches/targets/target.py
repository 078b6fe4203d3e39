"""Where the files of a batch go: a store for the files of rows, and the manifest of the rows."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from mediakit.batches.targets.failures import failure_message
from mediakit.batches.targets.folder_store import FolderStore, replacing
from mediakit.batches.targets.journal import Journal
from mediakit.batches.targets.locks import FolderLock
from mediakit.batches.targets.manifest import Manifest
from mediakit.batches.targets.paths import LOCK, REPORT_CSV, REPORT_LINES
from mediakit.batches.targets.record_lines import csv_lines
from mediakit.batches.targets.store import Store
from mediakit.errors import InvalidInput


class Target(Protocol):
    """Where the files of a batch go. Call `open` first, and `finish` or `abandon` last."""

    @property
    def store(self) -> Store:
        """Where the files of rows are written. After `finish`, they can be read from it."""

    @property
    def manifest(self) -> Manifest:
        """The records of rows."""

    @property
    def location(self) -> str:
        """The path or URL, as messages show it."""

    def open(self) -> None:
        """Create folders and read the manifest of an earlier run.

        Raises:
            InvalidInput: The target cannot be written, or another batch writes to it.
        """

    def finish(self) -> None:
        """Write the reports and the file that combines all rows. Every row has a record.

        Raises:
            InvalidInput: The files of the rows cannot be combined.
            OSError: The disk is full, or the folder was removed.
        """

    def abandon(self) -> None:
        """Close all files after an interrupt or an error, so that the next run continues."""


class FolderTarget:
    """A folder with the files of rows, `report.csv` and `report.jsonl`.

    Args:
        store: The folder.
    """

    def __init__(self, store: FolderStore) -> None:
        self.store = store
        self.location = store.location
        folder = Path(store.path)
        self._journal = Journal(folder / REPORT_LINES)
        self._lock = FolderLock(folder / LOCK, store.location)
        self.manifest = Manifest(self._journal, store)

    def open(self) -> None:
        """Create the folder and read the manifest of an earlier run."""
        self.store.create()
        try:
            self._lock.acquire()
            self.store.sweep()
            self.manifest.open()
        except OSError as error:
            self.abandon()
            raise InvalidInput(failure_message(error, self.location, 0)) from None
        except InvalidInput:
            self.abandon()
            raise

    def finish(self) -> None:
        """Write the reports, with the rows of this run only."""
        try:
            folder = Path(self.store.path)
            with replacing(folder / REPORT_CSV) as file:
                file.writelines(csv_lines(self.manifest.records()))
            with replacing(folder / REPORT_LINES) as file:
                file.writelines(self.manifest.lines())
                self.manifest.close()
            self.manifest.finish(lambda: file_lines(folder / REPORT_LINES))
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close the manifest and release the folder."""
        with suppress(OSError):
            self.manifest.close()
        self._lock.release()


def file_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file."""
    with path.open("rb") as file:
        yield from file
