"""Finds the tables of a page: candidates that are charts, forms, code or running text are none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING, Any

from mediakit.engines.pdf.tables.candidates import find_ruled_rows, find_runs, find_spaced_rows
from mediakit.engines.pdf.tables.lattice import find_grids, grid_table
from mediakit.engines.pdf.tables.lines import Line, Segment, has_digit, is_value, read_lines
from mediakit.engines.pdf.tables.rows import header_rows
from mediakit.engines.pdf.tables.stream import ruled_rows_table, run_table
from mediakit.engines.pdf.tables.table import Draft, Span, Table, without_empty
from mediakit.engines.pdf.tables.words import (
    Box,
    Drawings,
    Matrix,
    PageText,
    Word,
    is_inside,
    read_drawings,
    read_words,
    transform,
)

if TYPE_CHECKING:
    import pymupdf

FEWEST_LINES = 3
FEWEST_WORDS = 4
"""Words a line of running text has on average."""

FEWEST_WRAPPED = 2
"""Rows of a column whose cells wrap."""

MOST_WORDS_BESIDE = 3
"""Words of a cell beside such a column on average, where it has no values: a column of a page has more."""

FULL_SHARE = 0.8
"""Share of the paragraph's width that its lines fill, but for the last one."""


def without_prose(lines: Sequence[Line]) -> list[Line]:
    """Return the lines without paragraphs. A paragraph inside cuts a line in two."""
    prose = {id(segment) for chain in _chains(lines) if _is_paragraph(chain) for _, segment in chain}
    if not prose:
        return list(lines)
    parts = []
    for line in lines:
        for is_prose, segments in groupby(line.segments, lambda segment: id(segment) in prose):
            if not is_prose:
                parts.append(Line(list(segments), line.y0, line.y1, line.size))
    return parts


def _chains(lines: Sequence[Line]) -> Iterator[list[tuple[Line, Segment]]]:
    """Yield segments one under another that begin at the same place."""
    open_chains: list[list[tuple[Line, Segment]]] = []
    for line in lines:
        still: list[list[tuple[Line, Segment]]] = []
        for chain in open_chains:
            if line.y1 - chain[-1][0].y1 > 2.1 * line.size:
                yield chain
            else:
                still.append(chain)
        open_chains = still
        for segment in line.segments:
            for chain in open_chains:
                last, above = chain[-1]
                is_under = abs(above.x0 - segment.x0) < 0.6 * line.size or (
                    len(chain) == 1
                    and 0 < above.x0 - segment.x0 < 4 * line.size
                    and above.x1 > segment.x1 - 5 * line.size
                )
                if last is not line and is_under and abs(last.size - line.size) < 0.15 * line.size:
                    chain.append((line, segment))
                    break
            else:
                open_chains.append([(line, segment)])
    yield from open_chains


def _is_wrapped_column(chain: Sequence[tuple[Line, Segment]]) -> bool:
    """Return whether lines are the wrapped cells of a column: some have other cells beside them, the others nothing."""
    beside = [[other for other in line.segments if other is not segment] for line, segment in chain]
    cells = [other for others in beside for other in others]
    is_beside_short = sum(len(cell.words) for cell in cells) <= MOST_WORDS_BESIDE * len(cells)
    is_beside_short = is_beside_short and not any(len(cell.text) < 2 for cell in cells)
    rows = [others for others in beside if any(other.is_value for other in others) or (others and is_beside_short)]
    alone = sum(not others for others in beside)
    if len(rows) < FEWEST_WRAPPED or len(rows) + alone < len(chain) - 1:
        return False
    first = {len(others) for others in rows}
    return len(first) == 1 and all(
        min(abs(one.x0 - other.x0), abs(one.x1 - other.x1)) < one.words[0].size
        for others in rows[1:]
        for one, other in zip(rows[0], others, strict=True)
    )


def _is_paragraph(chain: Sequence[tuple[Line, Segment]]) -> bool:
    if len(chain) < FEWEST_LINES:
        return False
    segments = [segment for _, segment in chain]
    words = sum(len(segment.words) for segment in segments)
    if words < FEWEST_WORDS * len(segments):
        return False
    labels = sum(any(other is not segment and other.is_value for other in line.segments) for line, segment in chain)
    if labels > 0.6 * len(chain) or _is_wrapped_column(chain):  # most have a value beside them: they label rows
        return False
    width = max(segment.x1 for segment in segments) - min(segment.x0 for segment in segments)
    full = sum(segment.x1 - segment.x0 >= FULL_SHARE * width for segment in segments[:-1])
    values = sum(is_value(word.text) for segment in segments for word in segment.words)
    return full >= 0.65 * (len(segments) - 1) and values < 0.5 * words


def cuts_text(box: Box, inside: Sequence[Word], words: Sequence[Word]) -> bool:
    """Return whether lines of text go on outside of a box, as with marked words; a table has a border there."""
    if not inside:
        return False
    cut = 0
    for word in words:
        y = word.middle[1]
        if not box[1] < y < box[3]:
            continue
        left, right = box[0] - word.x1, word.x0 - box[2]
        if 0 <= max(left, right) < 0.6 * word.size or word.x0 < box[0] < word.x1 or word.x0 < box[2] < word.x1:
            cut += any(
                other.y0 < y < other.y1 and 0 <= max(other.x0 - word.x1, word.x0 - other.x1) < 0.6 * word.size
                for other in inside
            )
    return cut >= max(1, 0.25 * len({round(word.y1) for word in inside}))


FEWEST_SLANTED = 3
"""Slanted lines in a figure; a table has at most one, in its first cell."""

FIELD_SHARE = 0.25
"""Form fields for each text, from which it is a form."""

MAX_FIELDS = 2_000


def is_figure(draft: Draft, slanted: Sequence[Box], fields: Sequence[Box]) -> bool:
    """Return whether a candidate is a chart or a form, by the boxes of slanted lines and form fields of the page."""
    size = max((word.size for cell in draft.cells for word in cell.words), default=0.0)
    large = [box for box in slanted if max(box[2] - box[0], box[3] - box[1]) > size]
    if sum(is_inside(_middle(box), draft.box) for box in large) >= FEWEST_SLANTED:
        return True
    texts = sum(bool(cell.words) for cell in draft.cells)
    return sum(is_inside(_middle(box), draft.box) for box in fields) >= max(2, FIELD_SHARE * texts)


def _fields(page: pymupdf.Page, matrix: Matrix) -> list[Box]:
    """Return the boxes of form fields; those before a damaged one, which MuPDF cannot read."""
    import pymupdf

    found: list[Box] = []
    with suppress(pymupdf.mupdf.FzErrorBase):
        field: Any = page.first_widget
        while field is not None and len(found) < MAX_FIELDS:
            found.append(transform(matrix, field.rect))
            field = field.next
    return found


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


LEAST_CONFIDENCE = 0.5
"""A candidate below this is discarded."""

LEAST_REGULARITY = 0.35
"""Share of the rows in which a boundary of columns separates two cells. The bars of a chart end anywhere. With few rows
it has to be larger."""

MOST_CODE = 0.6
"""Share of words in a fixed-width font from which texts in columns are code."""

_WORDS = re.compile(r"\w{2,}")


def confidence(draft: Draft) -> float:
    """Return from 0 to 1 how sure it is that a candidate is a table.

    Rulings around cells are strong evidence. Without them, it takes values, filled rows and columns, and a ruling below
    the header; long texts speak against it.
    """
    texts = [cell.text for cell in draft.cells if cell.has_text]
    if draft.rows < 2 or draft.columns < 2 or len(texts) < 4 or _is_contents(draft):
        return 0.0
    filled = len(texts) / sum(_places(draft))
    if draft.ruled:
        is_sound = filled >= 0.25 and _regularity(draft) >= LEAST_REGULARITY + 0.4 / draft.rows
        return min(1.0, 0.7 + 0.3 * filled) if is_sound else 0.2
    return _unruled(draft, filled)


def _places(draft: Draft) -> list[int]:
    """Return the number of separate places of each row: a cell over several columns is one."""
    covered = [0] * draft.rows
    for cell in draft.cells:
        if cell.has_text:
            covered[cell.row] += cell.last_column - cell.column
            for row in range(cell.row + 1, cell.last_row + 1):
                covered[row] += cell.last_column - cell.column + 1
    return [max(1, draft.columns - count) for count in covered]


def _unruled(draft: Draft, filled: float) -> float:
    body = [cell.text for cell in draft.cells if cell.has_text and cell.column]
    values = sum(is_value(text) and len(text) < 30 for text in body) / len(body)
    length = sum(len(_WORDS.findall(text)) for text in body) / len(body)
    words = [word for cell in draft.cells for word in cell.words]
    has_plain_header = (draft.has_rulings or draft.has_bold_header) and not any(
        word.is_mono for cell in draft.cells if cell.row == 0 for word in cell.words
    )
    if values < 0.5 and not has_plain_header and sum(word.is_mono for word in words) > MOST_CODE * len(words):
        return 0.0
    score = 0.3 + 0.4 * min(1.0, 1.6 * values) + 0.1 * (draft.columns > 2) + 0.2 * draft.has_rulings
    score += 0.2 * min(0.5, filled - 0.5) + 0.2 * (draft.has_bold_header and draft.rows > 3)
    penalty = 0.01 if draft.has_bold_header else 0.04
    score -= -0.1 * (filled > 0.6) if draft.has_ruled_rows else penalty * max(0.0, length - 3)
    if draft.rows == 2:
        score -= 0.2 if draft.columns > 2 and filled > 0.8 else 0.5
    score -= 4 * max(0.0, 0.55 - filled)
    return max(0.0, min(1.0, score))


def _regularity(draft: Draft) -> float:
    """Return the share of rows in which a boundary of columns separates cells, on average."""
    separated = [0] * draft.columns
    for cell in draft.cells:
        separated[cell.column] += cell.last_row - cell.row + 1
    return sum(separated[1:]) / ((draft.columns - 1) * draft.rows)


def _is_contents(draft: Draft) -> bool:
    """Return whether a candidate is a table of contents: texts with page numbers."""
    rows = draft.texts()
    last = [row[-1] or "" for row in rows]
    numbers = [int(text) for text in last if text.isascii() and text.isdigit() and len(text) < 5]
    if draft.ruled or draft.columns > 3 or len(numbers) < 0.7 * len(rows) or len(numbers) < 4:
        return False
    return numbers == sorted(numbers) and not any(has_digit(row[-2] or "") and is_value(row[-2] or "") for row in rows)


def find_tables(page: pymupdf.Page) -> list[Table]:
    """Return the tables of a page, from top to bottom.

    Grids of rulings come first. In the rest of the page, lines between rulings of one width are candidates, and lines
    whose gaps are above one another. Candidates that are charts, forms, lists, code or running text are rejected.
    A page that MuPDF cannot run has none.
    """
    import pymupdf

    try:
        text = read_words(page)
        drawings = read_drawings(page, text.matrix) if text.words else Drawings()
    except (RuntimeError, pymupdf.mupdf.FzErrorBase):
        return []
    if not text.words:
        return []
    search = _Search(text, drawings, _fields(page, text.matrix))
    search.add_grids()
    search.add_lines()
    back = ~pymupdf.Matrix(*text.matrix) * page.rotation_matrix  # type: ignore[no-untyped-call]
    seen = (back.a, back.b, back.c, back.d, back.e, back.f)  # from the words to the page as it is seen
    tables = []
    for draft, sure in sorted(search.found, key=lambda item: (item[0].box[1], item[0].box[0])):
        spans = [
            Span(cell.row, cell.column, cell.last_row - cell.row + 1, cell.last_column - cell.column + 1)
            for cell in draft.cells
            if cell.last_row > cell.row or cell.last_column > cell.column
        ]
        box = transform(seen, draft.box)
        tables.append(Table(draft.texts(), header_rows(draft), box, round(sure, 2), spans))
    return tables


class _Search:
    """The tables found so far, and the words that belong to none."""

    def __init__(self, text: PageText, drawings: Drawings, fields: Sequence[Box]) -> None:
        self.found: list[tuple[Draft, float]] = []
        self._words = text.words
        self._turned = text.turned
        self._drawings = drawings
        self._fields = fields

    def add_grids(self) -> None:
        """Add the tables whose rulings cross."""
        for grid in find_grids(self._drawings.horizontal, self._drawings.vertical):
            box = (grid.xs[0], grid.ys[0], grid.xs[-1], grid.ys[-1])
            inside = [word for word in self._words if is_inside(word.middle, box)]
            if not inside or cuts_text(box, inside, self._words):
                continue
            turned = [word for word in self._turned if is_inside(word.middle, box)]
            if self._add(grid_table(grid, inside, turned)):
                taken = {id(word) for word in inside}
                self._words = [word for word in self._words if id(word) not in taken]

    def add_lines(self) -> None:
        """Add the tables without a grid: those whose rows rulings or spaces separate, then those that gaps show."""
        rulings = self._drawings.horizontal
        lines = read_lines(self._words, self._drawings.vertical)
        for rows in [*find_ruled_rows(rulings, lines), *find_spaced_rows(lines)]:
            boxes = [draft.box for draft, _ in self.found]
            if any(box[1] < line.middle < box[3] for row in rows for line in row for box in boxes):
                continue
            if self._add(ruled_rows_table(rows)):
                taken = {id(word) for row in rows for line in row for word in line.words}
                self._words = [word for word in self._words if id(word) not in taken]
                lines = read_lines(self._words, self._drawings.vertical)
        candidates = without_prose(lines)
        for run in find_runs(candidates):
            inside = {id(line) for line in run}
            self._add(run_table(run, rulings, [line for line in candidates if id(line) not in inside]))

    def _add(self, found: Draft | None) -> bool:
        """Add a candidate that is a table, and return whether it is."""
        if found is None:
            return False
        draft = without_empty(found)
        sure = confidence(draft)
        is_table = sure >= LEAST_CONFIDENCE and not is_figure(draft, self._drawings.figures, self._fields)
        if is_table:
            self.found.append((draft, sure))
        return is_table
