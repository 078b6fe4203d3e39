"""The input that assigns the columns of a table to keys."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as w

NOT_USED = ("not used", "")


class ColumnsInput:
    """A dropdown of keys for each column; a key has at most one column.

    Args:
        on_change: Called after the user assigns a column.
    """

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._dropdowns: dict[str, w.Dropdown] = {}
        self._is_filling = False
        self.widget = w.Box()
        self.widget.add_class("mediakit-columns-input")

    @property
    def mapped(self) -> dict[str, str]:
        """The key of each column that is used."""
        return {column: box.value for column, box in self._dropdowns.items() if box.value}

    def fill(self, columns: Sequence[str], keys: Sequence[str], mapped: Mapping[str, str]) -> None:
        """Show columns with their keys."""
        options = [NOT_USED, *((key, key) for key in keys)]
        self._dropdowns = {
            column: w.Dropdown(
                options=options, value=mapped.get(column, ""), description=column, style={"description_width": "auto"}
            )
            for column in columns
        }
        for column, box in self._dropdowns.items():
            box.observe(lambda change, column=column: self._assign(column, change["new"]), "value")
        fields = [w.VBox([box]) for box in self._dropdowns.values()]
        for field in fields:
            field.add_class("mediakit-field")
        self.widget.children = fields

    def _assign(self, column: str, key: Any) -> None:
        """Remove the key from the column that had it."""
        if self._is_filling:
            return
        self._is_filling = True
        try:
            for other, box in self._dropdowns.items():
                if other != column and key and box.value == key:
                    box.value = ""
        finally:
            self._is_filling = False
        self._on_change()
