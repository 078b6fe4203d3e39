"""The default pattern for the names of results."""

import re
from collections.abc import Collection, Sequence

from mediakit.widgets.many.source import Source

MAX_NAME_LENGTH = 60

_COLUMN = re.compile(r"[\w -]+")
"""Columns that can be in a pattern."""


def default_pattern(source: Source, main: Sequence[str], mapped: Collection[str]) -> str:
    """Return a pattern with the first column whose values are suitable names; the number of the row without one.

    Args:
        source: The table.
        main: The columns of main keys, which are preferred.
        mapped: The columns that fill in a key. Other columns come next.
    """
    others = [column for column in source.columns if column not in mapped]
    suitable = (column for column in [*main, *others] if _is_suitable(column, source))
    column = next(suitable, None)
    return "{row}" if column is None else f"{{{column}}}"


def _is_suitable(column: str, source: Source) -> bool:
    """Return whether all values of a column are short, and not addresses."""
    texts = [str(row.values.get(column, "")) for row in source.rows]
    return bool(_COLUMN.fullmatch(column)) and all(len(text) <= MAX_NAME_LENGTH and "/" not in text for text in texts)
