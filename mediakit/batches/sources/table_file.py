"""Table files of any size: on disk, or uploaded."""

import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from mediakit.core.inputs import FileBytes
from mediakit.engines.charsets import detect, escape_charset, marked_charset, wide_charset
from mediakit.errors import InvalidInput

HEAD_BYTES = 1_000_000
"""Beginning of a file that shows what it holds."""

MAX_LINE = 5_000_000
"""Characters of a line."""

_SAMPLE_BYTES = 200_000
_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True)
class TableFile:
    """A table file, which is opened as often as it is read."""

    source: Path | FileBytes

    @property
    def name(self) -> str:
        """The name of the file without folders."""
        return self.source.name or "the file"

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self.source.stat().st_size if isinstance(self.source, Path) else len(self.source)

    def open(self) -> BinaryIO:
        """Open the file."""
        return self.source.open("rb") if isinstance(self.source, Path) else io.BytesIO(self.source)

    def head(self) -> bytes:
        """Return the beginning of the file."""
        with self.open() as file:
            return file.read(HEAD_BYTES)

    def blocks(self, codec: str) -> Iterator[str]:
        """Iterate over the text in blocks of a million characters."""
        with self._text(codec, newline="") as text:
            yield from iter(partial(text.read, _BLOCK_BYTES), "")

    def lines(self, codec: str, *, newline: str = "") -> Iterator[str]:
        r"""Iterate over the lines of the text with their ends.

        Args:
            codec: Name of Python's codec.
            newline: What ends a line; by default `\n`, `\r` or `\r\n`.

        Raises:
            InvalidInput: A line is too long, or a byte is not of the charset.
        """
        number = 0
        with self._text(codec, newline=newline) as text:
            try:
                for number, line in enumerate(iter(partial(text.readline, MAX_LINE), ""), 1):
                    if len(line) == MAX_LINE and line[-1] not in "\r\n":
                        raise InvalidInput(f"rows: line {number} of {self.name} has more than {MAX_LINE:,} characters.")
                    yield line
            except UnicodeDecodeError as error:
                raise InvalidInput(
                    f"rows: after line {number} of {self.name}, byte 0x{error.object[error.start]:02x} is not {codec}; "
                    "save the file as UTF-8."
                ) from None

    def codec(self) -> str:
        """Return the codec of the charset that the file is probably in."""
        head = self.head()
        marked = marked_charset(head) or wide_charset(head[:4096])
        if marked:
            return marked
        if escaped := escape_charset(head[: head.rfind(b"\n") + 1] or head):
            return escaped
        return "utf-8" if self._is_utf8() else detect(self._sample())

    def _is_utf8(self) -> bool:
        try:
            for _ in self.blocks("utf-8"):
                pass
        except UnicodeDecodeError:
            return False
        return True

    def _sample(self) -> bytes:
        """Return a small file, or the lines of a large one with bytes beyond ASCII, which show the charset."""
        if self.size <= _SAMPLE_BYTES:
            return self.head()
        found, size = [], 0
        with self.open() as file:
            for line in iter(partial(file.readline, _SAMPLE_BYTES), b""):
                if not line.isascii():
                    found.append(line)
                    size += len(line)
                if size > _SAMPLE_BYTES:
                    break
        return b"".join(found)[:_SAMPLE_BYTES]

    def _text(self, codec: str, *, newline: str) -> io.TextIOWrapper:
        return io.TextIOWrapper(self.open(), encoding=codec, newline=newline)


def file_at(path: str | os.PathLike[str]) -> TableFile | None:
    """Return the file at a path; None if there is no file."""
    try:
        found = Path(path)
        return TableFile(found) if found.is_file() else None
    except (OSError, ValueError):
        return None
