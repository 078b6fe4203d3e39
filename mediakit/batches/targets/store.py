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
from typing import IO, Any, Protocol

from mediakit.errors import InvalidInput, MissingPackage
from mediakit.installation import install_command

REPORT_CSV, REPORT_LINES = "report.csv", "report.jsonl"
LOCK = ".mediakit.lock"

RESERVED = frozenset({REPORT_CSV, REPORT_LINES, LOCK})
"""Files of a target that no row can have."""

TEMPORARY = ".mediakit-"
"""Prefix of files that are being written."""

WORK = f"{TEMPORARY}work"
"""Folder of files that are being assembled."""

SEGMENTS = f"{TEMPORARY}report-"
"""Prefix of parts of the report, in stores whose files cannot grow."""

_OUTSIDE = re.compile(r"(^|/)\.{0,2}(/|$)|[\\\0]|^[A-Za-z]:")


def checked(file: str) -> str:
    """Return a path that stays within the target.

    Raises:
        InvalidInput: It is absolute, has empty parts or leads out of the target.
    """
    if _OUTSIDE.search(file):
        raise InvalidInput(f"name: must be a path within the target, got {file!r}.")
    return file


def checked_to_write(file: str) -> str:
    """Return the path of a file of a row.

    Raises:
        InvalidInput: It is not within the target, or is the path of a report.
    """
    if file.lower() in RESERVED:
        raise InvalidInput(f"name: {file} is the report of the batch; give the row another name.")
    return checked(file)


class Files(Protocol):
    """Files by path, to read."""

    def read(self, file: str) -> bytes:
        """Return the content of a file.

        Raises:
            OSError: There is no such file.
        """


_LEFTOVER = re.compile(rf"{re.escape(TEMPORARY)}[0-9a-f]{{16}}")


class FolderStore:
    """Files in a folder. A file gets its final name when it is complete, and replaces an earlier one at once.

    Args:
        path: The folder.
        location: How messages show the folder.
    """

    def __init__(self, path: "str | os.PathLike[str]", location: str = "") -> None:
        self.path = os.path.abspath(path)  # noqa: PTH100  # keeps symbolic links, and works in other processes
        self.location = location or os.fspath(path)

    def create(self) -> None:
        """Create the folder; it may exist.

        Raises:
            InvalidInput: It cannot be created, or files cannot be written in it.
        """
        try:
            Path(self.path).mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise InvalidInput(f"to: {self.location} must be a folder, but is a file or in a file.") from None
        except OSError as error:
            raise InvalidInput(f"to: cannot create the folder {self.location}: {error.strerror}.") from None
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise InvalidInput(f"to: cannot write in the folder {self.location}: no permission.")

    def write(self, file: str, content: bytes) -> None:
        """Write a file under its final name at once. Folders in its path are created, but not the store's folder.

        Raises:
            InvalidInput: The path is that of a report, or leads out of the folder.
            OSError: The disk is full, or the folder was removed.
        """
        path = f"{self.path}/{checked_to_write(file)}"
        try:
            write_whole(path, content)
        except FileNotFoundError:
            self._create_folders(file)
            write_whole(path, content)

    def read(self, file: str) -> bytes:
        """Return the content of a file.

        Raises:
            OSError: There is no such file.
        """
        return Path(self.path, checked(file)).read_bytes()

    def size(self, file: str) -> int | None:
        """Return the size of a file in bytes; None if there is no such file."""
        try:
            return os.stat(f"{self.path}/{checked(file)}").st_size  # noqa: PTH116  # called for each row
        except (OSError, InvalidInput):
            return None

    def sweep(self) -> None:
        """Remove incomplete files that killed processes have left."""
        self.clear_work()
        for folder, _, files in os.walk(self.path):
            for file in filter(_LEFTOVER.fullmatch, files):
                with suppress(OSError):
                    Path(folder, file).unlink()

    def work(self) -> Path:
        """Return a folder for files that are being assembled."""
        folder = Path(self.path, WORK)
        folder.mkdir(exist_ok=True)
        return folder

    def clear_work(self) -> None:
        """Remove the work folder, if there is one."""
        shutil.rmtree(Path(self.path, WORK), ignore_errors=True)

    def publish(self, path: Path, file: str) -> None:
        """Move a complete file to its final name."""
        path.replace(Path(self.path, file))

    def open_file(self, file: str) -> IO[bytes]:
        """Open a file to read.

        Raises:
            OSError: There is no such file.
        """
        return Path(self.path, checked(file)).open("rb")

    def is_folder(self, file: str) -> bool:
        """Return whether a path is that of a folder."""
        return Path(self.path, file).is_dir()

    def remove(self) -> None:
        """Remove the folder with its files."""
        shutil.rmtree(self.path)

    def _create_folders(self, file: str) -> None:
        """Create the folders of a path within the store; if the store's folder was removed, this fails."""
        path = Path(self.path)
        for part in file.split("/")[:-1]:
            path /= part
            with suppress(FileExistsError):
                path.mkdir()


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


class UrlStore:
    """Files below a URL. Each process that writes takes its credentials from its environment.

    Args:
        url: The URL of the folder.
        location: How messages show it.
    """

    def __init__(self, url: str, location: str = "") -> None:
        self.url = url.rstrip("/")
        self.location = location or url
        self._sizes: dict[str, int] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return UrlStore, (self.url, self.location)

    def create(self) -> None:
        """Create the folder, which object stores do not need, and note the sizes of its files.

        Raises:
            InvalidInput: A package is missing, or the folder cannot be created or listed.
        """
        try:
            with system_errors():
                if self._protocol not in OBJECT_STORES:
                    self.system.makedirs(self.path(""), exist_ok=True)
                found = self.system.find(self.path(""), detail=True)
        except OSError as error:
            raise InvalidInput(f"to: cannot open {self.location}: {error}.") from None
        start = len(self.path("")) + 1
        self._sizes = {path[start:]: entry["size"] for path, entry in found.items()}

    def write(self, file: str, content: bytes) -> None:
        """Write a file under its final name at once.

        Raises:
            InvalidInput: The path is that of a report, or leads out of the folder.
            OSError: The store refuses, or cannot be reached.
        """
        self.put(checked_to_write(file), content)

    def put(self, file: str, content: bytes) -> None:
        """Write a file, also a report."""
        with system_errors():
            self.system.pipe_file(self.path(file), content)
        self._sizes[file] = len(content)

    def read(self, file: str) -> bytes:
        """Return the content of a file.

        Raises:
            OSError: There is no such file.
        """
        with system_errors():
            content: bytes = self.system.cat_file(self.path(checked(file)))
        return content

    def size(self, file: str) -> int | None:
        """Return the size of a file, as listed by `create` or written since; None if there is no such file."""
        return self._sizes.get(file)

    def names(self, prefix: str) -> list[str]:
        """Return the files in the folder with a prefix, in order."""
        return sorted(file for file in self._sizes if file.startswith(prefix))

    def delete(self, file: str) -> None:
        """Delete a file; it may be missing."""
        with system_errors(), suppress(FileNotFoundError):
            self.system.rm_file(self.path(file))
        self._sizes.pop(file, None)

    def sweep(self) -> None:
        """Do nothing: stores have no incomplete files."""

    def work(self) -> Path:
        """Return a folder of this machine for files that are being assembled."""
        folder = self.local / "work"
        folder.mkdir(exist_ok=True)
        return folder

    def clear_work(self) -> None:
        """Remove the work folder, if there is one."""
        shutil.rmtree(self.local / "work", ignore_errors=True)

    def publish(self, path: Path, file: str) -> None:
        """Upload a complete file under its final name, and remove it here."""
        with system_errors():
            self.system.put_file(str(path), self.path(file))
        self._sizes[file] = path.stat().st_size
        path.unlink()

    def open_file(self, file: str) -> IO[bytes]:
        """Open a file to read.

        Raises:
            OSError: There is no such file.
        """
        with system_errors():
            opened: IO[bytes] = self.system.open(self.path(checked(file)), "rb")
        return opened

    def is_folder(self, file: str) -> bool:
        """Return whether a path is that of a folder."""
        with system_errors():
            return bool(self.system.isdir(self.path(file)))

    def remove(self) -> None:
        """Remove all files below the URL."""
        with system_errors(), suppress(FileNotFoundError):
            self.system.rm(self.path(""), recursive=True)

    def path(self, file: str) -> str:
        """Return the path of a file in the file system, or of the folder for an empty name."""
        return f"{self._root[1]}/{file}" if file else self._root[1]

    @property
    def system(self) -> Any:
        """The file system of fsspec."""
        return self._root[0]

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
    def _protocol(self) -> str:
        return self.url.partition("://")[0]

    @cached_property
    def local(self) -> Path:
        """A folder of this machine, which is removed with the store."""
        folder = tempfile.mkdtemp(prefix="mediakit-batch-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)


@contextmanager
def system_errors() -> Iterator[None]:
    """Raise every error of a file system as an `OSError`: some raise errors of their client library."""
    try:
        yield
    except (OSError, InvalidInput):
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {error}") from error


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


Store = FolderStore | UrlStore
"""A folder, on this machine or remote, in which a target keeps files, reports and a lock. Workers get it pickled."""


def file_lines(folder: Store, file: str) -> Iterator[bytes]:
    """Yield the lines of a file."""
    with folder.open_file(file) as opened:
        yield from opened
