"""Files in a folder of this machine."""

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import IO

from mediakit.batches.targets.journal import Journal
from mediakit.batches.targets.locks import FolderLock
from mediakit.batches.targets.paths import LOCK, REPORT_LINES, TEMPORARY, WORK, checked, checked_to_write
from mediakit.batches.targets.whole_files import write_whole
from mediakit.errors import InvalidInput

_LEFTOVER = re.compile(rf"{re.escape(TEMPORARY)}[0-9a-f]{{16}}")


class FolderStore:
    """Files in a folder. A file gets its final name when it is complete, and replaces an earlier one at once.

    Args:
        path: The folder.
        location: How messages show the folder.
    """

    def __init__(self, path: "str | os.PathLike[str]", location: str = "") -> None:
        self.path = os.path.abspath(path)  # noqa: PTH100  # keeps symbolic links, and works in other processes
        self._location = location or os.fspath(path)

    @property
    def location(self) -> str:
        """The path as the user wrote it."""
        return self._location

    def create(self) -> None:
        """Create the folder; it may exist.

        Raises:
            InvalidInput: It cannot be created, or files cannot be written in it.
        """
        try:
            Path(self.path).mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise InvalidInput(f"to: {self._location} must be a folder, but is a file or in a file.") from None
        except OSError as error:
            raise InvalidInput(f"to: cannot create the folder {self._location}: {error.strerror}.") from None
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise InvalidInput(f"to: cannot write in the folder {self._location}: no permission.")

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

    def journal(self) -> Journal:
        """Return the journal of the records of rows."""
        return Journal(Path(self.path, REPORT_LINES))

    def lock(self) -> FolderLock:
        """Return the lock of the folder."""
        return FolderLock(Path(self.path, LOCK), self._location)

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
