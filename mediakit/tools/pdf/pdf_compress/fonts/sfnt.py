"""The container of TrueType fonts: tables with a directory (ISO/IEC 14496-22, 4)."""

import struct
from collections.abc import Mapping

import numpy as np

VERSIONS = (b"\0\1\0\0", b"true")
_HEADER = struct.Struct(">4sHHHH")
_ENTRY = struct.Struct(">4sLLL")
_CHECKSUM_OF_FONT = 0xB1B0AFBA
_ADJUSTMENT_OFFSET = 8
"""Of `checkSumAdjustment` in the table `head`."""


def read_tables(program: bytes) -> dict[str, bytes]:
    """Return the tables of a TrueType font.

    Raises:
        ValueError: It is not a TrueType font, or a table is outside of the file.
    """
    if program[:4] not in VERSIONS:
        raise ValueError("not a TrueType font")
    count = _HEADER.unpack_from(program)[1]
    tables = {}
    for index in range(count):
        tag, _, start, length = _ENTRY.unpack_from(program, _HEADER.size + index * _ENTRY.size)
        data = program[start : start + length]
        if len(data) < length and tag not in (b"hmtx", b"glyf"):
            raise ValueError(f"the table {tag!r} is cut off")
        tables[tag.decode("latin-1")] = data
    return tables


def write_tables(tables: Mapping[str, bytes]) -> bytes:
    """Return a TrueType font of tables, sorted by their tags, with its checksums."""
    count = len(tables)
    power = 1 << (count.bit_length() - 1)
    header = _HEADER.pack(VERSIONS[0], count, power * 16, power.bit_length() - 1, (count - power) * 16)
    entries, body = [], []
    position = _HEADER.size + count * _ENTRY.size
    for tag in sorted(tables):
        data = tables[tag]
        if tag == "head":
            data = data[:_ADJUSTMENT_OFFSET] + b"\0\0\0\0" + data[_ADJUSTMENT_OFFSET + 4 :]
            head = position
        padded = data + b"\0" * (-len(data) % 4)
        entries.append(_ENTRY.pack(tag.encode("latin-1"), _checksum(padded), position, len(data)))
        body.append(padded)
        position += len(padded)
    font = bytearray(b"".join((header, *entries, *body)))
    adjustment = (_CHECKSUM_OF_FONT - _checksum(font)) & 0xFFFFFFFF
    struct.pack_into(">L", font, head + _ADJUSTMENT_OFFSET, adjustment)
    return bytes(font)


def _checksum(data: bytes | bytearray) -> int:
    return int(np.frombuffer(data, ">u4").sum(dtype=np.uint64)) & 0xFFFFFFFF
