"""The input for the types of columns: the first rows of the table, with a menu of types above each column."""

from typing import Any

import anywidget
from traitlets import Any as AnyTrait
from traitlets import Dict, Int, List, Unicode

from mediakit.core.parameters import Parameter
from mediakit.engines.tables.model import COLUMN_TYPES, Table
from mediakit.widgets.assets import asset
from mediakit.widgets.inputs import Input, heading

AUTO = "auto"
MAX_SHOWN_ROWS = 6
MAX_SHOWN_COLUMNS = 60
MAX_SHOWN_CHARACTERS = 60


class TypesTable(anywidget.AnyWidget):
    """The first rows of a table, and the type of each column."""

    _esm = asset("tables/types_table.js")

    value = AnyTrait(AUTO).tag(sync=True)
    """`auto`, `text`, or types by name of the column."""
    label = Unicode().tag(sync=True)
    """Accessible name of the table."""
    columns = List(Dict()).tag(sync=True)
    """Name, detected type and type of each column that is shown."""
    rows = List(List(Unicode())).tag(sync=True)
    """Texts of the first rows."""
    hidden_columns = Int().tag(sync=True)
    """Number of columns that are not shown."""
    choices = List([name for name in COLUMN_TYPES if name != "json"]).tag(sync=True)


class TypesInput(Input):
    """Types as the field takes them, chosen above the columns."""

    wide = True

    def __init__(self, parameter: Parameter, label: str = "First rows of the table") -> None:
        super().__init__(parameter, TypesTable(label=label))
        self.caption = heading(parameter.name)
        self.control.add_class("mediakit-types-table")

    def read(self) -> Any:
        """Return the types; None if all are detected."""
        return None if self.control.value in (AUTO, {}) else self.control.value

    def fill(self, value: Any) -> None:
        """Show types."""
        self.control.value = value if isinstance(value, str) else dict(value)

    def show_table(self, table: Table | None, detected: Table | None) -> None:
        """Show the first rows of a table, or none.

        Args:
            table: The table with the chosen types; None if there is none, or its cells do not have them.
            detected: The table with detected types.
        """
        shown = table or detected
        columns = shown.columns[:MAX_SHOWN_COLUMNS] if shown else []
        kinds = {column.name: column.type for column in (detected or shown).columns} if shown else {}
        with self.control.hold_sync():
            self.control.columns = [
                {"name": column.name, "detected": kinds.get(column.name, column.type), "type": column.type}
                for column in columns
            ]
            self.control.rows = [
                [_text(column.values[row]) for column in columns]
                for row in range(min(MAX_SHOWN_ROWS, len(shown) if shown else 0))
            ]
            self.control.hidden_columns = len(shown.columns) - len(columns) if shown else 0


def _text(value: Any) -> str:
    if value is None:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[: MAX_SHOWN_CHARACTERS - 1]}…"
