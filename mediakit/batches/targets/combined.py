"""One file that combines the files of all rows, and the simplest such file, a ZIP archive.

The files of rows are written to a folder beside it, `all.zip.parts`, which is removed when every row has succeeded.
"""

import shutil
import threading
import weakref
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePath
from typing import IO, TypeVar, TypeVarTuple

from typing_extensions import override

from mediakit.batches.names import file_name
from mediakit.batches.targets.journal import Record, from_line
from mediakit.batches.targets.store import REPORT_LINES, Store
from mediakit.batches.targets.target import Target, write_reports
from mediakit.core.media import type_of
from mediakit.core.runtime import runtime
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.engines.workers import MAX_MEMORY_BYTES
from mediakit.errors import InvalidInput
from mediakit.results.result import Result

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a zip archive, so that equal results give equal archives."""

FILE_MODE = 0o100644 << 16
"""A regular file that everyone may read and its owner may change."""

DEFLATED = frozenset({"image/svg+xml", "image/bmp", "image/tiff", "application/json", "application/x-ndjson"})
"""Media types, besides texts, that are not compressed already."""

_TOO_LARGE = (
    InvalidInput,
    (
        "to: the files are too many or too large to combine ({failure}). They are saved; save to a folder or a .zip "
        "instead, or in several batches."
    ),
)
_COMBINING = Guard(memory=MAX_MEMORY_BYTES, took_too_long=_TOO_LARGE, out_of_memory=_TOO_LARGE, crashed=_TOO_LARGE)

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


class CombinedTarget(Target):
    """A file that is made of the files of all rows. It gets its name when it is complete.

    By default, the reports are beside it, and it cannot be taken apart.
    """

    def __init__(self, folder: Store, file: str, parts: Store, title: str, location: str) -> None:
        super().__init__(parts, location, self._check)  # the files of rows are in `parts`, and the result in `folder`
        self._folder = folder
        self._file = file
        self._title = title
        self._read: Callable[[str], bytes] | None = None

    def _check(self, record: Record) -> None:
        """Raise an `InvalidInput` if the file of a row cannot be part of the file, as soon as it is made."""

    def _build(self, work: Path) -> list[Path]:
        """Write the file and its reports to a folder, and return their paths in the order of publication."""
        raise NotImplementedError

    def _parts(self) -> Iterator[bytes]:
        """Write the parts of the file of an earlier run, and yield the line of each in the report.

        Raises:
            OSError: There is no file.
            BadZipFile, zlib.error, KeyError, InvalidInput: The file was not made by a batch, or is damaged.
        """
        yield from ()

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines of the report of a finished file."""
        return self._folder.lines(f"{self._report_prefix}{REPORT_LINES}")

    def _reader(self) -> Callable[[str], bytes]:
        """Return what reads the parts of a finished file. It raises an `OSError` for a missing one."""

        def refuse(part: str) -> bytes:
            way = "To read single files, save to a folder or a .zip."
            raise FileNotFoundError(f"{part} is part of {self.location}. {way}")

        return refuse

    @property
    def _report_prefix(self) -> str:
        """What the names of the reports begin with: `all.` for `all.pdf`, so `all.report.csv`."""
        return f"{self._file.rpartition('.')[0]}."

    @override
    def read(self, file: str) -> bytes:
        return self._read(file) if self._read else super().read(file)

    @override
    def finish(self) -> None:
        """Combine the files of all rows that have succeeded, and remove them if no row has failed."""
        super().finish()
        if self._read:
            self.store.remove()

    @override
    def _prepare(self) -> None:
        if self._folder.is_folder(self._file):
            raise InvalidInput(f"to: {self.location} must be a file, but is a folder.")
        self._folder.create()

    @override
    def _restore(self) -> None:
        """Take the parts from the file of an earlier run. The report is written last: it marks them as complete."""
        self._read = None
        if self.store.size(REPORT_LINES) is not None:
            return
        path = self.store.work() / REPORT_LINES
        with suppress(FileNotFoundError, KeyError, InvalidInput, zipfile.BadZipFile, zlib.error):
            with path.open("wb") as report:
                report.writelines(self._parts())
            self.store.publish(path)
        self.store.clear_work()

    @override
    def _publish(self, work: Path) -> None:
        paths = self._build(work)
        is_complete = not any(record.error for record in self.manifest.records())
        self.manifest.close()
        for path in paths:
            self._folder.publish(path)
        if is_complete:
            self.manifest.finish(self._lines)
            self._read = self._reader()


class ZipTarget(CombinedTarget):
    """An archive that is written one file after the other, with the reports in it."""

    @override
    def _build(self, work: Path) -> list[Path]:
        path = work / self._file
        with zipfile.ZipFile(path, "w") as archive:
            for record in self.manifest.records():
                if record.file:
                    archive.writestr(_zip_entry(record.file), self.store.read(record.file))
            for report in write_reports(self.manifest, work):
                with report.open("rb") as source, archive.open(_zip_entry(report.name), "w") as target:
                    shutil.copyfileobj(source, target)
        return [path]

    @override
    def _parts(self) -> Iterator[bytes]:
        with self._folder.open_file(self._file) as opened, zipfile.ZipFile(opened) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist()}
            with archive.open(REPORT_LINES) as lines:
                for line in lines:
                    record = from_line(line)
                    if record and record.file and sizes.get(record.file) == record.size_bytes:
                        self.store.write(record.file, archive.read(record.file))
                        yield line

    @override
    def _lines(self) -> Iterator[bytes]:
        with self._folder.open_file(self._file) as opened, zipfile.ZipFile(opened) as archive:
            yield from archive.open(REPORT_LINES)

    @override
    def _reader(self) -> Callable[[str], bytes]:
        lock = threading.Lock()

        @cache
        def archive() -> zipfile.ZipFile:
            opened = self._folder.open_file(self._file)
            weakref.finalize(read, opened.close)
            return zipfile.ZipFile(opened)

        def read(part: str) -> bytes:
            with lock:
                try:
                    return archive().read(part)
                except KeyError:
                    raise FileNotFoundError(f"{self.location} has no file {part}.") from None

        return read


def write_zip(target: Path | IO[bytes], results: Mapping[str, Result]) -> None:
    """Write all results to a zip archive under their names."""
    with zipfile.ZipFile(target, "w") as archive:
        for name, result in results.items():
            archive.writestr(_zip_entry(file_name(name, result)), result.file)


def _zip_entry(file: str) -> zipfile.ZipInfo:
    """Return the entry of a file, compressed if its format is not compressed already."""
    entry = zipfile.ZipInfo(file, ZIP_DATE)
    entry.external_attr = FILE_MODE
    media = type_of(PurePath(file)) or ""
    is_deflated = media.startswith("text/") or media in DEFLATED
    entry.compress_type = zipfile.ZIP_DEFLATED if is_deflated else zipfile.ZIP_STORED
    return entry


def run_in_worker(function: Callable[[*Arguments], T], *args: *Arguments, seconds: float) -> T:
    """Call a function of a target in a worker process. Do not call this on the background loop.

    Raises:
        InvalidInput: It takes too long or needs too much memory.
    """
    return runtime.run(run_guarded(function, *args, guard=replace(_COMBINING, seconds=seconds)))
