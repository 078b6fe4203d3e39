"""The contents of a merge: a row for each file, and for the bookmarks of its first level."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.pdf.destinations import Part
from mediakit.engines.pdf.outlines import first_level
from mediakit.engines.pdf.shaped_text import expand_ligatures, missing_characters
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_merge.inputs import Input, clean_title

A4_POINTS = (595.28, 841.89)
SMALLEST_SIDE, LARGEST_SIDE = 290.0, 1300.0
"""Points. The contents of a result whose pages are smaller or larger are set on A4."""

NUMBER_COLUMN_EMS = 3.2
"""Width of the column of page numbers, in sizes of its font."""

LINE_HEIGHT = 1.35
"""Distance of two baselines, in sizes of the font."""

_LONG_WORD = re.compile(r"\S{25,}")
_BREAK_AFTER = re.compile(r"[_\-./\\]|[^_\-./\\]{20}")
"""Where a long word may break: after its punctuation, and after 20 characters without any."""

LANDSCAPE_EMS = 1.5
"""Larger type on landscape pages, such as slides, whose lines are longer."""

HEADING_EMS = 2.0
SPACE_AFTER_HEADING_EMS = 1.1
SPACE_EMS = (0.62, 0.2)
"""Space above a file and above a bookmark, in sizes of the font."""

INDENT_EMS = 1.5
COLORS = ("#111827", "#4b5563")
"""Colors of a file and of a bookmark."""


@dataclass(frozen=True)
class Row:
    """An entry of the contents."""

    title: str
    level: int = 0
    """0 for a file, 1 for a bookmark in it."""


@dataclass
class PlacedRow:
    """An entry with its place."""

    row: Row
    page: int
    """Index of the contents page."""
    left: float
    top: float
    right: float
    bottom: float
    """Box of the entry's text and number, in points from the top left."""
    text_end: float = 0.0
    """Where the last line of the title ends towards the number."""


@dataclass
class ContentsLayout:
    """Contents pages: `place` first, then `draw` with the numbers."""

    title: str
    rows: Sequence[Row]
    width: float
    height: float
    placed: list[PlacedRow] = field(default_factory=list)
    pages: int = 0

    def __post_init__(self) -> None:
        if not all(SMALLEST_SIDE <= side <= LARGEST_SIDE for side in (self.width, self.height)):
            self.width, self.height = A4_POINTS
        short = min(self.width, self.height)
        ems = LANDSCAPE_EMS if self.width > self.height else 1.0
        self.size = max(9.0, min(20.0, 11 * ems * short / A4_POINTS[0]))
        self.margin = short * 0.115
        titles = [self.title, *(row.title for row in self.rows)]
        self.mirrored = sum(map(begins_right_to_left, titles)) * 2 > len(titles)
        self._heading: Any = None
        self._stories: list[Any] = []

    @property
    def number_column(self) -> float:
        """Width in points of the column of page numbers."""
        return NUMBER_COLUMN_EMS * self.size

    def place(self) -> None:
        """Find the page and the box of each row; a row is not split over pages."""
        self._heading = self._story(self.title, COLORS[0], HEADING_EMS, bold=True)
        _, filled = self._heading.place(self._box(self.margin, 0))
        page, y = 0, filled[3] + self.size * SPACE_AFTER_HEADING_EMS
        for row in self.rows:
            story = self._story(row.title, COLORS[row.level])
            y += self.size * SPACE_EMS[row.level]
            more, filled = story.place(self._box(y, row.level))
            if more and y > self.margin:
                page, y = page + 1, self.margin
                _, filled = story.place(self._box(y, row.level))
            self.placed.append(PlacedRow(row, page, filled[0], y, filled[2], filled[3]))
            self._stories.append(story)
            y = filled[3]
        self.pages = page + 1

    def draw(self, numbers: Sequence[int]) -> bytes:
        """Return the pages, without leaders, as a PDF."""
        import pymupdf

        target = BytesIO()
        writer: Any = pymupdf.DocumentWriter(target)  # type: ignore[no-untyped-call]
        for page in range(self.pages):
            device = writer.begin_page(_rectangle(0, 0, self.width, self.height))
            if not page:
                self._heading.draw(device)
            for placed, story, number in zip(self.placed, self._stories, numbers, strict=True):
                if placed.page == page:
                    story.draw(device)
                    self._draw_number(device, placed, number)
            writer.end_page()
        writer.close()
        return target.getvalue()

    def _story(self, text: str, color: str, ems: float = 1.0, *, bold: bool = False) -> Any:
        side = "right" if self.mirrored else "left"
        return _story(drawable(text), f"{_style(color, self.size * ems, bold=bold)}; text-align: {side}")

    def _box(self, top: float, level: int) -> Any:
        """Return the rectangle that is free for a title."""
        left, right = self.margin, self.width - self.margin
        indent = level * INDENT_EMS * self.size
        if self.mirrored:
            return _rectangle(left + self.number_column, top, right - indent, self.height - self.margin)
        return _rectangle(left + indent, top, right - self.number_column, self.height - self.margin)

    def _draw_number(self, device: Any, placed: PlacedRow, number: int) -> None:
        line = self.size * LINE_HEIGHT
        left = self.margin if self.mirrored else self.width - self.margin - self.number_column
        style = f"{_style(COLORS[placed.row.level], self.size)}; text-align: {'left' if self.mirrored else 'right'}"
        story = _story(f"\u00a0{number}", style)  # readers put a space before it
        story.place(_rectangle(left, placed.bottom - line, left + self.number_column, placed.bottom + line))
        story.draw(device)


def _style(color: str, size: float, *, bold: bool = False) -> str:
    weight = "bold" if bold else "normal"
    return f"margin: 0; font: {weight} {size:g}pt sans-serif; line-height: {LINE_HEIGHT}; color: {color}"


def _story(text: str, style: str) -> Any:
    import pymupdf

    return pymupdf.Story(f'<p style="{style}">{html.escape(text)}</p>', user_css="body { margin: 0 }")  # type: ignore[no-untyped-call]


def _rectangle(left: float, top: float, right: float, bottom: float) -> Any:
    import pymupdf

    return pymupdf.Rect(left, top, right, bottom)  # type: ignore[no-untyped-call]


def drawable(title: str) -> str:
    """Return a title as MuPDF must get it: long words may break, punctuation follows the direction of the text."""
    broken = _LONG_WORD.sub(lambda word: _BREAK_AFTER.sub("\\g<0>\u200b", word[0]), title)
    return f"\u200f{broken}\u200f" if begins_right_to_left(title) else broken


def require_glyphs(texts: Sequence[tuple[str, str]]) -> None:
    """Raise an error that names the first character that no font can draw.

    Args:
        texts: Field and text of each title.

    Raises:
        InvalidInput: A font is missing.
    """
    for name, text in texts:
        for character in missing_characters(text):
            raise InvalidInput(f'{name}: no font here has "{character}" (U+{ord(character):04X}).')


LEADER_GAP_EMS = 0.5
"""Distance from the title to the first dot and from the last dot to the number, in sizes of the font."""

DOT_DISTANCE_EMS = 0.42
DOT_SIZE_EMS = 0.075

_SHOW = frozenset({"Tj", "TJ", "'", '"'})


def draw_contents(layout: ContentsLayout, numbers: Sequence[int]) -> pikepdf.Pdf:
    """Return the contents pages, without links."""
    drawn = layout.draw(numbers)
    pdf = pikepdf.open(BytesIO(_measured(drawn, layout)))
    for index, page in enumerate(pdf.pages):
        _mark_titles(pdf, page, [placed for placed in layout.placed if placed.page == index], layout)
        expand_ligatures(page.resources)
        page.contents_add(_leaders(layout, index, numbers), prepend=True)
    return pdf


def add_links(pdf: pikepdf.Pdf, layout: ContentsLayout, first: int, targets: Sequence[int]) -> None:
    """Link each row to its page.

    Args:
        pdf: The result.
        layout: The rows and their places.
        first: Index of the first contents page.
        targets: Index of each row's page.
    """
    for placed, target in zip(layout.placed, targets, strict=True):
        page, goal = pdf.pages[first + placed.page].obj, pdf.pages[target]
        left, right = layout.margin, layout.width - layout.margin
        link = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Link,
            Rect=Array([left, layout.height - placed.bottom, right, layout.height - placed.top]),
            Border=Array([0, 0, 0]),
            Dest=Array([goal.obj, Name.XYZ, None, _top(goal), None]),
            Contents=String(placed.row.title),
        )
        if Name.Annots not in page:
            page.Annots = Array()
        page.Annots.append(pdf.make_indirect(link))


def _top(page: pikepdf.Page) -> float:
    box = [float(edge) for edge in page.cropbox]
    return max(box[1], box[3])


def _measured(drawn: bytes, layout: ContentsLayout) -> bytes:
    """Note where the titles end, and return the PDF with its fonts subset."""
    import pymupdf

    with pymupdf.open(stream=drawn) as document:  # type: ignore[no-untyped-call]
        spans = [_span_boxes(page) for page in document]
        for placed in layout.placed:
            placed.text_end = _end(spans[placed.page], placed, layout)
        document.subset_fonts()
        return bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True))


def _span_boxes(page: Any) -> list[tuple[float, ...]]:
    """Return the boxes of the pieces of text of a page that are not blank."""
    return [
        span["bbox"]
        for block in page.get_text("dict")["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        if span["text"].strip()
    ]


def _end(spans: Sequence[tuple[float, ...]], placed: PlacedRow, layout: ContentsLayout) -> float:
    """Return where the last line of a title ends, towards its number."""
    middle = placed.bottom - layout.size * 0.6
    on_line = [box for box in spans if box[1] <= middle <= box[3]]
    if layout.mirrored:
        return min(
            (box[0] for box in on_line if box[0] > layout.margin + layout.number_column - 1), default=placed.right
        )
    limit = layout.width - layout.margin - layout.number_column
    return max((box[2] for box in on_line if box[0] < limit), default=placed.left)


def _leaders(layout: ContentsLayout, page: int, numbers: Sequence[int]) -> bytes:
    """Draw dots between titles and numbers; all dots of a page lie on one grid."""
    step, dot, gap = (layout.size * ems for ems in (DOT_DISTANCE_EMS, DOT_SIZE_EMS, LEADER_GAP_EMS))
    parts = [f"/Artifact BMC q 0.61 0.64 0.69 RG {dot * 2:.3f} w 1 J [0 {step:.3f}] 0 d"]
    for placed, number in zip(layout.placed, numbers, strict=True):
        if placed.page != page:
            continue
        digits = len(str(number)) * layout.size * 0.556
        y = layout.height - placed.bottom + layout.size * 0.36
        if layout.mirrored:
            start, end = layout.margin + digits + gap, placed.text_end - gap
            grid = layout.margin
        else:
            start, end = layout.width - layout.margin - digits - gap, placed.text_end + gap
            grid = layout.width - layout.margin
        sign = 1 if layout.mirrored else -1
        start = grid + sign * step * -(-abs(start - grid) // step)
        if (end - start) * sign > step:
            parts.append(f"{start:.3f} {y:.3f} m {end:.3f} {y:.3f} l S")
    return " ".join([*parts, "Q EMC"]).encode()


def _mark_titles(pdf: pikepdf.Pdf, page: pikepdf.Page, placed: Sequence[PlacedRow], layout: ContentsLayout) -> None:
    """Write the text of titles beside their glyphs: readers extract shaped scripts from glyphs in a wrong order."""
    marked = [row for row in placed if drawable(row.row.title) != row.row.title or not row.row.title.isascii()]
    if not marked:
        return
    instructions: list[pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage] = []
    current: str | None = None
    x = y = 0.0
    for instruction in pikepdf.parse_content_stream(page):
        operator, operands = str(instruction.operator), instruction.operands
        if operator == "Tm":
            x, y = float(operands[4]), float(operands[5])
        elif operator == "Td":
            y -= float(operands[1])
        if operator in _SHOW:
            now = _title_at(x, y, marked, layout)
            if now != current:
                instructions += _switch(current, now)
                current = now
        elif operator == "ET":
            instructions += _switch(current, None)
            current = None
        instructions.append(instruction)
    page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(instructions))


def _title_at(x: float, y: float, marked: Sequence[PlacedRow], layout: ContentsLayout) -> str | None:
    """Return the title whose glyphs are at a point; the y of MuPDF's pages points down."""
    in_numbers = (
        x < layout.margin + layout.number_column - 1
        if layout.mirrored
        else x > layout.width - layout.margin - layout.number_column
    )
    if in_numbers:
        return None
    return next((row.row.title for row in marked if row.top <= y <= row.bottom), None)


def _switch(before: str | None, now: str | None) -> list[pikepdf.ContentStreamInstruction]:
    steps = []
    if before is not None:
        steps.append(pikepdf.ContentStreamInstruction([], pikepdf.Operator("EMC")))
    if now is not None:
        span = Dictionary(ActualText=String(now))
        steps.append(pikepdf.ContentStreamInstruction([Name.Span, span], pikepdf.Operator("BDC")))
    return steps


MAX_ROWS = 1000
"""Rows of the contents; with more, bookmarks are omitted."""


class Contents:
    """Contents pages, placed before the rest is known and drawn after."""

    def __init__(self, heading: str, inputs: Sequence[Input], starts: Sequence[int], size: tuple[float, float]) -> None:
        """Place the rows.

        Args:
            heading: Title of the contents.
            inputs: The files.
            starts: Index of each file's first page, without the contents.
            size: Width and height of the page in points.
        """
        self.warnings: list[str] = []
        self._starts = starts
        rows = self._rows(inputs)
        require_glyphs([("toc_title", heading)])
        self._targets = [target for _, target in rows]
        self._layout = ContentsLayout(heading, [row for row, _ in rows], *size)
        self._layout.place()
        self._front = 0

    @property
    def count(self) -> int:
        """Number of contents pages."""
        return self._layout.pages

    def draw(self, front: int) -> list[pikepdf.Object]:
        """Return the pages; the first file begins at index `front`."""
        self._front = front
        self._pdf = draw_contents(self._layout, [front + target + 1 for target in self._targets])
        return [page.obj for page in self._pdf.pages]

    def link(self, pdf: pikepdf.Pdf) -> None:
        """Link the rows to their pages in the result."""
        add_links(pdf, self._layout, 0, [self._front + target for target in self._targets])

    def _rows(self, inputs: Sequence[Input]) -> list[tuple[Row, int]]:
        rows: list[tuple[Row, int]] = []
        missing: set[str] = set()
        for index, (item, start) in enumerate(zip(inputs, self._starts, strict=True)):
            require_glyphs([(f"titles[{index}]", item.title)])
            rows.append((Row(item.title), start))
            rows += [(Row(_drawable(title, missing), 1), page) for title, page in _bookmarks(item, start)]
        if missing:
            self.warnings.append(f"No font here has {' '.join(sorted(missing))}; the contents page leaves them out.")
        if len(rows) > MAX_ROWS:
            self.warnings.append(f"The contents page lists files only, because there are {len(rows)} bookmarks.")
            return [(row, page) for row, page in rows if row.level == 0]
        return [(row, page) for row, page in rows if row.title]


def _bookmarks(item: Input, start: int) -> list[tuple[str, int]]:
    if item.source is None:
        return []
    found = [
        (clean_title(entry.title), entry.page) for entry in first_level(Part(item.source, list(item.indices), start))
    ]
    return [] if [title for title, _ in found] == [item.title] else found


def _drawable(title: str, missing: set[str]) -> str:
    """Return a title without the characters that no font has, and note them."""
    lost = missing_characters(title)
    missing |= set(lost)
    return "".join(character for character in title if character not in lost).strip()
