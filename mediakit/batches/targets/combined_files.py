"""What targets have in common whose files of rows cannot be read again, and whose reports are beside the file."""

from collections.abc import Iterator

from mediakit.batches.targets.backend import Backend, file_lines
from mediakit.batches.targets.paths import REPORT_LINES


def report_prefix(file: str) -> str:
    """Return what the names of the reports of a file begin with: `all.` for `all.pdf`, so `all.report.csv`."""
    return f"{file.rpartition('.')[0]}."


def report_lines(folder: Backend, file: str) -> Iterator[bytes]:
    """Yield the lines of the report beside a file."""
    return file_lines(folder, f"{report_prefix(file)}{REPORT_LINES}")


class CombinedFiles:
    """Files of rows that are part of one file and are not available alone any more.

    Args:
        location: The file, as messages show it.
    """

    def __init__(self, location: str) -> None:
        self.location = location

    def create(self) -> None:
        """Do nothing: the file exists."""

    def write(self, file: str, content: bytes) -> None:
        """Refuse to write.

        Raises:
            OSError: Always.
        """
        raise PermissionError(f"{self.location} is finished; {file} ({len(content)} bytes) cannot be added.")

    def read(self, file: str) -> bytes:
        """Refuse to read.

        Raises:
            OSError: Always.
        """
        raise FileNotFoundError(f"{file} is part of {self.location}. To read single files, save to a folder or a .zip.")

    def size(self, file: str) -> int | None:  # noqa: ARG002  # no file is available
        """Return None: there is no such file."""
        return None
