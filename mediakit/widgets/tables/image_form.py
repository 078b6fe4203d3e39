"""The form of `table_image`: the table, its columns and its look, with a live preview."""

from collections.abc import Collection, Mapping
from typing import Any

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.engines.tables.model import Table
from mediakit.tools.images.table_image.request import MAX_ROWS
from mediakit.widgets.assets import asset
from mediakit.widgets.debounce import DebouncedUpdate
from mediakit.widgets.drop_file_input import DropFileInput
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of, in_order_of, read_fields
from mediakit.widgets.inputs import Input, labeled
from mediakit.widgets.picks import PicksInput
from mediakit.widgets.tables.columns_editor import ColumnsInput
from mediakit.widgets.tables.footnotes_editor import FootnotesInput
from mediakit.widgets.tables.loading import READING, load_table, reading_fields
from mediakit.widgets.tables.theme_icons import theme_icons
from mediakit.widgets.tool_form import Form

VISIBLE = ("file", "theme", "title", "columns", "group_by", "total", "accent", "format", "footnotes")
"""Fields that are not collapsed, in their order."""

STYLES = ("qr_form.css", "tables/tables.css")


class ColumnNameInput(Input):
    """The name of a column: a text, with the columns of the table to choose."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Combobox(ensure_option=False, placeholder="none", **labeled(parameter)))

    def read(self) -> Any:
        """Return the name; None for none."""
        return self.control.value or None


class TableImageForm(Form[Any]):
    """A form with an editor of the columns and the footnotes."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        self._columns = ColumnsInput(parameters["columns"])
        self._footnotes = FootnotesInput(parameters["footnotes"])
        inputs: dict[str, Input] = {
            "file": DropFileInput(parameters["file"], "", "a table"),
            "columns": self._columns,
            "footnotes": self._footnotes,
            "theme": PicksInput(parameters["theme"], theme_icons()),
        }
        inputs["group_by"] = self._group_by = ColumnNameInput(parameters["group_by"])
        self._has_table = False
        custom = {name: Field(parameters[name], custom_input=each) for name, each in inputs.items()}
        fields = {**fields_of(self.tool, without=custom), **custom}
        return {name: fields[name] for name in (*VISIBLE, *(name for name in parameters if name not in VISIBLE))}

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._table_update = DebouncedUpdate(self._load_table, self._show_table)
        for name in reading_fields(self.fields).values():
            self.fields[name].control.observe(lambda _: self._table_update.schedule(), "value")
        self._table_update.schedule(delay=0)

    def _groups(self) -> Mapping[str, Collection[str]]:
        others = [name for name in self.fields if name not in (*VISIBLE, "rows")]
        return {
            "The table as rows": ["rows"],
            "Texts, numbers and size": [name for name in others if name not in READING],
            "How the table is read": [name for name in others if name in READING],
        }

    def _layout(self) -> w.VBox:
        widget = super()._layout()
        style = w.HTML(f"<style>{''.join(asset(name) for name in STYLES)}</style>")
        style.add_class("mediakit-style")
        widget.children = [style, *widget.children]
        return widget

    def _snippet_values(self) -> dict[str, Any]:
        return in_order_of(self.tool, super()._snippet_values())

    async def _load_table(self) -> Table | None:
        return await load_table(read_fields(self.fields, reading_fields(self.fields)), MAX_ROWS)

    def _show_table(self, table: Table | None) -> None:
        """Offer the columns of the table. The first table has the columns of the call, even those that do not exist."""
        self._columns.show_table(table, is_new=self._has_table)
        self._footnotes.show_table(table)
        self._group_by.control.options = tuple(table.names) if table else ()
        self._has_table = self._has_table or table is not None
