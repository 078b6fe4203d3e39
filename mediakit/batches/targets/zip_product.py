"""A ZIP archive of the files of all rows, with the reports."""

import shutil
import threading
import weakref
import zipfile
from collections.abc import Iterator
from pathlib import Path

from mediakit.batches.archive import zip_entry
from mediakit.batches.records import Record
from mediakit.batches.targets.backend import Backend
from mediakit.batches.targets.combined_files import CombinedFiles
from mediakit.batches.targets.manifest import Manifest
from mediakit.batches.targets.paths import REPORT_LINES
from mediakit.batches.targets.record_lines import from_line
from mediakit.batches.targets.store import Store
from mediakit.batches.targets.target import write_reports


class ZipProduct:
    """An archive that is written one file after the other."""

    def check(self, record: Record) -> None:
        """Accept every file."""

    def build(self, manifest: Manifest, parts: Store, work: Path, file: str) -> list[Path]:
        """Write the archive and return its path."""
        path = work / file
        with zipfile.ZipFile(path, "w") as archive:
            for record in manifest.records():
                if record.file:
                    archive.writestr(zip_entry(record.file), parts.read(record.file))
            for report in write_reports(manifest, work):
                with report.open("rb") as source, archive.open(zip_entry(report.name), "w") as target:
                    shutil.copyfileobj(source, target)
        return [path]

    def restore(self, folder: Backend, file: str, parts: Backend) -> Iterator[bytes]:
        """Extract the files of an earlier run, and yield the lines of its report."""
        with folder.open_file(file) as opened, zipfile.ZipFile(opened) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist()}
            with archive.open(REPORT_LINES) as lines:
                for line in lines:
                    record = from_line(line)
                    if record and record.file and sizes.get(record.file) == record.size_bytes:
                        parts.write(record.file, archive.read(record.file))
                        yield line

    def lines(self, folder: Backend, file: str) -> Iterator[bytes]:
        """Yield the lines of the report."""
        with folder.open_file(file) as opened, zipfile.ZipFile(opened) as archive, archive.open(REPORT_LINES) as lines:
            yield from lines

    def finished(self, folder: Backend, file: str, location: str) -> Store:
        """Return the files in the archive."""
        return ZipFiles(folder, file, location)


class ZipFiles(CombinedFiles):
    """Files in a finished archive, which are only read.

    Args:
        folder: The folder of the archive.
        file: Name of the archive.
        location: How messages show the archive.
    """

    def __init__(self, folder: Backend, file: str, location: str) -> None:
        super().__init__(location)
        self._folder = folder
        self._file = file
        self._lock = threading.Lock()
        self._opened: zipfile.ZipFile | None = None

    def read(self, file: str) -> bytes:
        """Return the content of a file.

        Raises:
            OSError: The archive or the file in it does not exist.
        """
        with self._lock:
            try:
                return self._archive().read(file)
            except KeyError:
                raise FileNotFoundError(f"{self.location} has no file {file}.") from None

    def size(self, file: str) -> int | None:
        """Return the size of a file in bytes; None if there is no such file."""
        with self._lock:
            try:
                return self._archive().getinfo(file).file_size
            except (KeyError, OSError):
                return None

    def _archive(self) -> zipfile.ZipFile:
        if self._opened is None:
            file = self._folder.open_file(self._file)
            weakref.finalize(self, file.close)
            self._opened = zipfile.ZipFile(file)
        return self._opened
