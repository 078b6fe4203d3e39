"""How many rows at the top of a table name its columns."""

from __future__ import annotations

import re

from mediakit.engines.pdf.tables.draft import Draft
from mediakit.engines.pdf.tables.lines import is_value

MOST_HEADER_ROWS = 6

_YEAR = re.compile(r"\D{0,3}(19|20)\d\d\s?\D{0,2}([-–/]\s?(19|20)?\d\d)?\D{0,3}")


def header_rows(draft: Draft) -> int:
    """Return the number of rows at the top that name the columns; 0 if none do."""
    if draft.header_rows is not None:
        return min(draft.header_rows, draft.rows - 1)
    rows = [[text or "" for text in row] for row in draft.texts()]
    valued = [column for column in range(1, draft.columns) if _is_valued([row[column] for row in rows])]
    if not valued:
        return 1
    found = 0
    for row in rows[:MOST_HEADER_ROWS]:
        if any(_is_datum(row[column]) for column in valued):
            break
        found += 1
    while found > 1 and not any(rows[found - 1][1:]):
        found -= 1
    return found if found < draft.rows else 1


def _is_valued(texts: list[str]) -> bool:
    """Return whether most cells of a column are values."""
    filled = [text for text in texts if text]
    return sum(is_value(text) for text in filled) > 0.5 * len(filled)


def _is_datum(text: str) -> bool:
    """Return whether a text is a value, and not a year, which names a column as often."""
    return bool(text) and is_value(text) and _YEAR.fullmatch(text) is None
