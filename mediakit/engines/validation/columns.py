"""Chooses the column of a table whose values are checked."""

from collections.abc import Sequence
from typing import Any

from mediakit.core.messages import quote
from mediakit.core.suggestions import similar
from mediakit.errors import InvalidInput


def place_of(column: Any, names: Sequence[str]) -> int:
    """Return the place of a column, from 0.

    Args:
        column: Its name or its number from 1; None for the only one.
        names: The names of all columns.

    Raises:
        InvalidInput: There is no such column, or several while none is chosen.
    """
    if column is None:
        if len(names) == 1:
            return 0
        raise InvalidInput(f"column: is required, because the table has {len(names)} columns: {_listed(names)}.")
    name = str(column)
    if name in names:
        return names.index(name)
    if name.isdecimal() and name.isascii() and 1 <= int(name[:9]) <= len(names):
        return int(name) - 1
    match = similar(name, names)
    hint = f"did you mean {quote(match)}?" if match else f"the table has {_listed(names)}."
    raise InvalidInput(f"column: there is no column {quote(name)}; {hint}")


def _listed(names: Sequence[str]) -> str:
    shown = [quote(name) for name in names[:10]]
    return ", ".join(shown) + (f" and {len(names) - len(shown)} more" if len(names) > len(shown) else "")
