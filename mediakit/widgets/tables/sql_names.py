"""The names of tables and columns below a query: a click inserts one. Shift+Enter and Ctrl+Enter run the query."""

from collections.abc import Callable
from typing import Any

import anywidget
import ipywidgets as w
from traitlets import Dict, Int, List

from mediakit.core.parameters import Parameter
from mediakit.widgets.assets import asset
from mediakit.widgets.inputs import TextInput


class SqlNames(anywidget.AnyWidget):
    """Buttons with the names that the query can use."""

    _esm = asset("tables/sql_names.js")

    tables = List(Dict()).tag(sync=True)
    """Name, rows and columns (name and type) of each table."""
    runs = Int().tag(sync=True)
    """Increases each time the user runs the query with the keyboard."""


class SqlInput(TextInput):
    """A query in a text area with a font of fixed width."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.wide = True
        self.control.rows = 6
        self.names = SqlNames()
        self.names.add_class("mediakit-sql-names")
        self._box = w.VBox([self.control, self.names])
        self._box.add_class("mediakit-sql")

    @property
    def widget(self) -> w.DOMWidget:
        """The query and the names."""
        return self._box

    def show_tables(self, tables: list[dict[str, Any]]) -> None:
        """Show the names of tables and columns."""
        self.names.tables = tables

    def on_run(self, run: Callable[[], None]) -> None:
        """Call a function when the user runs the query with the keyboard."""
        self.names.observe(lambda _: run(), "runs")
