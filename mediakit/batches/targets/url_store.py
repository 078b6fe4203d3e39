"""Files below a URL of any file system of fsspec, such as `s3://bucket/folder`."""

import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from mediakit.batches.targets.paths import LOCK, REPORT_LINES, checked, checked_to_write
from mediakit.batches.targets.remote_journal import RemoteJournal
from mediakit.batches.targets.remote_lock import RemoteLock
from mediakit.errors import InvalidInput, MissingPackage
from mediakit.installation import install_command

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
        self._location = location or url
        self._sizes: dict[str, int] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return UrlStore, (self.url, self._location)

    @property
    def location(self) -> str:
        """The URL as the user wrote it."""
        return self._location

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
            raise InvalidInput(f"to: cannot open {self._location}: {error}.") from None
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

    def journal(self) -> RemoteJournal:
        """Return the journal of the records of rows."""
        return RemoteJournal(self, self._folder / REPORT_LINES)

    def lock(self) -> RemoteLock:
        """Return the lock of the folder."""
        return RemoteLock(self, LOCK)

    def sweep(self) -> None:
        """Do nothing: stores have no incomplete files."""

    def work(self) -> Path:
        """Return a folder of this machine for files that are being assembled."""
        folder = self._folder / "work"
        folder.mkdir(exist_ok=True)
        return folder

    def clear_work(self) -> None:
        """Remove the work folder, if there is one."""
        shutil.rmtree(self._folder / "work", ignore_errors=True)

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
            message = f"to: {self._location} requires {' and '.join(['fsspec', *packages])}, of which one is missing."
            raise MissingPackage(message, command=command) from None
        except ValueError as error:
            raise InvalidInput(f"to: {self._location} cannot be opened: {str(error).rstrip('.')}.") from None
        return system, path.rstrip("/")

    @property
    def _protocol(self) -> str:
        return self.url.partition("://")[0]

    @cached_property
    def _folder(self) -> Path:
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
