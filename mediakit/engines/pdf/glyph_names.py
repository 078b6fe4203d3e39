"""Adds the letters of glyphs that only their names tell, such as `T_h`, to fonts that have no map of them.

Glyph names follow the Adobe Glyph List Specification: `T_h` is "Th", `uni00660074` is "ft", `u1F600` is one character.
MuPDF and PDFium read only names of one letter.
"""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Name, Object, Stream

from mediakit.engines.pdf.objects import dictionary, every_dictionary, items, stream_bytes

SIMPLE_FONTS = (Name.Type1, Name.MMType1, Name.TrueType, Name.Type3)

_LETTERS_IN_NAME = re.compile(r"[^.]+_|uni(?:[0-9A-F]{4}){2,}|u[0-9A-F]{4,6}")
"""Names of several letters, and of characters by their number."""

_KNOWN_CODE = re.compile(rb"<([0-9a-fA-F]{2})>")


def character(name: str) -> str:
    """Return the letters of a glyph, by its name; empty if the name does not tell them."""
    from fontTools import agl

    return str(agl.toUnicode(name))


def lacks_letters(pdf: pikepdf.Pdf) -> bool:
    """Return whether any font has glyphs whose names have several letters, and no map of them."""
    return next(_missing(pdf), None) is not None


def add_letters(pdf: pikepdf.Pdf) -> None:
    """Write ToUnicode maps for glyphs whose names have several letters."""
    for font, letters in list(_missing(pdf)):
        lines = [f"<{code:02x}> <{text.encode('utf-16-be').hex()}>" for code, text in letters.items()]
        section = f"\n{len(lines)} beginbfchar\n{chr(10).join(lines)}\nendbfchar\n".encode()
        head, _, tail = _map_of(font).rpartition(b"endcmap")
        font.ToUnicode = pdf.make_stream((head or _HEAD) + section + b"endcmap" + (tail or b"\nend\nend\n"))


def _missing(pdf: pikepdf.Pdf) -> Iterator[tuple[Object, dict[int, str]]]:
    """Yield the fonts, and the letters of their glyphs that their maps do not have."""
    for font in every_dictionary(pdf):
        if font.get(Name.Subtype) not in SIMPLE_FONTS or not (Name.Encoding in font or Name.FontDescriptor in font):
            continue
        names = {code: name for code, name in glyph_names(font).items() if _LETTERS_IN_NAME.match(name)}
        known = {int(code, 16) for code in _KNOWN_CODE.findall(_map_of(font))} if names else set()
        letters = {code: text for code, name in names.items() if code not in known and (text := character(name))}
        if letters:
            yield font, letters


def _map_of(font: Object) -> bytes:
    present = font.get(Name.ToUnicode)
    return (stream_bytes(present) or b"") if isinstance(present, Stream) else b""


def glyph_names(font: Object) -> Mapping[int, str]:
    """Return the names of the glyphs of a font with one-byte codes, as far as they differ from a standard encoding."""
    encoding = dictionary(font.get(Name.Encoding))
    has_own = Name.BaseEncoding not in encoding and not isinstance(font.get(Name.Encoding), Name)
    names = dict(_built_in(dictionary(font.get(Name.FontDescriptor)))) if has_own else {}
    code = 0
    for item in items(encoding.get(Name.Differences)):
        if isinstance(item, int):
            code = item
        elif isinstance(item, Name):
            names[code] = str(item)[1:]
            code += 1
    return names


def _built_in(descriptor: Object) -> Iterator[tuple[int, str]]:
    """Yield the codes and names of the encoding in an embedded font program."""
    program = descriptor.get(Name.FontFile3, descriptor.get(Name.FontFile))
    if not isinstance(program, Stream):
        return
    try:
        content = program.read_bytes()
        encoding = _compact(content) if Name.FontFile3 in descriptor else _type1(content)
    except Exception:  # noqa: BLE001  # fontTools raises any exception for a damaged font
        return
    yield from ((code, name) for code, name in enumerate(encoding) if name not in (None, ".notdef"))


def _compact(content: bytes) -> list[str]:
    from fontTools.cffLib import CFFFontSet

    fonts = CFFFontSet()
    fonts.decompile(BytesIO(content), None)
    encoding: Any = fonts[0].Encoding
    return encoding if isinstance(encoding, list) else []


def _type1(content: bytes) -> list[str]:
    entries = re.findall(rb"dup\s+(\d{1,3})\s*/([^\s/\[\]<>(){}%]+)\s+put", content.partition(b"eexec")[0])
    names = [".notdef"] * 256
    for code, name in entries:
        if int(code) < 256:
            names[int(code)] = name.decode("latin-1")
    return names


_HEAD = b"""/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CMapName /Letters def
/CMapType 2 def
1 begincodespacerange
<00> <ff>
endcodespacerange"""
