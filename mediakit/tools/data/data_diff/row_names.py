"""The name of the row number among the columns of a row."""

from collections.abc import Sequence

ROW_NAME = "row"


def row_name(names: Sequence[str]) -> str:
    """Return the name of the row number in the rows added and removed: `row`, or `_row` if a column has that name."""
    name = ROW_NAME
    while name in names:
        name = f"_{name}"
    return name
