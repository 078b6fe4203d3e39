"""Text of all scripts: shaped and laid out by MuPDF, which embeds a font for each script."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.forms.faces import Style
from mediakit.engines.pdf.glyphs import missing_characters
from mediakit.engines.pdf.searchable_text import make_searchable

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


@dataclass(frozen=True)
class _Extent:
    """Points on a page of MuPDF."""

    left: float
    right: float
    baseline: float
    """From the top."""


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
        return sum(
            SPACE_WIDTHS[style.family] if token.isspace() else self._token_width(token, style)
            for token in _TOKEN.findall(text)
        )

    def measure(self, text: str, style: Style) -> None:
        """Measure all words and ideographs of a text at once, which is faster."""
        tokens = [token for token in dict.fromkeys(_TOKEN.findall(text)) if (token, style) not in self._widths]
        if not tokens:
            return
        with _document([(token, style, False) for token in tokens]) as document:
            for token, page in zip(tokens, document, strict=True):
                extent = _extent(page)
                self._widths[token, style] = (extent.right - extent.left) / SIZE

    def _token_width(self, token: str, style: Style) -> float:
        if (token, style) not in self._widths:
            self.measure(token, style)
        return self._widths[token, style]

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
            for line, page, drawn, extent in parts:
                resources = self._pdf.copy_foreign(source.make_indirect(page.obj.Resources))
                self._fill(line, drawn, resources, extent)

    def _fill(self, line: pikepdf.Object, content: bytes, resources: pikepdf.Object, extent: _Extent) -> None:
        line.write(_COLORS.sub(b"", content))
        down = LINE_HEIGHT - extent.baseline
        line.Type, line.Subtype = Name.XObject, Name.Form
        line.BBox = Array([round(extent.left - SIZE, 3), 0, round(extent.right + SIZE, 3), LINE_HEIGHT])
        line.Matrix = Array([1, 0, 0, 1, -round(extent.left, 3), -round(down, 3)])
        line.Resources = resources


class ShapedFace:
    """Draws text that the field's font cannot draw."""

    ascent, descent = 0.9, -0.25

    def __init__(self, texts: ShapedTexts, style: Style, *, mirrored: bool = False) -> None:
        self._texts, self._style, self._mirrored = texts, style, mirrored

    def can_draw(self, text: str) -> bool:
        """Return whether a font has every character."""
        return not self._texts.missing(text)

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
    """Return a document of MuPDF with a page for each line."""
    import pymupdf

    target = BytesIO()
    writer: Any = pymupdf.DocumentWriter(target)  # type: ignore[no-untyped-call]
    for text, style, mirrored in lines:
        box = pymupdf.Rect(0, 0, LONGEST_LINE, LINE_HEIGHT)  # type: ignore[no-untyped-call]
        story: Any = pymupdf.Story(_html(text, style, mirrored=mirrored), user_css="body { margin: 0 }")  # type: ignore[no-untyped-call]
        device = writer.begin_page(box)
        story.place(box)
        story.draw(device)
        writer.end_page()
    writer.close()
    return pymupdf.open(stream=target.getvalue())  # type: ignore[no-untyped-call]


def _html(text: str, style: Style, *, mirrored: bool) -> str:
    weight, slant = "bold" if style.bold else "normal", "italic" if style.italic else "normal"
    font = f"font: {slant} {weight} {SIZE:g}pt {_FAMILIES[style.family]}"
    css = f"margin: 0; {font}; line-height: 1.5; color: black; white-space: pre"
    return f'<p dir="{"rtl" if mirrored else "ltr"}" style="{css}">{escape(text)}</p>'


def _extent(page: Any) -> _Extent:
    """Return where the line of a page begins and ends, and its baseline from the top."""
    spans = [span for span in page.get_texttrace() if span["chars"]]
    if not spans:
        return _Extent(0, 0, LINE_HEIGHT / 2)
    left, right = min(span["bbox"][0] for span in spans), max(span["bbox"][2] for span in spans)
    return _Extent(left, right, spans[0]["chars"][0][2][1])
