"""Judges a ZIP container before it is unpacked: bombs, overlaps, too many entries."""

import io
import zipfile
from itertools import pairwise

from mediakit.errors import InvalidInput

MAX_ENTRIES = 10_000
MAX_UNPACKED_BYTES = 300_000_000
MAX_RATIO = 200
"""How many times its packed size an entry may have."""

_RATIO_FROM_BYTES = 1_000_000
"""Smaller entries may be packed as tightly as they like."""

_LOCAL_HEADER_BYTES = 30


def check_archive(content: bytes, field: str) -> list[zipfile.ZipInfo]:
    """Return the entries of a ZIP container.

    Raises:
        InvalidInput: It is damaged, or its content is larger than allowed.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{field}: is a damaged workbook or ZIP archive.") from error
    if len(entries) > MAX_ENTRIES:
        raise InvalidInput(f"{field}: must have at most {MAX_ENTRIES:,} entries in its archive, got {len(entries):,}.")
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise InvalidInput(f"{field}: unpacks to more than {MAX_UNPACKED_BYTES // 1_000_000} MB.")
    if any(_is_bomb(entry) for entry in entries) or _overlap(entries):
        raise InvalidInput(f"{field}: is a decompression bomb.")
    return entries


def _is_bomb(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > _RATIO_FROM_BYTES and entry.file_size > MAX_RATIO * max(1, entry.compress_size)


def _overlap(entries: list[zipfile.ZipInfo]) -> bool:
    """Return whether two entries share packed bytes."""
    spans = sorted((entry.header_offset, entry.compress_size) for entry in entries)
    pairs = pairwise(spans)
    return any(start + _LOCAL_HEADER_BYTES + size > after for (start, size), (after, _) in pairs)
