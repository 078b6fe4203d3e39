"""The input for the columns of a table image: which are shown, in which order, and how each one looks."""

from collections.abc import Mapping, Sequence
from typing import Any

import anywidget
from traitlets import Dict, List, Unicode

from mediakit.core.parameters import Parameter
from mediakit.engines.tables.model import Table
from mediakit.widgets.assets import asset
from mediakit.widgets.inputs import Input, heading


class ColumnsEditor(anywidget.AnyWidget):
    """A row for each column of the table, with its options."""

    _esm = asset("tables/columns_editor.js")

    value = List(Dict()).tag(sync=True)
    """The columns to show with their options, in order; empty for all columns without options."""
    names = List(Unicode()).tag(sync=True)
    """The columns of the table."""
    types = Dict().tag(sync=True)
    """The type of each column by name."""


class ColumnsInput(Input):
    """Columns as the field takes them: names, or objects with a name and options."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, ColumnsEditor())
        self.caption = heading(parameter.name)
        self.control.add_class("mediakit-columns-editor")

    def read(self) -> Any:
        """Return the columns; None for all columns without options."""
        return [each["name"] if len(each) == 1 else dict(each) for each in self.control.value] or None

    def fill(self, value: Sequence[Any]) -> None:
        """Show columns; a text is the name of one."""
        self.control.value = [_options(each) for each in value]

    def show_table(self, table: Table | None, *, is_new: bool) -> None:
        """Show the columns of a table.

        Args:
            table: The table; None if there is none, or it cannot be read.
            is_new: Whether the user has changed the table. Columns that the new one does not have are then removed.
        """
        with self.control.hold_sync():
            self.control.names = table.names if table else []
            self.control.types = {column.name: column.type for column in table.columns} if table else {}
            if is_new and table:
                self.control.value = [each for each in self.control.value if each["name"] in self.control.names]


def _options(column: str | Mapping[str, Any]) -> dict[str, Any]:
    return {"name": column} if isinstance(column, str) else dict(column)
