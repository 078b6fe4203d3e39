"""Complete files only, in a local folder or an fsspec store."""

import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from typing_extensions import override

from mediakit.errors import InvalidInput, MissingPackage
from mediakit.installation import install_command

REPORT_CSV, REPORT_LINES = "report.csv", "report.jsonl"
LOCK = ".mediakit.lock"

RESERVED = frozenset({REPORT_CSV, REPORT_LINES, LOCK})
"""Files of a target that no row can have."""

TEMPORARY = ".mediakit-"
"""Prefix of files that are being written."""

SEGMENTS = f"{TEMPORARY}report-"
"""Prefix of parts of the report, in stores whose files cannot grow."""

_OUTSIDE = re.compile(r"(^|/)\.{0,2}(/|$)|[\\\0]|^[A-Za-z]:")
_LEFTOVER = re.compile(rf"{re.escape(TEMPORARY)}[0-9a-f]{{16}}")


def checked(file: str) -> str:
    """Return a path that stays within the target.

    Raises:
        InvalidInput: It is absolute, has empty parts or leads out of the target.
    """
    if _OUTSIDE.search(file):
        raise InvalidInput(f"name: must be a path within the target, got {file!r}.")
    return file


class Store:
    """A folder of this machine in which a target keeps files, reports and a lock. Workers get it pickled.

    A file gets its final name when it is complete. Methods raise an `OSError` if the folder was removed or is full.
    """

    def __init__(self, path: "str | os.PathLike[str]", location: str = "") -> None:
        self.path = os.path.abspath(path)  # noqa: PTH100  # keeps symbolic links, and works in other processes
        self.location = location or os.fspath(path)
        """How messages show the folder."""
        self.local = Path(self.path)
        """The folder in which files grow or are assembled."""

    def create(self) -> None:
        """Create the folder; it may exist.

        Raises:
            InvalidInput: It cannot be created, or files cannot be written in it.
        """
        try:
            self.local.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise InvalidInput(f"to: {self.location} must be a folder, but is a file or in a file.") from None
        except OSError as error:
            raise InvalidInput(f"to: cannot create the folder {self.location}: {error.strerror}.") from None
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise InvalidInput(f"to: cannot write in the folder {self.location}: no permission.")

    def write(self, file: str, content: bytes) -> None:
        """Write the file of a row under its final name at once; it replaces an earlier one.

        Raises:
            InvalidInput: The path is that of a report, or leads out of the folder.
        """
        if file.lower() in RESERVED:
            raise InvalidInput(f"name: {file} is the report of the batch; give the row another name.")
        self.put(checked(file), content)

    def put(self, file: str, content: bytes) -> None:
        """Write any file under its final name at once."""
        path = f"{self.path}/{file}"
        try:
            write_whole(path, content)
        except FileNotFoundError:
            folder = self.local  # is not created again if it was removed
            for part in file.split("/")[:-1]:
                folder /= part
                with suppress(FileExistsError):
                    folder.mkdir()
            write_whole(path, content)

    def read(self, file: str) -> bytes:
        """Return the content of a file."""
        return (self.local / checked(file)).read_bytes()

    def size(self, file: str) -> int | None:
        """Return the size of a file in bytes; None if there is no such file."""
        try:
            return os.stat(f"{self.path}/{checked(file)}").st_size  # noqa: PTH116  # called for each row
        except (OSError, InvalidInput):
            return None

    def open_file(self, file: str) -> IO[bytes]:
        """Open a file to read."""
        return (self.local / checked(file)).open("rb")

    def is_folder(self, file: str) -> bool:
        """Return whether a path is that of a folder."""
        return (self.local / file).is_dir()

    def publish(self, path: Path) -> None:
        """Move a complete file of the work folder to the store, under its name."""
        path.replace(self.local / path.name)

    def remove(self) -> None:
        """Remove the folder with its files."""
        shutil.rmtree(self.path)

    def lines(self, file: str) -> Iterator[bytes]:
        """Yield the lines of a file."""
        with self.open_file(file) as opened:
            yield from opened

    def work(self) -> Path:
        """Return a folder for files that are being assembled."""
        folder = self.local / f"{TEMPORARY}work"
        folder.mkdir(exist_ok=True)
        return folder

    def clear_work(self) -> None:
        """Remove the work folder, if there is one."""
        shutil.rmtree(self.local / f"{TEMPORARY}work", ignore_errors=True)

    def sweep(self) -> None:
        """Remove the work folder and incomplete files that killed processes have left."""
        self.clear_work()
        for folder, _, files in os.walk(self.local):
            for file in filter(_LEFTOVER.fullmatch, files):
                with suppress(OSError):
                    Path(folder, file).unlink()


def write_whole(path: str, content: bytes) -> None:
    """Write a file beside its final name, and rename it when it is complete; it replaces an earlier file at once.

    Raises:
        OSError: The disk is full, or the folder does not exist.
    """
    temporary = os.path.join(os.path.dirname(path), f"{TEMPORARY}{os.urandom(8).hex()}")  # noqa: PTH118, PTH120
    try:
        with open(temporary, "xb") as file:  # noqa: PTH123  # called for each row
            file.write(content)
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        raise


PACKAGES = {
    "s3": "s3fs",
    "s3a": "s3fs",
    "gs": "gcsfs",
    "gcs": "gcsfs",
    "abfs": "adlfs",
    "abfss": "adlfs",
    "az": "adlfs",
}
"""Packages that fsspec needs, by protocol."""

OBJECT_STORES = frozenset({*PACKAGES, "memory"})
"""Protocols without folders, whose first folder is a bucket, which is not created for a wrong URL."""


@contextmanager
def system_errors() -> Iterator[None]:
    """Raise every error of a file system as an `OSError`: some raise errors of their client library."""
    try:
        yield
    except (OSError, InvalidInput):
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {error}") from error


class UrlStore(Store):
    """A folder below a URL. Each process that writes takes its credentials from its environment."""

    def __init__(self, url: str, location: str = "") -> None:
        self.url = url.rstrip("/")
        self.location = location or url
        self._protocol = self.url.partition("://")[0]
        self._sizes: dict[str, int] = {}
        """The sizes of files, as listed by `create` or written since."""

    def __reduce__(self) -> tuple[Any, ...]:
        return UrlStore, (self.url, self.location)

    @cached_property
    def local(self) -> Path:  # type: ignore[override]  # is created when it is used
        """A temporary folder, which is removed with the store."""
        folder = tempfile.mkdtemp(prefix="mediakit-batch-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)

    @cached_property
    def _root(self) -> tuple[Any, str]:
        """The file system, and the path of the folder in it."""
        try:
            from fsspec.core import url_to_fs

            system, path = url_to_fs(self.url, use_listings_cache=False)  # other processes write too
        except ImportError:
            packages = PACKAGES.get(self._protocol, "").split()
            command = install_command(*packages, extra="remote")
            message = f"to: {self.location} requires {' and '.join(['fsspec', *packages])}, of which one is missing."
            raise MissingPackage(message, command=command) from None
        except ValueError as error:
            raise InvalidInput(f"to: {self.location} cannot be opened: {str(error).rstrip('.')}.") from None
        return system, path.rstrip("/")

    @property
    def _system(self) -> Any:
        return self._root[0]

    def _path(self, file: str) -> str:
        return f"{self._root[1]}/{file}" if file else self._root[1]

    @override
    def create(self) -> None:
        try:
            with system_errors():
                if self._protocol not in OBJECT_STORES:
                    self._system.makedirs(self._path(""), exist_ok=True)
                found = self._system.find(self._path(""), detail=True)
        except OSError as error:
            raise InvalidInput(f"to: cannot open {self.location}: {error}.") from None
        start = len(self._path("")) + 1
        self._sizes = {path[start:]: entry["size"] for path, entry in found.items()}

    @override
    @system_errors()
    def put(self, file: str, content: bytes) -> None:
        self._system.pipe_file(self._path(file), content)
        self._sizes[file] = len(content)

    @override
    @system_errors()
    def read(self, file: str) -> bytes:
        content: bytes = self._system.cat_file(self._path(checked(file)))
        return content

    @override
    def size(self, file: str) -> int | None:
        return self._sizes.get(file)

    def names(self, prefix: str) -> list[str]:
        """Return the files in the folder with a prefix, in order."""
        return sorted(file for file in self._sizes if file.startswith(prefix))

    @system_errors()
    def delete(self, file: str) -> None:
        """Delete a file; it may be missing."""
        with suppress(FileNotFoundError):
            self._system.rm_file(self._path(file))
        self._sizes.pop(file, None)

    @override
    @system_errors()
    def open_file(self, file: str) -> IO[bytes]:
        opened: IO[bytes] = self._system.open(self._path(checked(file)), "rb")
        return opened

    @override
    @system_errors()
    def is_folder(self, file: str) -> bool:
        return bool(self._system.isdir(self._path(file)))

    @override
    @system_errors()
    def publish(self, path: Path) -> None:
        self._system.put_file(str(path), self._path(path.name))
        self._sizes[path.name] = path.stat().st_size
        path.unlink()

    @override
    @system_errors()
    def remove(self) -> None:
        with suppress(FileNotFoundError):
            self._system.rm(self._path(""), recursive=True)
