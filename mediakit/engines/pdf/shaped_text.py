"""Text of any script, drawn with MuPDF, that stays searchable: its glyphs, missing ones, and ToUnicode maps.

MuPDF writes right-to-left text in the order of reading, from right to left, and a ToUnicode map (ISO 32000-2, 9.10.3)
that lacks glyphs that only shaping makes. Readers expect glyphs from left to right, and reverse them.
"""

import html
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import repeat
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.direction import has_right_to_left
from mediakit.engines.pdf.objects import dictionary, items, stream_bytes
from mediakit.engines.pdf.opening import PageKey

_MISSING_GLYPH = re.compile(rb"<(?:[0-9a-f]{4})*?0000(?:[0-9a-f]{4})*>")
"""A string of two-byte codes, one of which is that of the missing glyph."""


def missing_characters(text: str) -> list[str]:
    """Return the characters of a text that no font can draw."""
    if text.isascii() or not _lacks_glyph(text):
        return []
    return [character for character in dict.fromkeys(text) if not character.isascii() and _lacks_glyph(character)]


def has_missing_glyph(content: bytes) -> bool:
    """Return whether a content stream that MuPDF wrote draws the glyph for missing characters."""
    return _MISSING_GLYPH.search(content) is not None


def _lacks_glyph(text: str) -> bool:
    with drawn_pages([f'<p style="font: 8pt sans-serif">{html.escape(text)}</p>'], (2000, 2000)) as document:
        return has_missing_glyph(document[0].read_contents())


def drawn_pages(
    markups: Iterable[str], size: tuple[float, float], areas: Iterable[tuple[float, ...]] | None = None
) -> Any:
    """Return a document of MuPDF with a page of a size for each HTML text.

    Each text is laid out in an area (left, top, right and bottom), by default on the whole page.
    """
    import pymupdf

    target, sheet = BytesIO(), (0, 0, *size)
    writer: Any = pymupdf.DocumentWriter(target)  # type: ignore[no-untyped-call]
    for markup, area in zip(markups, areas or repeat(sheet), strict=False):
        story: Any = pymupdf.Story(markup, user_css="body { margin: 0 }")  # type: ignore[no-untyped-call]
        device = writer.begin_page(pymupdf.Rect(*sheet))  # type: ignore[no-untyped-call]
        story.place(pymupdf.Rect(*area))  # type: ignore[no-untyped-call]
        story.draw(device)
        writer.end_page()
    writer.close()
    return pymupdf.open(stream=target.getvalue())  # type: ignore[no-untyped-call]


GlyphTexts = dict[int, str]
"""Text by two-byte code."""

_SECTION = re.compile(rb"beginbf(char|range)(.*?)endbf", re.DOTALL)
_CHAR = re.compile(rb"<([0-9a-fA-F\s]+)>\s*<([0-9a-fA-F\s]*)>")
_RANGE = re.compile(rb"<([0-9a-fA-F\s]+)>\s*<([0-9a-fA-F\s]+)>\s*(?:<([0-9a-fA-F\s]*)>|\[([^\]]*)\])")
_TEXT = re.compile(rb"<([0-9a-fA-F\s]*)>")

MAX_RANGE = 65_536


def to_unicode(codes: Stream) -> dict[int, str]:
    """Return the text of each code in a ToUnicode map."""
    found: dict[int, str] = {}
    for section in _SECTION.finditer(stream_bytes(codes) or b""):
        if section[1] == b"char":
            found |= {_number(entry[1]): _characters(entry[2]) for entry in _CHAR.finditer(section[2])}
            continue
        for entry in _RANGE.finditer(section[2]):
            first, last = _number(entry[1]), min(_number(entry[2]), _number(entry[1]) + MAX_RANGE)
            if entry[4] is not None:
                found |= dict(enumerate(map(_characters, _TEXT.findall(entry[4])), first))
            elif start := _characters(entry[3]):
                steps = range(max(0, last - first + 1))
                found |= {first + step: start[:-1] + chr(min(ord(start[-1]) + step, sys.maxunicode)) for step in steps}
    return found


def _number(digits: bytes) -> int:
    return int(b"".join(digits.split()) or b"0", 16)


def _characters(digits: bytes) -> str:
    """Return the text of UTF-16, or of the number of one character; digits that are too many are ignored."""
    digits = b"".join(digits.split())
    if 0 < len(digits) < 4:
        return chr(int(digits, 16))
    if len(digits) in (5, 6) and 0xFFFF < (code := int(digits, 16)) <= sys.maxunicode:  # as MuPDF writes them
        return chr(code)
    return bytes.fromhex(digits[: len(digits) // 4 * 4].decode()).decode("utf-16-be", "replace")


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


def glyph_texts(font: pikepdf.Object) -> GlyphTexts:
    """Return the text of each glyph of a font: letters for Latin ligatures and Arabic presentation forms."""
    codes = dictionary(font).get(Name.ToUnicode)
    if not isinstance(codes, Stream):
        return {}
    return {code: _letters(text) for code, text in to_unicode(codes).items()}


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


INVISIBLE_GLYPH_WIDTH = 500
"""Width of every glyph of `invisible_font`, in thousandths of the font size."""


def invisible_font(pdf: pikepdf.Pdf, codes: Mapping[str, int]) -> pikepdf.Object:
    """Return a font without shapes for invisible text: each two-byte code stands for a character."""
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name.Invisible,
        Flags=4,
        FontBBox=Array([0, -250, INVISIBLE_GLYPH_WIDTH, 750]),
        ItalicAngle=0,
        Ascent=750,
        Descent=-250,
        CapHeight=700,
        StemV=80,
    )
    descendant = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name.Invisible,
        CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
        CIDToGIDMap=Name.Identity,
        DW=INVISIBLE_GLYPH_WIDTH,
        FontDescriptor=pdf.make_indirect(descriptor),
    )
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name.Invisible,
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(descendant)]),
        ToUnicode=pdf.make_stream(b""),
    )
    write_glyph_texts(font, {code: text for text, code in codes.items()})
    return pdf.make_indirect(font)


def _letters(text: str) -> str:
    """Return letters for presentation forms, but not for Arabic ligatures: readers would reverse several letters."""
    if not any("\ufb00" <= character <= "\ufdff" or "\ufe70" <= character <= "\ufefe" for character in text):
        return text
    letters = unicodedata.normalize("NFKC", text).strip()
    return letters if len(letters) == 1 or (letters and text < "\ufb1d") else text


_KNOWN = frozenset({"BT", "ET", "Tf", "Tm", "Td", "TJ"})
_INVISIBLE = re.compile("[\\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")
"""White space, which may be missing at the end of a line, and characters that draw nothing."""

_UNKNOWN = "(.{1,3}?)"
"""Pattern of a glyph that stands for up to three letters."""

MAX_UNKNOWN = 60
"""Glyphs of a line whose letters are searched."""


@dataclass(frozen=True)
class LineFont:
    """A font, shared by lines."""

    font: pikepdf.Object
    texts: GlyphTexts
    """Text of each glyph."""
    widths: Mapping[int, float]
    """Width of each glyph, in thousandths of the font's size."""


@dataclass(frozen=True)
class Glyph:
    """A glyph with its place on the line, in points."""

    code: int
    x: float
    width: float


@dataclass(frozen=True)
class GlyphRun:
    """Glyphs of one font at one height."""

    font: str
    """Name of the font in the resources, such as `/F0`."""
    size: float
    y: float
    glyphs: Sequence[Glyph]


@dataclass(frozen=True)
class DrawnText:
    """The text of a content stream, with the operators around it."""

    before: bytes
    runs: Sequence[GlyphRun]
    after: bytes

    def in_visual_order(self, fonts: Mapping[str, LineFont]) -> bytes:
        """Return the content with all glyphs of a line from left to right, by the fonts and their names."""
        written = []
        for run in sorted(self.runs, key=lambda run: (run.y, min(glyph.x for glyph in run.glyphs))):
            texts = fonts[run.font].texts
            backward = has_right_to_left("".join(texts.get(glyph.code, "") for glyph in run.glyphs))
            glyphs = run.glyphs[:: -1 if backward else 1]
            parts, x = [], glyphs[0].x
            for glyph in glyphs:
                gap = round((x - glyph.x) * 1000 / run.size)
                parts.append(f"{gap or ''}<{glyph.code:04x}>")
                x = glyph.x + glyph.width
            place = f"{glyphs[0].x:.4f} {run.y:.4f}"
            written.append(f"{run.font} {run.size:g} Tf 1 0 0 -1 {place} Tm [{''.join(parts)}] TJ".encode())
        return b"\n".join([self.before, b"BT", *written, b"ET", self.after])


def read_text(page: pikepdf.Page, fonts: Mapping[str, LineFont]) -> DrawnText | None:
    """Return the text that MuPDF drew on a page with these fonts, or None if it is not drawn as expected."""
    steps = list(pikepdf.parse_content_stream(page))
    names = [str(step.operator) for step in steps]
    if "BT" not in names:
        return None
    first, last = names.index("BT"), len(names) - names[::-1].index("ET")
    if set(names[first:last]) - _KNOWN:
        return None
    runs = _runs(steps[first:last], fonts)
    if runs is None:
        return None
    return DrawnText(pikepdf.unparse_content_stream(steps[:first]), runs, pikepdf.unparse_content_stream(steps[last:]))


def complete_texts(runs: Sequence[GlyphRun], fonts: Mapping[str, LineFont], line: str) -> bool:
    """Find the text of glyphs, in reading order, that the fonts lack, and return whether they now spell the line."""
    line = _INVISIBLE.sub("", line)
    letters = set(line)
    drawn = [(run.font, glyph.code) for run in runs for glyph in run.glyphs]
    parts = [_spelling(fonts[font].texts.get(code, "\0"), letters) for font, code in drawn]
    if parts.count(_UNKNOWN) > MAX_UNKNOWN:
        return False
    match = re.fullmatch("".join(parts), line)
    if match is None:
        return False
    unknown = [key for key, part in zip(drawn, parts, strict=True) if part == _UNKNOWN]
    found: dict[tuple[str, int], str] = {}
    for key, text in zip(unknown, match.groups(), strict=True):
        if found.setdefault(key, text) != text:
            return False
    for (font, code), text in found.items():
        fonts[font].texts[code] = text
    return True


def _spelling(text: str, letters: set[str]) -> str:
    """Return the pattern of a glyph's letters; a text that the line does not have is a mistake of the map."""
    for spelled in (text, unicodedata.normalize("NFKC", text)):
        visible = _INVISIBLE.sub("", spelled)
        if set(visible) <= letters:
            return re.escape(visible)
    return _UNKNOWN


def runs_to_the_left(text: str) -> bool:
    """Return whether a part of a text is written from right to left."""
    return any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in text)


def is_plain(text: str) -> bool:
    """Return whether each glyph of a text is that of a letter, from left to right."""
    return not runs_to_the_left(text) and all(
        not unicodedata.combining(character)
        and not 0x0900 <= ord(character) < 0x10A0
        and not 0x1780 <= ord(character) < 0x1800
        for character in text
    )


def _runs(steps: Sequence[Any], fonts: Mapping[str, LineFont]) -> list[GlyphRun] | None:
    runs: list[GlyphRun] = []
    font, size, x, y = "", 0.0, 0.0, 0.0
    for step in steps:
        operands = list(step.operands)
        match str(step.operator):
            case "Tf":
                font, size = str(operands[0]), float(operands[1])
            case "Tm":
                if [float(number) for number in operands[:4]] != [1, 0, 0, -1]:
                    return None
                x, y = float(operands[4]), float(operands[5])
            case "Td":
                x, y = x + float(operands[0]), y - float(operands[1])
            case "TJ":
                runs.append(GlyphRun(font, size, y, _glyphs(items(operands[0]), fonts[font].widths, x, size)))
    return [run for run in runs if run.glyphs]


def _glyphs(parts: Sequence[object], widths: Mapping[int, float], x: float, size: float) -> list[Glyph]:
    glyphs = []
    for part in parts:
        if isinstance(part, String):
            codes = bytes(part)
            for at in range(0, len(codes) - 1, 2):
                code = int.from_bytes(codes[at : at + 2])
                width = widths.get(code, 0.0) * size / 1000
                glyphs.append(Glyph(code, x, width))
                x += width
        else:
            x -= float(part) * size / 1000  # type: ignore[arg-type]
    return glyphs


def _widths(font: pikepdf.Object) -> dict[int, float]:
    """Return the widths of a font's glyphs in thousandths of its size (ISO 32000-2, 9.7.4.3)."""
    entries = items(font.DescendantFonts[0].get(Name.W))
    widths: dict[int, float] = {}
    at = 0
    while at < len(entries) - 1:
        first, second = int(entries[at]), entries[at + 1]
        if isinstance(second, Array):
            widths |= {first + index: float(width) for index, width in enumerate(second)}
            at += 2
        else:
            widths |= dict.fromkeys(range(first, int(second) + 1), float(entries[at + 2]))
            at += 3
    return widths


def make_searchable(source: pikepdf.Pdf, lines: Sequence[str]) -> list[bytes]:
    """Return the content of each page, from which readers extract its line; the fonts' maps are completed."""
    known: dict[PageKey, LineFont] = {}
    used: dict[PageKey, set[int]] = {}
    contents = []
    for page, line in zip(source.pages, lines, strict=True):
        fonts: dict[str, LineFont] = {}
        for name, font in page.obj.Resources.get(Name.Font, Dictionary()).items():
            if font.objgen not in known:
                known[font.objgen] = LineFont(font, glyph_texts(font), _widths(font))
            fonts[name] = known[font.objgen]
        drawn = read_text(page, fonts)
        for each in fonts.values():  # all glyphs count where the content is not as expected
            used.setdefault(each.font.objgen, set()).update(() if drawn else each.texts)
        for run in drawn.runs if drawn else ():
            used[fonts[run.font].font.objgen] |= {glyph.code for glyph in run.glyphs}
        contents.append(_content(page, line, drawn, fonts))
    for key, each in known.items():
        write_glyph_texts(each.font, {code: each.texts[code] for code in used[key] & each.texts.keys()})
    return contents


def _content(page: pikepdf.Page, text: str, drawn: DrawnText | None, fonts: Mapping[str, LineFont]) -> bytes:
    content = page.Contents.read_bytes()
    if is_plain(text):
        return content
    spelled = drawn is not None and complete_texts(drawn.runs, fonts, text)
    if drawn is not None and runs_to_the_left(text):
        content = drawn.in_visual_order(fonts)
        if spelled:
            return content
    span = Dictionary(ActualText=String(text)).unparse(resolved=True)
    return b"/Span " + span + b" BDC\n" + content + b"\nEMC"
