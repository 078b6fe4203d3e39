"""Measures of the type of a document: size of the text, space between lines and between paragraphs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from mediakit.engines.pdf.reading.markdown.column import Column
from mediakit.engines.pdf.reading.markdown.rows import Row

STEP = 0.5
"""Points to which sizes are rounded."""

RATIO_STEP = 0.05
"""Steps of spaces, in sizes of the font."""

USUAL_GAP = 0.1
"""Space between the boxes of two lines in sizes of the font, where a document has too few lines to tell."""

NEW_PARAGRAPH = 0.3
"""Space between two lines beyond the usual one that begins a paragraph, in sizes of the font."""

FULL = 0.85
"""Width of a line after which the next one goes on, as a share of the column."""

MAX_GAP = 4.0
"""Sizes of the font; larger spaces are not those between paragraphs."""


def rounded(size: float) -> float:
    """Return a size of type, rounded to half a point."""
    return round(size / STEP) * STEP


class Measures:
    """The usual measures of a document."""

    def __init__(self, columns: Sequence[Column]) -> None:
        pairs = [(column, above, row) for column in columns for above, row in _pairs(column.rows)]
        full = [
            (above, row) for column, above, row in pairs if above.x1 - column.left > FULL * (column.right - column.left)
        ]
        self.size = _most_common(_sizes(columns), 10.0)
        """Size of the font of most letters of plain text, in points."""
        text = [pair for pair in full if not any(row.is_mono or row.is_bold for row in pair)] or full
        self._gap = _smallest_common(Counter(_ratio(gap(*pair), pair[1]) for pair in text), USUAL_GAP)
        pitches = Counter(
            _ratio(row.y - above.y, row) for _, above, row in pairs if above.is_mono and row.is_mono and row.y > above.y
        )
        self._code_pitch = _smallest_common(pitches, 0.0)
        wide = Counter(
            ratio
            for _, above, row in pairs
            if not (above.is_bold or row.is_bold or (above.is_mono and row.is_mono))
            and self._gap + NEW_PARAGRAPH < (ratio := _ratio(gap(above, row), row)) < MAX_GAP
        )
        self.paragraph_gap = _most_common(wide, self._gap + 2 * NEW_PARAGRAPH) * self.size
        """Usual space between two paragraphs, in points."""

    def is_apart(self, above: Row, row: Row) -> bool:
        """Return whether there is more space between two rows than between the lines of a paragraph."""
        return gap(above, row) > (self._gap + NEW_PARAGRAPH) * min(row.size, above.size)

    def code_pitch(self, row: Row) -> float:
        """Return the usual distance in points of the baselines of two lines of code."""
        height = row.y1 - row.y0
        pitch = self._code_pitch * row.size
        return pitch if 0.8 * height < pitch < 1.6 * height else height


def gap(above: Row, row: Row) -> float:
    """Return the space between two rows in points; negative if they overlap."""
    return row.y0 - above.y1


def _pairs(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Yield rows that are one below the other, of the same size."""
    for above, row in pairwise(rows):
        if abs(above.size - row.size) < STEP and above.table is None and row.table is None:
            yield above, row


def _ratio(distance: float, row: Row) -> float:
    return round(distance / row.size / RATIO_STEP) * RATIO_STEP


def _sizes(columns: Sequence[Column]) -> Counter[float]:
    """Return the number of letters of each size: of plain text if there is any, else also of bold text and of code."""
    plain: Counter[float] = Counter()
    others: Counter[float] = Counter()
    for column in columns:
        for row in column.rows:
            for run in row.runs if row.table is None else ():
                (others if run.mono or run.bold else plain)[rounded(run.size)] += len(run.text.strip())
    return plain if plain.total() else others


def _most_common(counts: Counter[float], default: float) -> float:
    return max(counts, key=lambda value: (counts[value], -value)) if counts else default


def _smallest_common(counts: Counter[float], default: float) -> float:
    """Return the smallest value that is about as common as the most common one."""
    if not counts:
        return default
    most = max(counts.values())
    return min(value for value, count in counts.items() if count >= 0.4 * most)
