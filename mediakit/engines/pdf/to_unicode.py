"""ToUnicode maps of the fonts that MuPDF writes (ISO 32000-2, 9.10.3): the text of each glyph."""

import re
import sys
import unicodedata
from collections.abc import Mapping

import pikepdf
from pikepdf import Name, Stream

from mediakit.engines.pdf.objects import dictionary

GlyphTexts = dict[int, str]
"""Text by two-byte code."""

_SECTION = re.compile(rb"beginbf(char|range)\s(.*?)endbf", re.DOTALL)
_CHAR = re.compile(rb"<([0-9a-f]{4})>\s*<([0-9a-f]+)>", re.IGNORECASE)
_RANGE = re.compile(rb"<([0-9a-f]{4})>\s*<([0-9a-f]{4})>\s*(?:<([0-9a-f]+)>|\[([^\]]*)\])", re.IGNORECASE)
_TEXT = re.compile(rb"<([0-9a-f]+)>", re.IGNORECASE)

_HEAD = b"""/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
"""
_TAIL = b"""endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""
_SECTION_ENTRIES = 100


def expand_ligatures(resources: object) -> None:
    """Let readers extract letters where the fonts of some resources have ligatures or presentation forms."""
    for font in dictionary(dictionary(resources).get(Name.Font)).values():
        write_glyph_texts(font, glyph_texts(font))


def glyph_texts(font: pikepdf.Object) -> GlyphTexts:
    """Return the text of each glyph of a font: letters for Latin ligatures and Arabic presentation forms."""
    codes = dictionary(font).get(Name.ToUnicode)
    if not isinstance(codes, Stream):
        return {}
    found: GlyphTexts = {}
    for section in _SECTION.finditer(codes.read_bytes()):
        if section[1] == b"char":
            found |= {int(entry[1], 16): _text(entry[2]) for entry in _CHAR.finditer(section[2])}
        else:
            for entry in _RANGE.finditer(section[2]):
                found |= _range(entry)
    return {code: _letters(text) for code, text in found.items()}


def write_glyph_texts(font: pikepdf.Object, texts: Mapping[int, str]) -> None:
    """Replace the map of a font that has one."""
    codes = dictionary(font).get(Name.ToUnicode)
    if not isinstance(codes, Stream):
        return
    entries = sorted(texts.items())
    parts = [_HEAD]
    for start in range(0, len(entries), _SECTION_ENTRIES):
        section = entries[start : start + _SECTION_ENTRIES]
        lines = [f"<{code:04x}> <{text.encode('utf-16-be').hex()}>" for code, text in section]
        parts.append("\n".join([f"{len(section)} beginbfchar", *lines, "endbfchar\n"]).encode())
    codes.write(b"".join([*parts, _TAIL]))


def _range(entry: re.Match[bytes]) -> GlyphTexts:
    first, last = int(entry[1], 16), int(entry[2], 16)
    if entry[3] is None:
        return dict(zip(range(first, last + 1), map(_text, _TEXT.findall(entry[4])), strict=False))
    text = _text(entry[3])
    return {code: text[:-1] + chr(ord(text[-1]) + code - first) for code in range(first, last + 1)} if text else {}


def _text(digits: bytes) -> str:
    if len(digits) % 4:  # MuPDF writes characters beyond U+FFFF as they are
        code = int(digits, 16)
        return chr(code) if code <= sys.maxunicode else ""
    return bytes.fromhex(digits.decode()).decode("utf-16-be", "replace")


def _letters(text: str) -> str:
    """Return letters for presentation forms, but not for Arabic ligatures: readers would reverse several letters."""
    if not any("\ufb00" <= character <= "\ufdff" or "\ufe70" <= character <= "\ufefe" for character in text):
        return text
    letters = unicodedata.normalize("NFKC", text).strip()
    return letters if len(letters) == 1 or (letters and text < "\ufb1d") else text
