"""Lays out and draws the contents page with MuPDF, which shapes all scripts and finds a font for each."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from mediakit.engines.pdf.direction import is_right_to_left
from mediakit.engines.pdf.glyphs import missing_characters
from mediakit.errors import InvalidInput

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
        self.mirrored = sum(map(is_right_to_left, titles)) * 2 > len(titles)
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
    return f"\u200f{broken}\u200f" if is_right_to_left(title) else broken


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
