"""The directory of a ZIP file (APPNOTE 6.3.10): its entries as they stand, without any trust.

Archives with a prefix (self-extracting), a comment, ZIP64 records and trailing bytes are read.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from mediakit.errors import InvalidInput

END_SIGNATURE = b"PK\5\6"
ENTRY_SIGNATURE = b"PK\1\2"
LOCAL_SIGNATURE = b"PK\3\4"
_LOCATOR_SIGNATURE = b"PK\6\7"
_END64_SIGNATURE = b"PK\6\6"

_END = struct.Struct("<4s4H2LH")
_LOCATOR = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")

LOCAL_HEADER_BYTES = _LOCAL.size
MAX_COMMENT_BYTES = 65_535

_UNKNOWN_32 = 0xFFFFFFFF
"""A value that is in the ZIP64 field of the entry instead."""

FLAG_ENCRYPTED, FLAG_STREAMED, FLAG_STRONG, FLAG_UTF8, FLAG_MASKED = 0x1, 0x8, 0x40, 0x800, 0x2000

EXTRA_ZIP64, EXTRA_UNICODE_PATH, EXTRA_AES = 0x0001, 0x7075, 0x9901


@dataclass(frozen=True)
class RawEntry:
    """An entry of the directory, with its name as bytes."""

    name: bytes
    extra: bytes
    system: int
    """Where the entry was made: 0 is Windows, 3 is Unix, 19 is macOS."""
    flags: int
    method: int
    time: int
    date: int
    crc32: int
    compressed_bytes: int
    size_bytes: int
    attributes: int
    offset: int
    """Position of its local header in the file."""

    @cached_property
    def extras(self) -> Mapping[int, bytes]:
        """The extra fields by number; of one that stands twice the first counts."""
        return extra_fields(self.extra)

    @property
    def is_encrypted(self) -> bool:
        """Whether its content is encrypted."""
        return bool(self.flags & FLAG_ENCRYPTED)


@dataclass(frozen=True)
class Directory:
    """All entries of a ZIP file."""

    entries: list[RawEntry]
    comment: bytes
    start: int
    """Position of the directory: the end of the entries' contents."""


@dataclass(frozen=True)
class _End:
    """Where the directory is, according to the end record."""

    position: int
    count: int
    size: int
    offset: int
    comment: bytes

    @property
    def start(self) -> int:
        """The position of the directory: just before the end record, wherever the file begins."""
        return self.position - self.size


def read_directory(content: bytes, field: str = "file") -> Directory:
    """Return the directory of a ZIP file.

    Raises:
        InvalidInput: There is none, it is damaged or encrypted, or the file is a part of a split archive.
    """
    end = _find_end(content, field)
    start, shift = end.start, end.start - end.offset  # the bytes before the archive shift all positions
    if start < 0 or (content[start : start + 4] != ENTRY_SIGNATURE and end.size):
        start, shift = end.offset, 0  # there are bytes between the directory and the end record
    if content[start : start + 4] != ENTRY_SIGNATURE and end.size:
        raise InvalidInput(f"{field}: is a damaged ZIP file; its directory cannot be found.")
    entries = list(_entries(content, start, start + end.size, shift))
    if len(entries) % 0x10000 != end.count % 0x10000:
        raise InvalidInput(
            f"{field}: is a damaged ZIP file; its directory has {len(entries):,} of {end.count:,} entries."
        )
    if any(entry.flags & FLAG_MASKED for entry in entries):
        raise _encrypted_names(field)
    return Directory(entries, end.comment, start)


def is_zip(content: bytes) -> bool:
    """Return whether a file has the end record of a ZIP file, or begins with an entry."""
    return content.startswith(LOCAL_SIGNATURE) or END_SIGNATURE in content[-_END.size - MAX_COMMENT_BYTES :]


def has_directory(content: bytes) -> bool:
    """Return whether a file ends with a whole directory that has entries, whatever it begins with."""
    try:
        return bool(read_directory(content).entries)
    except InvalidInput:
        return False


def found_entries(content: bytes) -> list[RawEntry]:
    """Return the entries of a file that may be damaged: those of its directory, else those of its local headers."""
    try:
        return read_directory(content).entries
    except InvalidInput:
        return list(_local_entries(content))


def overlap(directory: Directory) -> bool:
    """Return whether two entries share bytes, as in a decompression bomb, or one reaches into the directory."""
    spans = [(entry.offset, entry.offset + LOCAL_HEADER_BYTES + entry.compressed_bytes) for entry in directory.entries]
    ordered = [*sorted(spans), (directory.start, directory.start)]
    return any(stop > following for (_, stop), (following, _) in pairwise(ordered))


def _local_entries(content: bytes) -> Iterator[RawEntry]:
    """Yield at most 10,000 entries by their local headers; where sizes follow the content, the next header ends it."""
    position = content.find(LOCAL_SIGNATURE, 0, 1024)
    for _ in range(10_000):
        if not 0 <= position <= len(content) - LOCAL_HEADER_BYTES:
            return
        _, _, flags, method, time, date, crc32, packed, size, *lengths = _LOCAL.unpack_from(content, position)
        name_end = position + LOCAL_HEADER_BYTES + lengths[0]
        start = name_end + lengths[1]
        following = content.find(LOCAL_SIGNATURE, start)
        if flags & FLAG_STREAMED or packed == _UNKNOWN_32:
            packed = max(0, following - start) if following > 0 else max(0, len(content) - start)
        name, extra = content[position + LOCAL_HEADER_BYTES : name_end], content[name_end:start]
        yield RawEntry(name, extra, 0, flags, method, time, date, crc32, packed, size, 0, position)
        position = start + packed if content.startswith(LOCAL_SIGNATURE, start + packed) else following


def _find_end(content: bytes, field: str) -> _End:
    """Return the end record. Signatures inside the comment do not count: the record must fill the rest of the file."""
    ends = []
    position = content.find(END_SIGNATURE, max(0, len(content) - _END.size - MAX_COMMENT_BYTES))
    while 0 <= position <= len(content) - _END.size:
        ends.append((position, _END.unpack_from(content, position)))
        position = content.find(END_SIGNATURE, position + 1)
    fitting = (end for end in ends if end[0] + _END.size + end[1][7] == len(content))
    for at, (_, disk, start_disk, _, count, size, offset, length) in (*fitting, *reversed(ends)):
        comment = content[at + _END.size : at + _END.size + length]
        if end := _end64(content, at, comment, field):
            return end
        end = _End(at, count, size, offset, comment)
        if _points_to_entries(content, end):
            if disk or start_disk:
                raise InvalidInput(f"{field}: is one part of a split ZIP file; join the parts first.")
            return end
    raise InvalidInput(f"{field}: is a damaged ZIP file; its directory is missing.")


def _points_to_entries(content: bytes, end: _End) -> bool:
    places = (end.start, end.offset)
    if not end.size:
        return not end.count
    return any(0 <= place < end.position and content[place : place + 4] == ENTRY_SIGNATURE for place in places)


def _end64(content: bytes, position: int, comment: bytes, field: str) -> _End | None:
    at = position - _LOCATOR.size
    if at < 0 or not content.startswith(_LOCATOR_SIGNATURE, at):
        return None
    _, _, offset, _ = _LOCATOR.unpack_from(content, at)
    for place in (at - _END64.size, offset):
        if 0 <= place <= at - _END64.size and content.startswith(_END64_SIGNATURE, place):
            _, length, *_, count, _, size, start = _END64.unpack_from(content, place)
            end = _End(place, count, size, start, comment)
            if _points_to_entries(content, end):
                return end
            if length > 44:  # it has the fields of an encrypted directory
                raise _encrypted_names(field)
    return None


def _encrypted_names(field: str) -> InvalidInput:
    return InvalidInput(f"{field}: its names are encrypted (strong encryption), which cannot be read.")


def _entries(content: bytes, position: int, end: int, shift: int) -> Iterator[RawEntry]:
    while position + _ENTRY.size <= end and content.startswith(ENTRY_SIGNATURE, position):
        values = _ENTRY.unpack_from(content, position)
        _, made_by, _, flags, method, time, date, crc32, packed, size, *lengths, _, _, attributes, offset = values
        name_end = position + _ENTRY.size + lengths[0]
        extra_end = name_end + lengths[1]
        name, extra = content[position + _ENTRY.size : name_end], content[name_end:extra_end]
        if _UNKNOWN_32 in (packed, size, offset):
            size, packed, offset = _sizes64(extra, size, packed, offset)
        place, system = offset + shift, made_by >> 8
        yield RawEntry(name, extra, system, flags, method, time, date, crc32, packed, size, attributes, place)
        position = extra_end + lengths[2]


def _sizes64(extra: bytes, *values: int) -> Iterator[int]:
    """Yield values of which those that do not fit in 32 bits are in the ZIP64 field, one after the other."""
    wide, position = extra_fields(extra).get(EXTRA_ZIP64, b""), 0
    for value in values:
        if value == _UNKNOWN_32 and position + 8 <= len(wide):
            yield int.from_bytes(wide[position : position + 8], "little")
            position += 8
        else:
            yield value


def extra_fields(extra: bytes) -> dict[int, bytes]:
    """Return extra fields by number; what follows a damaged one is ignored."""
    found: dict[int, bytes] = {}
    position = 0
    while position + 4 <= len(extra):
        number, length = struct.unpack_from("<HH", extra, position)
        found.setdefault(number, extra[position + 4 : position + 4 + length])
        position += 4 + length
    return found


def content_start(content: bytes, entry: RawEntry) -> int | None:
    """Return the position of an entry's content, which follows its local header; None if there is no header."""
    at = entry.offset
    if not 0 <= at <= len(content) - LOCAL_HEADER_BYTES or not content.startswith(LOCAL_SIGNATURE, at):
        return None
    *_, name_bytes, extra_bytes = _LOCAL.unpack_from(content, at)
    return at + LOCAL_HEADER_BYTES + int(name_bytes) + int(extra_bytes)
