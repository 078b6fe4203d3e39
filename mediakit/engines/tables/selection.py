"""Chooses, orders and renames the columns of a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from mediakit.engines.tables.model import Table
from mediakit.engines.tables.naming import missing, unique_names
from mediakit.errors import InvalidInput


@dataclass(frozen=True)
class Pick:
    """A column to keep, and the name that it gets."""

    name: str
    renamed: str


def select(table: Table, picks: Sequence[Pick]) -> Table:
    """Return a table with the columns chosen, in their order.

    Raises:
        InvalidInput: There is no such column.
    """
    by_name = {column.name: column for column in table.columns}
    for place, pick in enumerate(picks):
        if pick.name not in by_name:
            raise InvalidInput(f"columns[{place}]: {missing(pick.name, table.names)}")
    names = unique_names(pick.renamed for pick in picks)
    chosen = [by_name[pick.name] for pick in picks]
    return Table([column.renamed(name) for name, column in zip(names, chosen, strict=True)])
