"""Fonts in which values of fields are drawn: those of the form, and embedded ones for every script."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from io import BytesIO
from typing import Any, Protocol

import pikepdf
from fontTools import agl
from fontTools.encodings.StandardEncoding import StandardEncoding
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.geometry import is_number
from mediakit.engines.pdf.objects import dictionary, differences, items, name_of
from mediakit.engines.pdf.shaped_text import drawn_pages, make_searchable, missing_characters

Encoding = dict[str, int]
"""The code of each character that a font can show."""

_CHARSETS = {"/WinAnsiEncoding": "cp1252", "/MacRomanEncoding": "mac_roman", "/PDFDocEncoding": "pdfdoc"}


def encoding_of(font: pikepdf.Object) -> Encoding:
    """Return the encoding of a simple font."""
    entry = font.get(Name.Encoding)
    base = entry.get(Name.BaseEncoding) if isinstance(entry, Dictionary) else entry
    charset = _CHARSETS.get(name_of(base), "")
    if font.get(Name.Subtype) == Name.TrueType and Name.Encoding not in font:
        charset = "cp1252"
    return _inverted(_characters(charset) | {code: agl.toUnicode(name) for code, name in differences(entry).items()})


@cache
def win_ansi() -> Encoding:
    """Return WinAnsiEncoding."""
    return _inverted(_characters("cp1252"))


@cache
def _characters(charset: str) -> dict[int, str]:
    """Return the character of each code; without a charset, those of StandardEncoding."""
    if not charset:
        return {code: agl.toUnicode(name) for code, name in enumerate(StandardEncoding)}
    decoded = {code: bytes([code]).decode(charset, "ignore") for code in range(24, 256)}
    return {code: character for code, character in decoded.items() if character >= " " and character != "\x7f"}


def _inverted(codes: dict[int, str]) -> Encoding:
    found: Encoding = {}
    for code, character in sorted(codes.items()):
        if len(character) == 1 and 0 < code < 256:
            found.setdefault(character, code)
    if " " in found:
        found.setdefault("\u00a0", found[" "])
    return found


STANDARD_METRICS = {"Helvetica": (0.718, -0.207), "Times": (0.683, -0.217), "Courier": (0.629, -0.157)}
"""Ascent and descent of the standard fonts for a size of 1."""

_BUILT_IN = {
    "Helvetica": ("helv", "hebo", "heit", "hebi"), "Times": ("tiro", "tibo", "tiit", "tibi"),
    "Courier": ("cour", "cobo", "coit", "cobi"),
}  # fmt: skip
"""MuPDF's names of the standard fonts: regular, bold, italic, both."""
_SUFFIXES = {
    "Helvetica": ("", "-Bold", "-Oblique", "-BoldOblique"), "Courier": ("", "-Bold", "-Oblique", "-BoldOblique"),
    "Times": ("-Roman", "-Bold", "-Italic", "-BoldItalic"),
}  # fmt: skip

_FIXED = re.compile(r"(?i:cour|mono|consol|typewriter|fixed)|^Co(?:Bo|Ob|BO)$")
_SERIF = re.compile(
    r"(?i:times|roman|(?<!sans)serif|georgia|garamond|minion|cambria|palatino|bookman)|^Ti(?:Ro|Bo|It|BI)$"
)
_BOLD = re.compile(r"(?i:bold|black|heavy)|^(?:He|Ti|Co)B[oOI]$")
_ITALIC = re.compile(r"(?i:ital|obli)|^(?:He|Ti|Co)(?:Ob|It|BI|BO)$")
"""Names of fonts, also Acrobat's short ones: `HeBo` is bold, `HeBO` is bold and oblique."""


@dataclass(frozen=True)
class Style:
    """The kind of a font: a family, bold, italic."""

    family: str
    """Helvetica, Times or Courier."""
    bold: bool = False
    italic: bool = False

    @property
    def variant(self) -> int:
        """0 for regular, 1 for bold, 2 for italic, 3 for both."""
        return int(self.bold) + 2 * int(self.italic)

    @property
    def base_font(self) -> str:
        """The name of the standard font, such as `Helvetica-Bold`."""
        return self.family + _SUFFIXES[self.family][self.variant]


class Face(Protocol):
    """Draws lines of text."""

    ascent: float
    descent: float

    def width(self, text: str) -> float:
        """Return the width of a line for a size of 1."""

    def draw(self, text: str, size: float, x: float, y: float, resources: pikepdf.Object) -> str:
        """Return the operators that draw a line from a point of its baseline, and add what they need to resources."""


class SimpleFace:
    """A simple font: a byte for each character."""

    def __init__(
        self,
        name: str,
        font: pikepdf.Object,
        encoding: Encoding,
        widths: Mapping[int, float],
        metrics: tuple[float, float],
    ) -> None:
        self._name, self._font, self._encoding, self._widths = name, font, encoding, widths
        self.ascent, self.descent = metrics

    def can_draw(self, text: str) -> bool:
        """Return whether every character has a code and a width."""
        return all(self._widths.get(self._encoding.get(character, -1), 0) > 0 for character in text)

    def width(self, text: str) -> float:
        """Return the width of a line for a size of 1."""
        return sum(self._widths.get(self._encoding.get(character, -1), 0) for character in text) / 1000

    def draw(self, text: str, size: float, x: float, y: float, resources: pikepdf.Object) -> str:
        """Return the operators that draw a line."""
        if Name.Font not in resources:
            resources.Font = Dictionary()
        resources.Font[self._name] = self._font
        content = String(bytes(self._encoding[character] for character in text)).unparse().decode("latin-1")
        return f"BT {self._name} {size:g} Tf {x:.3f} {y:.3f} Td {content} Tj ET"


class StandardFaces:
    """The standard fonts with WinAnsiEncoding, each once in a PDF."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._made: dict[str, SimpleFace] = {}

    def face(self, style: Style) -> SimpleFace:
        """Return the face of a style."""
        name = style.base_font
        if name not in self._made:
            font = Dictionary(
                Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{name}"), Encoding=Name.WinAnsiEncoding
            )
            widths = {code: standard_width(style, character) for character, code in win_ansi().items()}
            metrics = STANDARD_METRICS[style.family]
            self._made[name] = SimpleFace(f"/{name}", self._pdf.make_indirect(font), win_ansi(), widths, metrics)
        return self._made[name]

    @cached_property
    def dingbats(self) -> pikepdf.Object:
        """The font of check marks."""
        return self._pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.ZapfDingbats))


def own_face(name: str, font: object) -> SimpleFace | None:
    """Return the face of a simple font of the form; None for another kind or without widths."""
    if not isinstance(font, Dictionary) or font.get(Name.Subtype) not in (Name.Type1, Name.TrueType, Name.MMType1):
        return None
    encoding, style = encoding_of(font), style_of("", font)
    first: object = font.get(Name.FirstChar, 0)
    start = first if isinstance(first, int) else 0
    listed = items(font.get(Name.Widths))[:256]
    widths = {start + at: float(width) for at, width in enumerate(listed) if is_number(width)}
    if not widths and Name.FontDescriptor not in font:  # a standard font may omit them
        widths = {code: standard_width(style, character) for character, code in encoding.items()}
    if not widths:
        return None
    metrics, descriptor = STANDARD_METRICS[style.family], dictionary(font.get(Name.FontDescriptor))
    ascent, descent = descriptor.get(Name.Ascent), descriptor.get(Name.Descent)
    if is_number(ascent) and is_number(descent) and 400 <= float(ascent) <= 1300 and -600 <= float(descent) <= 0:  # type: ignore[arg-type]
        metrics = float(ascent) / 1000, float(descent) / 1000  # type: ignore[arg-type]
    return SimpleFace(name, font, encoding, widths, metrics)


def style_of(name: str, font: object) -> Style:
    """Return the style of a font by its name and its descriptor."""
    base = name_of(font.get(Name.BaseFont))[1:] if isinstance(font, Dictionary) else ""
    plain = (base.partition("+")[2] or base) or name.lstrip("/")
    family = "Courier" if _FIXED.search(plain) else "Times" if _SERIF.search(plain) else "Helvetica"
    return Style(family, bool(_BOLD.search(plain)), bool(_ITALIC.search(plain)))


def standard_width(style: Style, character: str) -> float:
    """Return the width of a character of a standard font, in thousandths of the size."""
    return float(_built_in(_BUILT_IN[style.family][style.variant]).glyph_advance(ord(character)) * 1000)


@cache
def _built_in(name: str) -> Any:
    import pymupdf

    return pymupdf.Font(name)  # type: ignore[no-untyped-call]


SIZE = 20.0
"""Points in which a line is laid out before it is scaled."""

LONGEST_LINE, LINE_HEIGHT = 14_000.0, 60.0
SPACE_WIDTHS = {"Helvetica": 0.278, "Times": 0.25, "Courier": 0.6}
"""Width of a space for a size of 1, by family."""

_IDEOGRAPHS = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_TOKEN = re.compile(f"\\s|[{_IDEOGRAPHS}]|[^\\s{_IDEOGRAPHS}]+")
"""Parts of a line whose shapes do not depend on each other."""

_FAMILIES = {"Helvetica": "sans-serif", "Times": "serif", "Courier": "monospace"}
_COLORS = re.compile(rb"^(?:[01] ){0,2}[01] (?:g|rg)$", re.MULTILINE)
"""Operators that set black: the color is the field's."""


class ShapedTexts:
    """Lines that are drawn with embedded fonts, all in one document so that its fonts are embedded once."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._drawn: dict[tuple[str, Style, bool], pikepdf.Object] = {}
        self._widths: dict[tuple[str, Style], float] = {}
        self._drawable: set[str] = set()

    def missing(self, text: str) -> list[str]:
        """Return the characters of a text that no font has."""
        unknown = "".join(dict.fromkeys(character for character in text if character not in self._drawable))
        lost = missing_characters(unknown) if unknown.strip() else []
        self._drawable |= set(unknown) - set(lost)
        return lost

    def width(self, text: str, style: Style) -> float:
        """Return the width of a line for a size of 1, from that of its words and ideographs."""
        total = 0.0
        for token in _TOKEN.findall(text):
            if not token.isspace() and (token, style) not in self._widths:
                self.measure(token, style)
            total += SPACE_WIDTHS[style.family] if token.isspace() else self._widths[token, style]
        return total

    def measure(self, text: str, style: Style) -> None:
        """Measure all words and ideographs of a text at once, which is faster."""
        tokens = [token for token in dict.fromkeys(_TOKEN.findall(text)) if (token, style) not in self._widths]
        if not tokens:
            return
        with _document([(token, style, False) for token in tokens]) as document:
            for token, page in zip(tokens, document, strict=True):
                left, right, _ = _extent(page)
                self._widths[token, style] = (right - left) / SIZE

    def line(self, text: str, style: Style, *, mirrored: bool) -> pikepdf.Object:
        """Return a form XObject for a line, whose origin is the start of the baseline; `finish` fills it."""
        key = (text, style, mirrored)
        if key not in self._drawn:
            self._drawn[key] = self._pdf.make_stream(b"")
        return self._drawn[key]

    def finish(self) -> None:
        """Draw all lines."""
        if not self._drawn:
            return
        with _document(list(self._drawn)) as document:
            extents = [_extent(page) for page in document]
            document.subset_fonts()
            content = document.tobytes(garbage=1, no_new_id=True)
        with pikepdf.open(BytesIO(content)) as source:
            contents = make_searchable(source, [text for text, _, _ in self._drawn])
            parts = zip(self._drawn.values(), source.pages, contents, extents, strict=True)
            for line, page, drawn, (left, right, down) in parts:
                line.write(_COLORS.sub(b"", drawn))
                line.Type, line.Subtype = Name.XObject, Name.Form
                line.BBox = Array([round(left - SIZE, 3), 0, round(right + SIZE, 3), LINE_HEIGHT])
                line.Matrix = Array([1, 0, 0, 1, -round(left, 3), -round(LINE_HEIGHT - down, 3)])
                line.Resources = self._pdf.copy_foreign(source.make_indirect(page.obj.Resources))


class ShapedFace:
    """Draws text that the field's font cannot draw."""

    ascent, descent = 0.9, -0.25

    def __init__(self, texts: ShapedTexts, style: Style, *, mirrored: bool = False) -> None:
        self._texts, self._style, self._mirrored = texts, style, mirrored

    def width(self, text: str) -> float:
        """Return the width of a line for a size of 1."""
        return self._texts.width(text, self._style)

    def draw(self, text: str, size: float, x: float, y: float, resources: pikepdf.Object) -> str:
        """Return the operators that draw a line."""
        if not text.strip():
            return ""
        if Name.XObject not in resources:
            resources.XObject = Dictionary()
        name = f"/Text{len(resources.XObject.keys()) + 1}"
        resources.XObject[name] = self._texts.line(text, self._style, mirrored=self._mirrored)
        scale = size / SIZE
        matrix = f"{scale:.5f} 0 0 {scale:.5f} {x:.3f} {y:.3f} cm"
        return f"q {matrix} {name} Do Q"


def _document(lines: Sequence[tuple[str, Style, bool]]) -> Any:
    """Return a document of MuPDF with a page for each line: its text and style, and whether it is mirrored."""
    markups = []
    for text, style, mirrored in lines:
        weight, slant = "bold" if style.bold else "normal", "italic" if style.italic else "normal"
        font = f"font: {slant} {weight} {SIZE:g}pt {_FAMILIES[style.family]}"
        css = f"margin: 0; {font}; line-height: 1.5; color: black; white-space: pre"
        markups.append(f'<p dir="{"rtl" if mirrored else "ltr"}" style="{css}">{escape(text)}</p>')
    return drawn_pages(markups, (LONGEST_LINE, LINE_HEIGHT))


def _extent(page: Any) -> tuple[float, float, float]:
    """Return where the line of a page begins and ends, and its baseline from the top, in points."""
    spans = [span for span in page.get_texttrace() if span["chars"]]
    if not spans:
        return 0, 0, LINE_HEIGHT / 2
    left, right = min(span["bbox"][0] for span in spans), max(span["bbox"][2] for span in spans)
    return left, right, spans[0]["chars"][0][2][1]
