"""Where the files of a batch go: a store for the files of rows, and the manifest of the rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from mediakit.batches.targets.backend import Backend, file_lines
from mediakit.batches.targets.manifest import Manifest
from mediakit.batches.targets.paths import REPORT_CSV, REPORT_LINES
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
        folder: The folder.
    """

    def __init__(self, folder: Backend) -> None:
        self.store: Store = folder
        self.location = folder.location
        self.manifest = Manifest(folder.journal(), folder)
        self._folder = folder
        self._lock = folder.lock()

    def open(self) -> None:
        """Create the folder and read the manifest of an earlier run."""
        with opening(self):
            self._folder.create()
            self._lock.acquire()
            self._folder.sweep()
            self.manifest.open()

    def finish(self) -> None:
        """Write the reports, with the rows of this run only."""
        try:
            paths = write_reports(self.manifest, self._folder.work())
            self.manifest.close()
            for path in paths:
                self._folder.publish(path, path.name)
            self.manifest.finish(lambda: file_lines(self._folder, REPORT_LINES))
        finally:
            self._folder.clear_work()
            self.abandon()

    def abandon(self) -> None:
        """Close the manifest and release the folder."""
        try:
            self.manifest.close()
        finally:
            self._lock.release()


@contextmanager
def opening(target: Target) -> Iterator[None]:
    """Release a target that cannot be opened.

    Raises:
        InvalidInput: Instead of errors of the file system.
    """
    try:
        yield
    except OSError as error:
        target.abandon()
        raise InvalidInput(f"to: cannot open {target.location}: {error.strerror or error}.") from None
    except BaseException:
        target.abandon()
        raise


def write_reports(manifest: Manifest, folder: Path, prefix: str = "") -> list[Path]:
    """Write the reports of the rows of this run to a folder, with a prefix of their names, and return their paths."""
    table, lines = folder / f"{prefix}{REPORT_CSV}", folder / f"{prefix}{REPORT_LINES}"
    with table.open("wb") as file:
        file.writelines(csv_lines(manifest.records()))
    with lines.open("wb") as file:
        file.writelines(manifest.lines())
    return [table, lines]
