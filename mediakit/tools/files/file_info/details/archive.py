"""Entries of ZIP and TAR archives."""

from typing import Any

from mediakit.engines.file_types import FileType
from mediakit.engines.file_types.containers.zip_directory import read_directory

_BLOCK_BYTES = 512
_MAX_ENTRIES = 100_000


def archive_details(content: bytes, found: FileType) -> dict[str, Any]:
    """Return the number of entries, and their size when unpacked as the directory states it."""
    if found.mime_type == "application/x-tar":
        return _tar(content)
    if not content.startswith(b"PK"):
        return {}
    entries = [entry for entry in read_directory(content) if not entry.name.endswith("/")]
    return {"entries": len(entries), "unpacked_bytes": sum(entry.unpacked_bytes for entry in entries)}


def _tar(content: bytes) -> dict[str, Any]:
    """Count the files of a TAR archive by walking its headers."""
    position = entries = unpacked = 0
    while position + _BLOCK_BYTES <= len(content) and content[position] and entries < _MAX_ENTRIES:
        header = content[position : position + _BLOCK_BYTES]
        size = _number(header[124:136])
        if size is None:
            break
        if header[156:157] in (b"0", b"\0", b"7"):
            entries += 1
            unpacked += size
        position += _BLOCK_BYTES + -(-size // _BLOCK_BYTES) * _BLOCK_BYTES
    return {"entries": entries, "unpacked_bytes": unpacked}


def _number(field: bytes) -> int | None:
    """Return a size: octal digits, or base 256 where the first bit is set."""
    if field[0] & 0x80:
        return int.from_bytes(field[1:])
    digits = field.strip(b" \0")
    try:
        return int(digits or b"0", 8)
    except ValueError:
        return None
