"""Where the files of a batch are written."""

from typing import Protocol


class Store(Protocol):
    """Files by path. Stores are sent to worker processes, which write their own files, so they can be pickled."""

    @property
    def location(self) -> str:
        """The path or URL, as messages show it."""

    def create(self) -> None:
        """Create the folder; it may exist.

        Raises:
            InvalidInput: It cannot be created.
        """

    def write(self, file: str, content: bytes) -> None:
        """Write a file under its final name at once, so that a killed process leaves no half of it.

        Raises:
            OSError: The disk is full, the folder was removed, or the store refuses.
        """

    def read(self, file: str) -> bytes:
        """Return the content of a file.

        Raises:
            OSError: There is no such file.
        """

    def size(self, file: str) -> int | None:
        """Return the size of a file in bytes; None if there is no such file."""
