"""Conditional requests and byte ranges of a file that never changes (RFC 9110, sections 13 and 14)."""

import re
from dataclasses import dataclass

from mediakit.errors import RangeNotSatisfiable

_RANGE = re.compile(r"bytes=[ \t]*(\d{0,19})-(\d{0,19})[ \t]*", re.IGNORECASE | re.ASCII)
_ETAG = re.compile(r'(?:W/)?("[^"]*")')


@dataclass(frozen=True, slots=True)
class ByteRange:
    """A part of a file: the bytes from `start` up to, but without, `end`."""

    start: int
    end: int

    @property
    def size(self) -> int:
        """Number of bytes."""
        return self.end - self.start


def requested_range(range_header: str | None, if_range: str | None, etag: str, size: int) -> ByteRange | None:
    """Return the part of a file that a request asks for; None for the whole file.

    Several ranges, other units, syntax errors and an `If-Range` of another file result in the whole file.

    Raises:
        RangeNotSatisfiable: The range begins after the end of the file.
    """
    match = _RANGE.fullmatch(range_header or "")
    first, last = match.groups() if match else ("", "")
    if not (first or last) or if_range not in (None, etag):
        return None
    if not first:
        found = ByteRange(max(0, size - int(last)), size)
    elif last and int(last) < int(first):
        return None
    else:
        found = ByteRange(int(first), min(int(last) + 1, size) if last else size)
    if found.size <= 0:
        raise RangeNotSatisfiable(f"Range: must begin within the {size:,} bytes of the file, got {first}-{last}.")
    return found


def is_unchanged(if_none_match: str | None, etag: str) -> bool:
    """Return whether the client already has the file, by its `If-None-Match` header."""
    if if_none_match is None:
        return False
    return if_none_match.strip() == "*" or etag in _ETAG.findall(if_none_match)
