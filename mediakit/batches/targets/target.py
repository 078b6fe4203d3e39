"""Where the files of a batch go: a store for the files of rows, and the manifest of the rows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mediakit.batches.targets.journal import Manifest, Record, csv_lines, open_journal
from mediakit.batches.targets.lock import lock_of
from mediakit.batches.targets.store import REPORT_CSV, REPORT_LINES, Files, Store, file_lines
from mediakit.errors import InvalidInput


class Target:
    """A folder with the files of rows, `report.csv` and `report.jsonl`. Call `open` first, `finish` or `abandon` last.

    Args:
        folder: The folder.
        location: The path or URL, as messages show it.
        check: Called for each record that is added.
    """

    def __init__(self, folder: Store, location: str = "", check: Callable[[Record], None] = lambda _: None) -> None:
        self.store: Store = folder
        """Where the files of rows are written."""
        self.files: Files = folder
        """Where they are read from, also after `finish`."""
        self.location = location or folder.location
        self.manifest = Manifest(open_journal(folder), folder, check)
        """The records of rows."""
        self._folder = folder
        self._lock = lock_of(folder)

    def open(self) -> None:
        """Create the folder and read the manifest of an earlier run.

        Raises:
            InvalidInput: The target cannot be written, or another batch writes to it.
        """
        with self._opening():
            self._folder.create()
            self._lock.acquire()
            self._folder.sweep()
            self.manifest.open()

    def finish(self) -> None:
        """Write the reports, with the rows of this run only. Every row has a record.

        Raises:
            InvalidInput: The files of the rows cannot be combined.
            OSError: The disk is full, or the folder was removed.
        """
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
        """Close all files after an interrupt or an error, so that the next run continues."""
        try:
            self.manifest.close()
        finally:
            self._lock.release()

    @contextmanager
    def _opening(self) -> Iterator[None]:
        """Release a target that cannot be opened.

        Raises:
            InvalidInput: Instead of errors of the file system.
        """
        try:
            yield
        except OSError as error:
            self.abandon()
            raise InvalidInput(f"to: cannot open {self.location}: {error.strerror or error}.") from None
        except BaseException:
            self.abandon()
            raise


def write_reports(manifest: Manifest, folder: Path, prefix: str = "") -> list[Path]:
    """Write the reports of the rows of this run to a folder, with a prefix of their names, and return their paths."""
    table, lines = folder / f"{prefix}{REPORT_CSV}", folder / f"{prefix}{REPORT_LINES}"
    with table.open("wb") as file:
        file.writelines(csv_lines(manifest.records()))
    with lines.open("wb") as file:
        file.writelines(manifest.lines())
    return [table, lines]
