"""How sure it is that a candidate is a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from mediakit.engines.pdf.tables.draft import Draft
from mediakit.engines.pdf.tables.lines import has_digit, is_value

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
    if values < 0.5 and sum(word.is_mono for word in words) > MOST_CODE * len(words):
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
    """Return whether a candidate is a table of contents: texts with rising page numbers."""
    rows = draft.texts()
    last = [row[-1] or "" for row in rows]
    numbers = [int(text) for text in last if text.isascii() and text.isdigit() and len(text) < 5]
    if draft.ruled or draft.columns > 3 or len(numbers) < 0.7 * len(rows) or len(numbers) < 4:
        return False
    return _is_rising(numbers) and not any(has_digit(row[-2] or "") and is_value(row[-2] or "") for row in rows)


def _is_rising(numbers: Sequence[int]) -> bool:
    return all(one <= other for one, other in pairwise(numbers))
