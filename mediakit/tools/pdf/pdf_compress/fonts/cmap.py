"""The glyphs that a code of a simple TrueType font can select; readers differ, so all candidates count."""

import struct
from collections.abc import Collection, Iterator

from pymupdf import mupdf

_ONE_BYTE_CODECS = ("latin-1", "cp1252", "mac_roman")
_SYMBOL_PAGES = (0xF000, 0xF100, 0xF200)
STANDARD_NAMES = 258
"""Names that the table `post` need not contain."""

_NUMBERED_NAME_PREFIXES = ("g", "glyph", "gid", "cid", "index", "uni", "u", "G")


def glyphs_of_codes(tables: dict[str, bytes], codes: Collection[int], names: dict[int, str]) -> set[int]:
    """Return all glyphs that codes of a simple font may select.

    Args:
        tables: The tables of the font.
        codes: The codes that are shown, 0 to 255.
        names: Glyph names by code, from the encoding's differences.

    Raises:
        struct.error: The table `cmap` is damaged.
    """
    characters: set[int] = set()
    wanted_names: set[str] = set()
    glyphs = set(codes)  # without a usable `cmap`, readers take codes for glyphs
    for code in codes:
        characters |= {code, *(page + code for page in _SYMBOL_PAGES), *_code_points(code)}
        if name := names.get(code):
            wanted_names.add(name)
            characters.add(_code_point(name))
            glyphs |= set(_numbers(name))
            characters |= set(_numbers(name))
    maps = list(_mappings(tables.get("cmap", b"")))
    for mapping in maps:
        glyphs |= {mapping[character] for character in characters if character in mapping}
    return glyphs | _named_glyphs(tables, {name: _code_point(name) for name in wanted_names}, maps)


def _named_glyphs(tables: dict[str, bytes], names: dict[str, int], maps: list[dict[int, int]]) -> set[int]:
    """Return the glyphs that are selected by their names in the table `post`."""
    standard, others = _glyph_names(tables.get("post", b""))
    found = {glyph for name in names for glyph in others.get(name, ())}
    unmapped = any(not any(character in mapping for mapping in maps) for character in names.values())
    return found | standard if unmapped else found


def _code_points(code: int) -> set[int]:
    """Return the characters of a code in the encodings of PDF."""
    raw = bytes([code])
    return {ord(raw.decode(codec, "replace")) for codec in _ONE_BYTE_CODECS}


def _numbers(name: str) -> Iterator[int]:
    """Yield the number in a name such as `g37` or `uni20AC`."""
    for prefix in _NUMBERED_NAME_PREFIXES:
        digits = name.removeprefix(prefix).partition(".")[0]
        if digits != name:
            for base in (10, 16):
                try:
                    yield int(digits, base)
                except ValueError:
                    continue


def _code_point(name: str) -> int:
    """Return the character of a name in the Adobe Glyph List."""
    return int(mupdf.fz_unicode_from_glyph_name(name))


def _mappings(table: bytes) -> Iterator[dict[int, int]]:
    """Yield the mappings from characters to glyphs of all subtables."""
    if not table:
        return
    count = struct.unpack_from(">H", table, 2)[0]
    seen = set()
    for index in range(count):
        start = struct.unpack_from(">L", table, 8 + index * 8)[0]
        if start not in seen:
            seen.add(start)
            yield _mapping(table, start)


def _mapping(table: bytes, start: int) -> dict[int, int]:
    """Return a subtable; formats other than 0, 4, 6 and 12 are not used in PDFs.

    Raises:
        ValueError: It has another format.
    """
    match struct.unpack_from(">H", table, start)[0]:
        case 0:
            return {code: glyph for code, glyph in enumerate(table[start + 6 : start + 262]) if glyph}
        case 4:
            return dict(_segments(table, start))
        case 6:
            first, count = struct.unpack_from(">HH", table, start + 6)
            return dict(enumerate(struct.unpack_from(f">{count}H", table, start + 10), first))
        case 12:
            return dict(_groups(table, start))
        case other:
            raise ValueError(f"format {other} of the table cmap")


def _segments(table: bytes, start: int) -> Iterator[tuple[int, int]]:
    double = struct.unpack_from(">H", table, start + 6)[0]
    count = double // 2
    ends = struct.unpack_from(f">{count}H", table, start + 14)
    firsts = struct.unpack_from(f">{count}H", table, start + 16 + double)
    deltas = struct.unpack_from(f">{count}H", table, start + 16 + double * 2)
    offsets_at = start + 16 + double * 3
    offsets = struct.unpack_from(f">{count}H", table, offsets_at)
    for index, (first, end, delta, offset) in enumerate(zip(firsts, ends, deltas, offsets, strict=True)):
        for code in range(first, end + 1):
            glyph = code
            if offset:
                at = offsets_at + index * 2 + offset + (code - first) * 2
                if at + 2 > len(table):
                    break
                glyph = struct.unpack_from(">H", table, at)[0]
                if not glyph:
                    continue
            yield code, (glyph + delta) & 0xFFFF


def _groups(table: bytes, start: int) -> Iterator[tuple[int, int]]:
    count = struct.unpack_from(">L", table, start + 12)[0]
    left = 0x110000
    for index in range(count):
        first, end, glyph = struct.unpack_from(">LLL", table, start + 16 + index * 12)
        left -= max(0, end - first + 1)
        if left < 0:
            raise ValueError("the table cmap is too large")
        yield from zip(range(first, end + 1), range(glyph, glyph + end - first + 1), strict=True)


def _glyph_names(table: bytes) -> tuple[set[int], dict[str, list[int]]]:
    """Return the glyphs with a standard name of Macintosh fonts, and those with others by name (`post` version 2)."""
    if len(table) < 34 or table[:4] != b"\0\2\0\0":
        return set(), {}
    count = struct.unpack_from(">H", table, 32)[0]
    indexes = struct.unpack_from(f">{count}H", table, 34)
    texts, position = [], 34 + count * 2
    while position < len(table):
        length = table[position]
        texts.append(table[position + 1 : position + 1 + length].decode("latin-1"))
        position += 1 + length
    others: dict[str, list[int]] = {}
    for glyph, index in enumerate(indexes):
        if 0 <= index - STANDARD_NAMES < len(texts):
            others.setdefault(texts[index - STANDARD_NAMES], []).append(glyph)
    return {glyph for glyph, index in enumerate(indexes) if index < STANDARD_NAMES}, others
