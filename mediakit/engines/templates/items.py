"""Rows of goods and services, flat as `item1_name`, `item1_qty` ...: all values of a template are texts."""

from collections.abc import Iterable, Mapping

from mediakit.engines.templates.keys import Key

ROWS = 8

LENGTHS = {"name": 120, "qty": 12, "price": 24, "total": 24}

ITEMS = "Items"
"""What forms call the rows."""


def item_names(columns: Iterable[str], rows: Iterable[int] = range(1, ROWS + 1)) -> tuple[str, ...]:
    """Name the keys of these rows, row by row."""
    return tuple(f"item{row}_{column}" for row in rows for column in columns)


def item_keys(columns: tuple[str, ...], examples: Mapping[int, tuple[tuple[str, str], ...]]) -> tuple[Key, ...]:
    """Make the keys of eight rows.

    Args:
        columns: Names of the columns.
        examples: By row, for each column the English and the Spanish text.
    """
    blank = (("", ""),) * len(columns)
    return tuple(
        Key(f"item{row}_{column}", LENGTHS[column], *example)
        for row in range(1, ROWS + 1)
        for column, example in zip(columns, examples.get(row, blank), strict=True)
    )
