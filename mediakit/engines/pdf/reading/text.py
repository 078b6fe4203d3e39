"""Text in reading order."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from mediakit.engines.pdf.reading.lines import Line
from mediakit.engines.pdf.reading.reading_order import columns, rows, rows_in_order

PAGE_BREAK = "\f"
PARAGRAPH_BREAK = "\n\n"

NEW_PARAGRAPH = 0.6
"""Space between two lines that separates paragraphs, as a share of the height of a line beyond the usual space."""

SPACE_EMS = 0.1
"""Least distance of two pieces of a line between which there is a space, in sizes of the font."""


def page_text(lines: Sequence[Line]) -> str:
    """Return the text of a page: columns from left to right, an empty line between paragraphs."""
    in_order = rows_in_order(lines)
    if in_order is not None:
        return _rows_text(in_order)
    upright = [line for line in lines if not line.is_vertical]
    parts = [_rows_text(rows(column)) for column in columns(upright)]
    parts += ["\n".join(line.text for line in lines if line.is_vertical)] if len(upright) < len(lines) else []
    return PARAGRAPH_BREAK.join(filter(None, parts))


def _rows_text(found: Sequence[Sequence[Line]]) -> str:
    """Return rows as lines, with an empty line where there is more space than usual."""
    edges = [
        (row[0].y0, row[0].y1) if len(row) == 1 else (min([line.y0 for line in row]), max([line.y1 for line in row]))
        for row in found
    ]
    gaps = [below[0] - above[1] for above, below in pairwise(edges)]
    usual = median(gaps) if gaps else 0.0
    written = [row_text(row) for row in found[:1]]
    for gap, (top, bottom), row in zip(gaps, edges[1:], found[1:], strict=True):
        height = bottom - top
        is_far = gap > (usual if usual < height else height) + NEW_PARAGRAPH * height
        written += (PARAGRAPH_BREAK if is_far else "\n", row[0].text if len(row) == 1 else row_text(row))
    return "".join(written)


def row_text(row: Sequence[Line]) -> str:
    """Return the text of the lines on one baseline."""
    if len(row) == 1:
        return row[0].text
    pieces = [row[0].text]
    for before, line in pairwise(row):
        distance = max(line.x0 - before.x1, before.x0 - line.x1)
        pieces += [" " if distance > SPACE_EMS * min(line.size, before.size) else "", line.text]
    return "".join(pieces)


def truncate(text: str, max_chars: int) -> tuple[str, bool]:
    """Return a text of at most `max_chars` characters that ends with a paragraph, and whether it was cut.

    A first paragraph that is too long itself is cut after a line, or else after a word.
    """
    if len(text) <= max_chars:
        return text, False
    head = text[: max_chars + 1]
    end = max(head.rfind(PARAGRAPH_BREAK), head.rfind(PAGE_BREAK))
    for separator in ("\n", " "):
        end = end if end > 0 else head.rfind(separator)
    return (head[:end] if end > 0 else head[:max_chars]).rstrip(), True
