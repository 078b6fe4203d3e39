"""Subsets of TrueType fonts that keep glyph numbers, so that nothing else in the PDF changes."""

import struct
from collections.abc import Collection

import numpy as np

from mediakit.tools.pdf.pdf_compress.fonts.sfnt import read_tables, write_tables

UNUSED_TABLES = frozenset(
    (
        "BASE",
        "DSIG",
        "EBDT",
        "EBLC",
        "EBSC",
        "FFTM",
        "GDEF",
        "GPOS",
        "GSUB",
        "JSTF",
        "LTSH",
        "MATH",
        "PCLT",
        "VDMX",
        "hdmx",
        "kern",
        "meta",
        "morx",
        "mort",
        "name",
    )
)
"""Tables for layout, for screens of one resolution, and for people. PDF readers use none of them (ISO 32000-2, 9.9)."""

_INDEX_TO_LOC = 50
"""Offset of `indexToLocFormat` in the table `head`."""

_LONGEST_SHORT = 0x1FFFE
"""Bytes that the short form of `loca` can address."""

_WORDS, _SCALE, _MORE, _SCALES, _MATRIX = 0x01, 0x08, 0x20, 0x40, 0x80
"""Flags of the components of a composite glyph."""

_NO_NAMES = 0x00030000
"""Version of a table `post` without glyph names."""


def subset(program: bytes, glyphs: Collection[int], *, names: bool) -> bytes:
    """Return a TrueType font in which all glyphs except some are empty.

    Hinting instructions stay, so the glyphs draw to the same pixels.

    Args:
        program: The font.
        glyphs: Glyphs to keep; those that they are composed of, and `.notdef`, are kept too.
        names: Whether to keep the names of glyphs, by which simple fonts may select them.

    Raises:
        ValueError: The font is damaged.
        struct.error: The font is damaged.
    """
    tables = {tag: data for tag, data in read_tables(program).items() if tag not in UNUSED_TABLES}
    if not {"glyf", "loca", "head", "maxp", "hhea", "hmtx"} <= tables.keys():
        raise ValueError("a required table is missing")
    offsets = _offsets(tables)
    kept = _with_components(tables["glyf"], offsets, glyphs)
    tables |= _outlines(tables, offsets, kept)
    tables["hmtx"] = _metrics(tables, kept, len(offsets) - 1)
    if not names and len(tables.get("post", b"")) > 32:
        tables["post"] = struct.pack(">L", _NO_NAMES) + tables["post"][4:32]
    return write_tables(tables)


def glyph_count(tables: dict[str, bytes]) -> int:
    """Return the number of glyphs."""
    return int(struct.unpack_from(">H", tables["maxp"], 4)[0])


def _offsets(tables: dict[str, bytes]) -> list[int]:
    """Return where each glyph begins, and where the last one ends."""
    count = glyph_count(tables) + 1
    long = struct.unpack_from(">h", tables["head"], _INDEX_TO_LOC)[0]
    values = np.frombuffer(tables["loca"], ">u4" if long else ">u2", count).astype(np.int64)
    offsets: list[int] = (values if long else values * 2).tolist()
    return offsets


def _with_components(outlines: bytes, offsets: list[int], glyphs: Collection[int]) -> list[int]:
    """Return the glyphs to keep with those that they are composed of, sorted."""
    count = len(offsets) - 1
    kept = {0}
    waiting = [glyph for glyph in glyphs if 0 <= glyph < count] + [0]
    while waiting:
        glyph = waiting.pop()
        kept.add(glyph)
        data = outlines[offsets[glyph] : offsets[glyph + 1]]
        waiting += [part for part in _components(data) if part < count and part not in kept]
    return sorted(kept)


def _components(data: bytes) -> list[int]:
    if len(data) < 10 or struct.unpack_from(">h", data)[0] >= 0:
        return []
    found, position, more = [], 10, True
    while more:
        flags, glyph = struct.unpack_from(">HH", data, position)
        found.append(glyph)
        position += 8 if flags & _WORDS else 6
        position += 2 if flags & _SCALE else 4 if flags & _SCALES else 8 if flags & _MATRIX else 0
        more = bool(flags & _MORE)
    return found


def _outlines(tables: dict[str, bytes], offsets: list[int], kept: list[int]) -> dict[str, bytes]:
    """Return the tables `glyf`, `loca` and `head` with the outlines of some glyphs."""
    outlines = tables["glyf"]
    lengths = np.zeros(len(offsets), np.int64)
    parts = []
    for glyph in kept:
        data = outlines[offsets[glyph] : offsets[glyph + 1]]
        data += b"\0" * (len(data) % 2)
        parts.append(data)
        lengths[glyph + 1] = len(data)
    starts = np.cumsum(lengths)
    short = starts[-1] <= _LONGEST_SHORT
    loca = (starts // 2).astype(">u2") if short else starts.astype(">u4")
    head = bytearray(tables["head"])
    struct.pack_into(">h", head, _INDEX_TO_LOC, 0 if short else 1)
    return {"glyf": b"".join(parts), "loca": loca.tobytes(), "head": bytes(head)}


def _metrics(tables: dict[str, bytes], kept: list[int], count: int) -> bytes:
    """Return the table `hmtx` with zeros for glyphs that are not kept."""
    full: int = struct.unpack_from(">H", tables["hhea"], 34)[0]
    data = np.frombuffer(tables["hmtx"][: len(tables["hmtx"]) // 2 * 2], np.uint16).copy()
    wanted = np.zeros(count, bool)
    wanted[kept] = True
    if 0 < full < count:
        wanted[full - 1] = True  # its advance is that of all later glyphs
    pairs = min(full, len(data) // 2, count)
    data[: pairs * 2].reshape(-1, 2)[~wanted[:pairs]] = 0
    rest = data[full * 2 : full * 2 + max(0, count - full)]
    rest[~wanted[full : full + len(rest)]] = 0
    return data.tobytes()
