"""Where the pixels of a PNG end or are damaged, which Pillow does not check."""

import struct
import zlib

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Channels by color type (ISO/IEC 15948, 11.2.2)."""
_STEP_BYTES = 1 << 20


def damaged_after_percent(content: bytes) -> int | None:
    """Return the share of the rows before a wrong checksum in percent; None if all checksums are right.

    Only chunks that are whole are checked.
    """
    position, parts = 8, []
    while position + 12 <= len(content):
        length, name = struct.unpack_from(">I4s", content, position)
        end = position + 8 + length
        if end + 4 > len(content) or name == b"IEND":
            return None
        if name == b"IDAT":
            parts.append(content[position + 8 : end])
        is_critical = name[0] & 0x20 == 0
        if is_critical and zlib.crc32(content[position + 4 : end]) != int.from_bytes(content[end : end + 4]):
            return _percent(content, parts)
        position = end + 4
    return None


def _percent(content: bytes, parts: list[bytes]) -> int:
    """Return the rows that the chunks before the last one fill, and it too, as far as it can be decompressed."""
    width, height, depth, color_type = struct.unpack_from(">IIBB", content, 16)
    row = (width * depth * _CHANNELS.get(color_type, 1) + 7) // 8 + 1
    whole, last = _unpacked_bytes(parts)
    return min(99, (last or whole) * 100 // (row * height or 1))


def _unpacked_bytes(parts: list[bytes]) -> tuple[int, int]:
    """Return how many bytes all parts but the last unpack to, and all of them, which is 0 if there is no error."""
    inflate = zlib.decompressobj()
    total = before = 0
    try:
        for part in parts:
            before = total
            rest = part
            while rest:
                total += len(inflate.decompress(rest, _STEP_BYTES))
                rest = inflate.unconsumed_tail
    except zlib.error:
        return before, total
    return before, 0
