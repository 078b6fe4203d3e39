"""Reads a gzip file as an archive of one entry: `GzipArchive`."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from mediakit.engines.archives import gzip_stream
from mediakit.engines.archives.entry import Entry
from mediakit.engines.archives.limits import check_sizes
from mediakit.engines.archives.names import unsafe_reason
from mediakit.engines.archives.tar_archive import utc_date

DEFAULT_NAME = "file"


class GzipArchive:
    """The file in a gzip file."""

    name_encoding = "utf-8"
    comment = ""

    def __init__(self, content: bytes, filename: str, field: str = "file") -> None:
        """Read the header and measure the file.

        Args:
            content: The file.
            filename: Its name; without `.gz` it is the name of the entry, unless the header has a name.
            field: Name of the request's field, for errors.

        Raises:
            InvalidInput: The file is damaged.
        """
        header = gzip_stream.read_header(content)
        self._field = field
        size, self.is_cut = gzip_stream.measure(content, field)
        name = header.name or _without_suffix(filename)
        entry = Entry(
            name=name,
            size_bytes=size,
            compressed_bytes=len(content),
            modified=utc_date(header.time),
            crc32=None,
            encrypted=False,
            method="gzip",
            is_folder=False,
            unsafe=unsafe_reason(name),
        )
        self.entries: Sequence[Entry] = [entry]
        self._packed = content

    def read(self, chosen: Sequence[int], password: str | None = None) -> list[bytes]:  # noqa: ARG002  # gzip has none
        """Return the content, if its place is chosen.

        Raises:
            InvalidInput: It is too large.
        """
        check_sizes([self.entries[index] for index in chosen], self._field)
        return [gzip_stream.inflate(self._packed, self._field) for _ in chosen]


def _without_suffix(filename: str) -> str:
    path = PurePosixPath(filename)
    return (path.stem if path.suffix.lower() == ".gz" else path.name) or DEFAULT_NAME
