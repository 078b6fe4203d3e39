"""The headers of a TAR file (POSIX.1-1988), read one after the other without unpacking it."""

import re
from collections.abc import Iterator

BLOCK_BYTES = 512

_SIZE, _CHECKSUM, _KIND = slice(124, 136), slice(148, 156), slice(156, 157)
_OCTAL = re.compile(rb"[ \0]*[0-7]+[ \0]*")
_FILE_KINDS = (b"0", b"\0", b"7")
_MAX_FILES = 100_000


def is_tar(content: bytes) -> bool:
    """Return whether the first block is the header of an entry: its checksum is right (POSIX.1-1988)."""
    block = content[:BLOCK_BYTES]
    if len(block) < BLOCK_BYTES or not _OCTAL.fullmatch(stated := block[_CHECKSUM]):
        return False
    values = block[:148] + b" " * 8 + block[156:]
    signed = sum(value - 256 if value > 127 else value for value in values)
    return block[0] != 0 and int(stated.strip(b" \0"), 8) in (sum(values), signed)


def file_sizes(content: bytes) -> Iterator[int]:
    """Yield the sizes of at most 100,000 files, as their headers state them, up to a damaged header."""
    position = files = 0
    while position + BLOCK_BYTES <= len(content) and content[position] and files < _MAX_FILES:
        header = content[position : position + BLOCK_BYTES]
        size = _number(header[_SIZE])
        if size is None:
            return
        if header[_KIND] in _FILE_KINDS:
            files += 1
            yield size
        position += BLOCK_BYTES + -(-size // BLOCK_BYTES) * BLOCK_BYTES


def _number(field: bytes) -> int | None:
    """Return a size: octal digits, or base 256 where the first bit is set."""
    if field[0] & 0x80:
        return int.from_bytes(field[1:])
    digits = field.strip(b" \0")
    try:
        return int(digits or b"0", 8)
    except ValueError:
        return None
