"""One file that combines the files of all rows, such as a ZIP archive.

The files of rows are written to a folder beside it, `all.zip.parts`, which is removed when every row has succeeded.
"""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from mediakit.batches.records import Record
from mediakit.batches.targets.backend import Backend
from mediakit.batches.targets.manifest import Manifest
from mediakit.batches.targets.paths import REPORT_LINES
from mediakit.batches.targets.store import Store
from mediakit.batches.targets.target import opening
from mediakit.errors import InvalidInput


class Product(Protocol):
    """How files are combined."""

    def check(self, record: Record) -> None:
        """Check that the file of a row can be part of the product, as soon as it is made.

        Raises:
            InvalidInput: It cannot.
        """

    def build(self, manifest: Manifest, parts: Store, work: Path, file: str) -> list[Path]:
        """Write the product and its reports to a folder, and return their paths in the order of publication.

        Raises:
            InvalidInput: The files cannot be combined.
            OSError: The disk is full.
        """

    def restore(self, folder: Backend, file: str, parts: Backend) -> Iterator[bytes]:
        """Write the parts of a product of an earlier run, and yield the line of each in the report.

        Raises:
            OSError: There is no product.
            BadZipFile, zlib.error, KeyError, InvalidInput: The product was not made by a batch, or is damaged.
        """

    def lines(self, folder: Backend, file: str) -> Iterator[bytes]:
        """Yield the lines of the report of a finished product."""

    def finished(self, folder: Backend, file: str, location: str) -> Store:
        """Return the files of rows in a finished product."""


class ProductTarget:
    """A file that is made of the files of all rows. It gets its name when it is complete.

    Args:
        folder: The folder of the file.
        file: Its name.
        parts: The folder for the files of rows.
        product: How they are combined.
        location: The path or URL of the file, as messages show it.
    """

    def __init__(self, folder: Backend, file: str, parts: Backend, product: Product, location: str) -> None:
        self.store: Store = parts
        self.location = location
        self.manifest = Manifest(parts.journal(), parts, product.check)
        self._folder = folder
        self._file = file
        self._parts = parts
        self._product = product
        self._lock = parts.lock()

    def open(self) -> None:
        """Create the folders, and read the parts and the manifest of an earlier run."""
        with opening(self):
            if self._folder.is_folder(self._file):
                raise InvalidInput(f"to: {self.location} must be a file, but is a folder.")
            self._folder.create()
            self._parts.create()
            self._lock.acquire()
            self._parts.sweep()
            self.store = self._parts
            if self._parts.size(REPORT_LINES) is None:
                self._restore()
            self.manifest.open()

    def finish(self) -> None:
        """Combine the files of all rows that have succeeded."""
        try:
            paths = self._product.build(self.manifest, self._parts, self._parts.work(), self._file)
            is_complete = not any(record.error for record in self.manifest.records())
            self.manifest.close()
            for path in paths:
                self._folder.publish(path, path.name)
            if is_complete:
                self.manifest.finish(lambda: self._product.lines(self._folder, self._file))
                self.store = self._product.finished(self._folder, self._file, self.location)
        finally:
            self._parts.clear_work()
            self.abandon()
        if is_complete:
            self._parts.remove()

    def abandon(self) -> None:
        """Close the manifest and release the parts, which are kept for the next run."""
        try:
            self.manifest.close()
        finally:
            self._lock.release()

    def _restore(self) -> None:
        """Take the parts from the product of an earlier run. The report is written last: it marks them as complete."""
        path = self._parts.work() / REPORT_LINES
        with suppress(FileNotFoundError, KeyError, InvalidInput, zipfile.BadZipFile, zlib.error):
            with path.open("wb") as report:
                report.writelines(self._product.restore(self._folder, self._file, self._parts))
            self._parts.publish(path, REPORT_LINES)
        self._parts.clear_work()
