"""Faces that draw the text of fields: the field's own font, or a standard one like it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import pikepdf
from pikepdf import Dictionary, Name, String

from mediakit.engines.pdf.forms.encodings import Encoding, encoding_of, win_ansi
from mediakit.engines.pdf.geometry import is_number
from mediakit.engines.pdf.objects import dictionary, items

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

    def can_draw(self, text: str) -> bool:
        """Return whether every character has a glyph."""

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

    def dingbats(self) -> pikepdf.Object:
        """Return the font of check marks."""
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.ZapfDingbats)
        if "ZapfDingbats" not in self._made:
            self._made["ZapfDingbats"] = SimpleFace("/ZaDb", self._pdf.make_indirect(font), {}, {}, (0.0, 0.0))
        return self._made["ZapfDingbats"]._font  # noqa: SLF001  # the same module


def own_face(name: str, font: object) -> SimpleFace | None:
    """Return the face of a simple font of the form; None for another kind or without widths."""
    if not isinstance(font, Dictionary) or font.get(Name.Subtype) not in (Name.Type1, Name.TrueType, Name.MMType1):
        return None
    encoding = encoding_of(font)
    widths = _widths(font) or _standard_widths(font, encoding)
    return SimpleFace(name, font, encoding, widths, _metrics(font)) if widths else None


def style_of(name: str, font: object) -> Style:
    """Return the style of a font by its name and its descriptor."""
    base = str(font.get(Name.BaseFont, ""))[1:] if isinstance(font, Dictionary) else ""
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


def _widths(font: pikepdf.Object) -> dict[int, float]:
    first: object = font.get(Name.FirstChar, 0)
    start = first if isinstance(first, int) else 0
    listed = items(font.get(Name.Widths))[:256]
    return {start + at: float(width) for at, width in enumerate(listed) if is_number(width)}


def _standard_widths(font: pikepdf.Object, encoding: Encoding) -> dict[int, float]:
    """Return the widths of a standard font, which may omit them."""
    if Name.FontDescriptor in font:
        return {}
    style = style_of("", font)
    return {code: standard_width(style, character) for character, code in encoding.items()}


def _metrics(font: pikepdf.Object) -> tuple[float, float]:
    descriptor = dictionary(font.get(Name.FontDescriptor))
    ascent, descent = descriptor.get(Name.Ascent), descriptor.get(Name.Descent)
    if is_number(ascent) and is_number(descent) and 400 <= float(ascent) <= 1300 and -600 <= float(descent) <= 0:  # type: ignore[arg-type]
        return float(ascent) / 1000, float(descent) / 1000  # type: ignore[arg-type]
    return STANDARD_METRICS[style_of("", font).family]
