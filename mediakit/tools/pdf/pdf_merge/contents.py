"""The contents of a merge: a row for each file, and for the bookmarks of its first level."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.pdf.destinations import Part
from mediakit.engines.pdf.drawn_lines import TEXT_POINTS, Line, LineStyle, Mark, draw_lines
from mediakit.engines.pdf.outlines import first_level
from mediakit.engines.pdf.shaped_text import missing_characters
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_merge.inputs import Input, clean_title

A4_POINTS = (595.28, 841.89)
SMALLEST_SIDE, LARGEST_SIDE = 290.0, 1300.0
"""Points. The contents of a result whose pages are smaller or larger are set on A4."""

MAX_ROWS = 1000
"""Rows of the contents; with more, bookmarks are omitted."""

LANDSCAPE_EMS = 1.5
"""Larger type on landscape pages, such as slides, whose lines are longer."""

HEADING_EMS = 2.0
SPACE_AFTER_HEADING_EMS = 1.1
SPACE_EMS = (0.77, 0.35)
"""Space above a file and above a bookmark, in sizes of the font."""

INDENT_EMS = 1.5
NUMBER_COLUMN_EMS = 3.2
"""Width of the column of page numbers, in sizes of the font."""

COLORS = ("#111827", "#4b5563")
"""Colors of a file and of a bookmark."""

BASELINE_EMS = 0.29
"""Height of the dots above the bottom of a line, in sizes of the font."""

LEADER_GAP_EMS = 0.5
"""Distance from the title to the first dot and from the last dot to the number, in sizes of the font."""

DOT_DISTANCE_EMS = 0.42
DOT_SIZE_EMS = 0.075


@dataclass
class Row:
    """An entry of the contents."""

    title: str
    level: int
    """0 for a file, 1 for a bookmark in it."""
    target: int
    """Index of its page, without the contents."""


@dataclass(frozen=True)
class Placed:
    """A row with its place."""

    row: Row
    mark: Mark
    page: int
    """Index of the contents page."""
    bottom: float
    """Points from the bottom of the page."""


class Contents:
    """Contents pages, placed before the rest is known and drawn after.

    Args:
        heading: Title of the contents.
        inputs: The files.
        starts: Index of each file's first page, without the contents.
        size: Width and height of the page in points.
    """

    def __init__(self, heading: str, inputs: Sequence[Input], starts: Sequence[int], size: tuple[float, float]) -> None:
        self.warnings: list[str] = []
        _require_glyphs("toc_title", heading)
        self._rows = self._listed(inputs, starts)
        is_usual = all(SMALLEST_SIDE <= side <= LARGEST_SIDE for side in size)
        self._width, self._height = size if is_usual else A4_POINTS
        short, ems = min(self._width, self._height), LANDSCAPE_EMS if self._width > self._height else 1.0
        self._em = max(9.0, min(20.0, 11 * ems * short / A4_POINTS[0]))
        self._margin = short * 0.115
        self._column = NUMBER_COLUMN_EMS * self._em
        backward = [begins_right_to_left(title) for title in (heading, *(row.title for row in self._rows))]
        self._is_mirrored = sum(backward) * 2 > len(backward)
        self._pdf = pikepdf.new()
        indent = INDENT_EMS * self._em
        lines = [self._line(row.title, row.level, self._column + row.level * indent) for row in self._rows]
        self._heading, *marks = draw_lines(self._pdf, [self._line(heading, 0, 0.0, HEADING_EMS), *lines])
        self._placed = list(self._place(marks))
        self._front = 0

    @property
    def count(self) -> int:
        """Number of contents pages."""
        return self._placed[-1].page + 1

    def draw(self, front: int) -> list[pikepdf.Object]:
        """Return the pages; the first file begins at index `front`."""
        self._front = front
        keys = sorted({(row.level, row.target) for row in self._rows})
        lines = [Line(str(front + target + 1), LineStyle("sans", COLORS[level])) for level, target in keys]
        numbers = dict(zip(keys, draw_lines(self._pdf, lines), strict=True))
        for page, rows in groupby(self._placed, key=lambda placed: placed.page):
            self._draw_page(page, list(rows), numbers)
        return [page.obj for page in self._pdf.pages]

    def link(self, pdf: pikepdf.Pdf) -> None:
        """Link the rows to their pages in the result."""
        for placed in self._placed:
            page, goal = pdf.pages[placed.page].obj, pdf.pages[self._front + placed.row.target]
            top = placed.bottom + self._scaled(placed.mark)
            link = Dictionary(
                Type=Name.Annot,
                Subtype=Name.Link,
                Rect=Array([self._margin, placed.bottom, self._width - self._margin, top]),
                Border=Array([0, 0, 0]),
                Dest=Array([goal.obj, Name.XYZ, None, max(float(goal.cropbox[1]), float(goal.cropbox[3])), None]),
                Contents=String(placed.row.title),
            )
            if Name.Annots not in page:
                page.Annots = Array()
            page.Annots.append(pdf.make_indirect(link))

    def _listed(self, inputs: Sequence[Input], starts: Sequence[int]) -> list[Row]:
        rows: list[Row] = []
        missing: set[str] = set()
        for index, (item, start) in enumerate(zip(inputs, starts, strict=True)):
            _require_glyphs(f"titles[{index}]", item.title)
            rows.append(Row(item.title, 0, start))
            entries = first_level(Part(item.source, list(item.indices), start)) if item.source is not None else ()
            found = [(clean_title(entry.title), entry.page) for entry in entries]
            for title, page in found if [title for title, _ in found] != [item.title] else ():
                lost = missing_characters(title)
                missing |= set(lost)
                rows.append(Row("".join(each for each in title if each not in lost).strip(), 1, page))
        if missing:
            self.warnings.append(f"No font here has {' '.join(sorted(missing))}; the contents page leaves them out.")
        if len(rows) > MAX_ROWS:
            self.warnings.append(f"The contents page lists files only, because there are {len(rows)} bookmarks.")
            return [row for row in rows if row.level == 0]
        return [row for row in rows if row.title]

    def _line(self, text: str, level: int, indent: float, ems: float = 1.0) -> Line:
        """Return a text that is wrapped to fit between the margins and an indent."""
        style = LineStyle("sans", COLORS[level], is_bold=ems > 1, breaks_words=True)
        width = (self._width - 2 * self._margin - indent) * TEXT_POINTS / (self._em * ems)
        return Line(text, style, round(width, 3), "right" if self._is_mirrored else "left")

    def _scaled(self, mark: Mark, ems: float = 1.0) -> float:
        """Return the height of a mark on the page."""
        return mark.height * self._em * ems / TEXT_POINTS

    def _place(self, marks: Sequence[Mark]) -> Iterator[Placed]:
        """Yield each row with its place; a row is not split over pages."""
        top = self._height - self._margin
        page, y = 0, top - self._scaled(self._heading, HEADING_EMS) - self._em * SPACE_AFTER_HEADING_EMS
        for row, mark in zip(self._rows, marks, strict=True):
            height = self._scaled(mark)
            y -= self._em * SPACE_EMS[row.level]
            if y - height < self._margin and y < top:
                page, y = page + 1, top
            y -= height
            yield Placed(row, mark, page, y)

    def _draw_page(self, index: int, rows: Sequence[Placed], numbers: dict[tuple[int, int], Mark]) -> None:
        marks: list[tuple[Mark, float, float, float]] = []
        leaders: list[str] = []
        if index == 0:
            y = self._height - self._margin - self._scaled(self._heading, HEADING_EMS)
            marks.append((self._heading, HEADING_EMS, self._margin, y))
        for placed in rows:
            indent = placed.row.level * INDENT_EMS * self._em
            left = self._margin + (self._column if self._is_mirrored else indent)
            number, scale = numbers[placed.row.level, placed.row.target], self._em / TEXT_POINTS
            side = self._margin if self._is_mirrored else self._width - self._margin - number.width * scale
            marks += [(placed.mark, 1.0, left, placed.bottom), (number, 1.0, side, placed.bottom)]
            ends = [left + edge * scale for edge in placed.mark.last_line]
            leaders.append(self._leader(placed.bottom, ends, number.width * scale))
        forms = {f"/Text{count}": mark.form for count, (mark, *_) in enumerate(marks)}
        dot, step = DOT_SIZE_EMS * self._em, DOT_DISTANCE_EMS * self._em
        parts = [f"/Artifact BMC q 0.61 0.64 0.69 RG {dot * 2:.3f} w 1 J [0 {step:.3f}] 0 d", *leaders, "Q EMC"]
        for count, (_, ems, x, y) in enumerate(marks):
            scale = self._em * ems / TEXT_POINTS
            parts.append(f"q {scale:.5f} 0 0 {scale:.5f} {x:.3f} {y:.3f} cm /Text{count} Do Q")
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, self._width, self._height]),
            Resources=Dictionary(XObject=Dictionary(forms)),
            Contents=self._pdf.make_stream("\n".join(parts).encode()),
        )
        self._pdf.pages.append(pikepdf.Page(self._pdf.make_indirect(page)))

    def _leader(self, bottom: float, title: Sequence[float], number: float) -> str:
        """Return the dots between a title and its number; all dots of a page lie on one grid.

        Args:
            bottom: Bottom of the row.
            title: Left and right end of the last line of the title.
            number: Width of the number.
        """
        step, gap, y = DOT_DISTANCE_EMS * self._em, LEADER_GAP_EMS * self._em, bottom + BASELINE_EMS * self._em
        sign = 1 if self._is_mirrored else -1  # from the number to the title
        grid = self._margin if self._is_mirrored else self._width - self._margin
        start, end = grid + sign * step * -(-(number + gap) // step), title[not self._is_mirrored] - sign * gap
        return f"{start:.3f} {y:.3f} m {end:.3f} {y:.3f} l S" if (end - start) * sign > step else ""


def _require_glyphs(name: str, text: str) -> None:
    """Raise an error that names the first character that no font can draw."""
    for character in missing_characters(text):
        raise InvalidInput(f'{name}: no font here has "{character}" (U+{ord(character):04X}).')
