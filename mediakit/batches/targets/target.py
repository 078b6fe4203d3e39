"""Where the files of a batch go: a store for the files of rows, and the manifest of the rows."""

from collections.abc import Callable
from pathlib import Path

from mediakit.batches.targets.journal import Manifest, Record, write_csv
from mediakit.batches.targets.lock import lock
from mediakit.batches.targets.store import REPORT_CSV, REPORT_LINES, Store
from mediakit.errors import InvalidInput


class Target:
    """A folder with the files of rows and the reports. Call `open` first, `finish` or `abandon` last."""

    def __init__(self, store: Store, location: str = "", check: Callable[[Record], None] = lambda _: None) -> None:
        self.store = store
        """Where the files of rows are written."""
        self.location = location or store.location
        self.manifest = Manifest(store, check)
        """The records of rows."""
        self._unlock: Callable[[], None] | None = None

    def open(self) -> None:
        """Create the folder and read the manifest of an earlier run.

        Raises:
            InvalidInput: The target cannot be written, or another batch writes to it.
        """
        try:
            self._prepare()
            self.store.create()
            self._unlock = lock(self.store)
            self.store.sweep()
            self._restore()
            self.manifest.open()
        except OSError as error:
            self.abandon()
            raise InvalidInput(f"to: cannot open {self.location}: {error.strerror or error}.") from None
        except BaseException:
            self.abandon()
            raise

    def finish(self) -> None:
        """Write the reports, with the rows of this run only. Every row has a record.

        Raises:
            InvalidInput: The files of the rows cannot be combined.
            OSError: The disk is full, or the folder was removed.
        """
        try:
            self._publish(self.store.work())
        finally:
            self.store.clear_work()
            self.abandon()

    def abandon(self) -> None:
        """Close all files after an interrupt or an error, so that the next run continues."""
        unlock, self._unlock = self._unlock, None
        try:
            self.manifest.close()
        finally:
            if unlock:
                unlock()

    def read(self, file: str) -> bytes:
        """Return the content of the file of a row, also after `finish`."""
        return self.store.read(file)

    def _prepare(self) -> None:
        """Do what comes before the folder is created."""

    def _restore(self) -> None:
        """Take files and records from what an earlier run has published elsewhere."""

    def _publish(self, work: Path) -> None:
        """Publish what a finished batch has, from files that are written to a folder."""
        paths = write_reports(self.manifest, work)
        self.manifest.close()
        for path in paths:
            self.store.publish(path)
        self.manifest.finish(lambda: self.store.lines(REPORT_LINES))


def write_reports(manifest: Manifest, folder: Path, prefix: str = "") -> list[Path]:
    """Write the reports of the rows of this run to a folder, with a prefix of their names, and return their paths."""
    table, lines = folder / f"{prefix}{REPORT_CSV}", folder / f"{prefix}{REPORT_LINES}"
    write_csv(table, manifest.records())
    with lines.open("wb") as file:
        file.writelines(manifest.lines())
    return [table, lines]
