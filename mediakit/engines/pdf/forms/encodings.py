"""Encodings of simple fonts: the code of each character (ISO 32000-2, 9.6.5 and annex D)."""

from functools import cache

import pikepdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.forms.names import name_text
from mediakit.engines.pdf.objects import items

_STANDARD_UPPER = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ\0–†‡·\0¶•‚„”»…‰\0¿\0`´ˆ˜¯˘˙¨\0˚¸\0˝˛ˇ—"  # they are what it says
"""Characters of StandardEncoding from 0xA1 on."""
_STANDARD_LETTERS = {
    0xE1: "Æ", 0xE3: "ª", 0xE8: "Ł", 0xE9: "Ø", 0xEA: "Œ", 0xEB: "º", 0xF1: "æ", 0xF5: "ı", 0xF8: "ł", 0xF9: "ø",
    0xFA: "œ", 0xFB: "ß",
}  # fmt: skip

Encoding = dict[str, int]
"""The code of each character that a font can show."""


def encoding_of(font: pikepdf.Object) -> Encoding:
    """Return the encoding of a simple font."""
    entry = font.get(Name.Encoding)
    if not isinstance(entry, Dictionary):
        return _inverted(_base(entry, font))
    codes = dict(_base(entry.get(Name.BaseEncoding), font))
    code = 0
    for item in items(entry.get(Name.Differences))[:1000]:
        number: object = item
        if isinstance(number, int):
            code = number
        elif isinstance(item, Name):
            codes[code] = glyph_character(name_text(item))
            code += 1
    return _inverted(codes)


@cache
def win_ansi() -> Encoding:
    """Return WinAnsiEncoding."""
    return _inverted(_single_byte("cp1252"))


@cache
def glyph_character(name: str) -> str:
    """Return the character of a glyph's name, such as `eacute`; empty for an unknown name."""
    from pymupdf import mupdf

    code = mupdf.fz_unicode_from_glyph_name(name.partition(".")[0])
    return "" if code in (0, 0xFFFD) else chr(code)


def _base(name: object, font: pikepdf.Object) -> dict[int, str]:
    if name == Name.WinAnsiEncoding:
        return _single_byte("cp1252")
    if name == Name.MacRomanEncoding:
        return _single_byte("mac_roman")
    if name == Name("/PDFDocEncoding"):
        return _pdf_doc()
    is_plain_truetype = font.get(Name.Subtype) == Name.TrueType and Name.Encoding not in font
    return _single_byte("cp1252") if is_plain_truetype else _standard()


@cache
def _single_byte(charset: str) -> dict[int, str]:
    decoded = {code: bytes([code]).decode(charset, "ignore") for code in range(32, 256)}
    return {code: character for code, character in decoded.items() if character and character != "\x7f"}


@cache
def _standard() -> dict[int, str]:
    codes = {code: chr(code) for code in range(32, 127)} | {0x27: "\u2019", 0x60: "\u2018"}
    codes |= {0xA1 + at: character for at, character in enumerate(_STANDARD_UPPER) if character != "\0"}
    return codes | _STANDARD_LETTERS


@cache
def _pdf_doc() -> dict[int, str]:
    return {code: text for code in range(24, 256) if (text := str(pikepdf.String(bytes([code])))) and code != 127}


def _inverted(codes: dict[int, str]) -> Encoding:
    found: Encoding = {}
    for code, character in sorted(codes.items()):
        if character and 0 < code < 256:
            found.setdefault(character, code)
    if " " in found:
        found.setdefault("\u00a0", found[" "])
    return found
