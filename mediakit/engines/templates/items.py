"""Item rows of invoices and receipts, as flat keys (`item1_name`, `item1_qty`, ...): all values are texts."""

from collections.abc import Iterable

MAX_ITEM_ROWS = 8

ITEM_MAX_LENGTHS = {"name": 120, "qty": 12, "price": 24, "total": 24}
"""Maximum number of characters by column."""
DEFAULT_ITEM_MAX_LENGTH = 80
"""Maximum number of characters in other columns, unless the manifest has another."""

ITEMS_GROUP = "Items"
"""Name of the group of item keys in forms."""


def item_key_names(columns: Iterable[str], rows: Iterable[int] = range(1, MAX_ITEM_ROWS + 1)) -> tuple[str, ...]:
    """Return the names of the item keys, row by row."""
    columns = tuple(columns)
    return tuple(f"item{row}_{column}" for row in rows for column in columns)
