"""What a target needs of the folder, here or remote, that holds its files."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol

from mediakit.batches.targets.journal import Journal
from mediakit.batches.targets.store import Store


class Lock(Protocol):
    """Keeps other batches out of a folder."""

    def acquire(self) -> None:
        """Lock the folder.

        Raises:
            InvalidInput: Another batch holds the lock.
            OSError: The folder cannot be written.
        """

    def release(self) -> None:
        """Unlock the folder; do nothing if it is not locked."""


class Backend(Store, Protocol):
    """A folder, on this machine or remote, in which a target keeps files, reports and a lock."""

    def journal(self) -> Journal:
        """Return the journal of the records of rows."""

    def lock(self) -> Lock:
        """Return the lock of the folder."""

    def sweep(self) -> None:
        """Remove incomplete files that killed processes have left."""

    def work(self) -> Path:
        """Return a folder of this machine for files that are being assembled."""

    def clear_work(self) -> None:
        """Remove the work folder, if there is one."""

    def publish(self, path: Path, file: str) -> None:
        """Move a complete file of the work folder to its final name, which replaces an earlier file at once."""

    def open_file(self, file: str) -> IO[bytes]:
        """Open a file to read at any position.

        Raises:
            OSError: There is no such file.
        """

    def is_folder(self, file: str) -> bool:
        """Return whether a path is that of a folder."""

    def remove(self) -> None:
        """Remove the folder with its files."""


def file_lines(folder: Backend, file: str) -> Iterator[bytes]:
    """Yield the lines of a file."""
    with folder.open_file(file) as opened:
        yield from opened
