"""Lines of text of any script as forms that can be placed on pages, drawn with MuPDF; readers find their text."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal

import pikepdf
from pikepdf import Matrix

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.pdf.page_content import make_form
from mediakit.engines.pdf.shaped_text import drawn_pages, has_missing_glyph, make_searchable, missing_characters
from mediakit.errors import InvalidInput

Align = Literal["left", "center", "right"]

TEXT_POINTS = 12.0
"""Font size of lines at scale 1."""

LINE_HEIGHT = 1.2 * TEXT_POINTS
"""Points."""

SHEET = 8000.0
"""Points; side of the page on which a line is drawn. 500 wide characters fit."""

INK_MARGIN = 2 * TEXT_POINTS
"""Points by which letters may be larger than their line."""

FAMILIES = {"sans": "sans-serif", "serif": "serif", "mono": "monospace"}

MIRRORED: dict[Align, Align] = {"left": "right", "center": "center", "right": "left"}
"""MuPDF swaps the sides in right-to-left paragraphs, unlike CSS."""


@dataclass(frozen=True)
class Mark:
    """A form XObject of the result with its box; the origin is the bottom left."""

    form: pikepdf.Object
    width: float
    """Width of the box at scale 1, in points."""
    height: float
    last_line: tuple[float, float] = (0.0, 0.0)
    """Where the last line of a text begins and ends, from the left."""


@dataclass(frozen=True)
class LineStyle:
    """How a line looks."""

    font: Literal["sans", "serif", "mono"]
    color: str
    is_bold: bool = False
    breaks_words: bool = False
    """Whether a word that is wider than its line is broken."""


@dataclass(frozen=True)
class Line:
    """A line of text, or a paragraph that is wrapped."""

    text: str
    style: LineStyle
    width: float | None = None
    """Width in points at which the text is wrapped."""
    align: Align = "left"


def draw_lines(pdf: pikepdf.Pdf, lines: Sequence[Line]) -> list[Mark]:
    """Return a mark in a PDF for each line, of which none may be empty; the marks of a call share their fonts.

    Raises:
        InvalidInput: No font has a character.
    """
    areas = [(0, INK_MARGIN, line.width or SHEET, SHEET) for line in lines]
    with drawn_pages(map(_markup, lines), (SHEET, SHEET), areas) as document:
        boxes = [_box(page, line) for page, line in zip(document, lines, strict=True)]
        document.subset_fonts()
        source = pikepdf.open(BytesIO(document.tobytes(garbage=1, no_new_id=True)))
    for page, line in zip(source.pages, lines, strict=True):
        if has_missing_glyph(page.Contents.read_bytes()):
            missing = missing_characters(line.text)
            raise InvalidInput(f'text: no font here has "{missing[0] if missing else line.text[:20]}".')
    contents = make_searchable(source, [line.text for line in lines])
    marks = []
    for page, content, (left, right, height, last_line) in zip(source.pages, contents, boxes, strict=True):
        resources = pdf.copy_foreign(source.make_indirect(page.obj.Resources))
        bottom = SHEET - INK_MARGIN - height
        inked = (left - INK_MARGIN, bottom - INK_MARGIN, right + INK_MARGIN, bottom + height + INK_MARGIN)
        form = make_form(pdf, content, inked, resources, Matrix(1, 0, 0, 1, -left, -bottom))
        marks.append(Mark(form, right - left, height, last_line))
    return marks


def _markup(line: Line) -> str:
    style = line.style
    backward = begins_right_to_left(line.text)
    align = MIRRORED[line.align] if backward else line.align
    weight, wrap = "bold " if style.is_bold else "", "break-word" if style.breaks_words else "normal"
    css = (
        f"margin: 0; font: {weight}{TEXT_POINTS}pt {FAMILIES[style.font]}; line-height: {LINE_HEIGHT / TEXT_POINTS}; "
        f"color: {style.color}; text-align: {align}; white-space: pre-wrap; overflow-wrap: {wrap}"
    )
    return f'<p dir="{"rtl" if backward else "ltr"}" style="{css}">{html.escape(line.text)}</p>'


def _box(page: Any, line: Line) -> tuple[float, float, float, tuple[float, float]]:
    """Return left, right and height of the text on a page, and where its last line begins and ends."""
    spans = [
        span
        for block in page.get_text("dict", clip=page.rect)["blocks"]
        for row in block.get("lines", ())
        for span in row["spans"]
    ]
    if not spans:
        return 0.0, 1.0, LINE_HEIGHT, (0.0, 0.0)
    left, right = min(span["bbox"][0] for span in spans), max(span["bbox"][2] for span in spans)
    lowest = max(span["origin"][1] for span in spans)
    last = [span["bbox"] for span in spans if span["text"].strip() and span["origin"][1] > lowest - LINE_HEIGHT / 2]
    height = max(1, round((lowest - INK_MARGIN) / LINE_HEIGHT + 0.25)) * LINE_HEIGHT
    if line.width is not None and right - left <= line.width:
        left, right = 0.0, line.width
    edges = min((box[0] for box in last), default=left), max((box[2] for box in last), default=right)
    return left, right, height, (edges[0] - left, edges[1] - left)
