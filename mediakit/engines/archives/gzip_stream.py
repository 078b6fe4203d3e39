"""Reads gzip files (RFC 1952) of one or more members within limits."""

from collections.abc import Iterator
from dataclasses import dataclass

from zlib_ng import zlib_ng

from mediakit.engines.archives.limits import MAX_TOTAL_BYTES, too_large
from mediakit.engines.archives.packed import INFLATE_ERROR
from mediakit.errors import InvalidInput

SIGNATURE = b"\x1f\x8b"

_WINDOW_BITS = 31
"""The largest window, with a gzip header."""

_PART_BYTES = 1 << 20

_HEADER_BYTES = 10
_FLAG_EXTRA, _FLAG_NAME = 4, 8


@dataclass(frozen=True)
class GzipHeader:
    """What the header of a gzip file says of the file inside."""

    name: str
    """Its name; empty if the header has none."""
    time: int
    """Seconds since 1970 in UTC; 0 for none."""


def read_header(content: bytes) -> GzipHeader:
    """Return what the header of the first member says."""
    flags, time = content[3] if len(content) > _HEADER_BYTES else 0, int.from_bytes(content[4:8], "little")
    start = _HEADER_BYTES
    if flags & _FLAG_EXTRA:
        start += 2 + int.from_bytes(content[start : start + 2], "little")
    end = content.find(b"\0", start, start + 1000)
    name = content[start:end] if flags & _FLAG_NAME and end > start else b""
    return GzipHeader(_decoded(name), time)


def inflate(content: bytes, field: str, most: int = MAX_TOTAL_BYTES) -> bytes:
    """Return the unpacked content. It is measured first, so that a bomb is refused before it needs memory.

    Raises:
        InvalidInput: It is damaged, or unpacks to more than `most` bytes.
    """
    if measure(content, field, most)[1]:
        raise too_large(field)
    return b"".join(_parts(content, field))


def measure(content: bytes, field: str, most: int = MAX_TOTAL_BYTES) -> tuple[int, bool]:
    """Return the size of the unpacked content, and whether it is more than `most` bytes.

    Raises:
        InvalidInput: It is damaged.
    """
    size = 0
    for part in _parts(content, field):
        size += len(part)
        if size > most:
            return size, True
    return size, False


def inflate_start(content: bytes, field: str, most: int) -> tuple[bytes, bool]:
    """Return the unpacked content up to a number of bytes, and whether it is cut."""
    target = bytearray()
    for part in _parts(content, field):
        target += part
        if len(target) > most:
            return bytes(target[:most]), True
    return bytes(target), False


def _parts(content: bytes, field: str) -> Iterator[bytes]:
    """Yield the unpacked content in parts. Bytes after the last member are ignored, as gzip does."""
    rest = content
    while rest.startswith(SIGNATURE):
        member = zlib_ng.decompressobj(_WINDOW_BITS)
        try:
            while not member.eof:
                part = member.decompress(rest, _PART_BYTES)
                rest = member.unconsumed_tail
                if not part and not rest and not member.eof:
                    raise InvalidInput(f"{field}: is a damaged gzip file; it is cut.")
                yield part
        except INFLATE_ERROR as error:
            raise InvalidInput(f"{field}: is a damaged gzip file.") from error
        rest = member.unused_data


def _decoded(name: bytes) -> str:
    """Return a name: UTF-8 if it is valid, else ISO 8859-1, the charset of RFC 1952."""
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("latin-1")
