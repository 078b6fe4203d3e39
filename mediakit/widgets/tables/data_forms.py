"""The forms of the data tools: the first rows of each table with the types of its columns."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

import ipywidgets as w

from mediakit.engines.tables.model import Table
from mediakit.errors import MediakitError
from mediakit.widgets.assets import asset
from mediakit.widgets.debounce import DebouncedUpdate
from mediakit.widgets.drop_file_input import DropFileInput
from mediakit.widgets.field import Field
from mediakit.widgets.fields import fields_of, in_order_of, read_fields
from mediakit.widgets.inputs import Input
from mediakit.widgets.tables.loading import READING, load_table, reading_fields
from mediakit.widgets.tables.sql_names import SqlInput
from mediakit.widgets.tables.types_input import MAX_SHOWN_ROWS, TypesInput
from mediakit.widgets.tool_form import Form

ROWS_OF_TEXT_AREA = 4

DETECTION_ROWS = 1000
"""Rows that are read; the types of the first rows are those of these."""

LIST_TABLES = "SELECT 1"
"""A query whose result lists the tables."""

Loaded = dict[str, tuple[Table | None, Table | None]]
"""Each table with the chosen types, and with detected types, by suffix of its fields."""


class DataForm(Form[Any]):
    """A form with one or two tables. Subclasses choose the fields that are visible."""

    visible: ClassVar[tuple[str, ...]]
    """Fields that are not collapsed, in their order."""
    other_title: ClassVar[str] = "More options"
    suffixes: ClassVar[tuple[str, ...]] = ("",)
    """What the names of the fields of each table end with."""

    def _make_fields(self) -> dict[str, Field]:
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
        has_several = len(self.suffixes) > 1
        self._types = {
            suffix: TypesInput(parameters[f"types{suffix}"], f"First rows of file{suffix}") for suffix in self.suffixes
        }
        inputs: dict[str, Input] = {f"types{suffix}": each for suffix, each in self._types.items()}
        for suffix, noun in zip(
            self.suffixes, ("the old table", "the new table") if has_several else ("a table",), strict=True
        ):
            inputs[f"file{suffix}"] = DropFileInput(parameters[f"file{suffix}"], "", noun, is_local=has_several)
        if "sql" in parameters:
            inputs["sql"] = SqlInput(parameters["sql"])
        custom = {name: Field(parameters[name], custom_input=each) for name, each in inputs.items()}
        fields = {**fields_of(self.tool, without=custom), **custom}
        for suffix in self.suffixes:
            fields[f"text{suffix}"].control.rows = ROWS_OF_TEXT_AREA
        return {
            name: fields[name] for name in (*self.visible, *(name for name in parameters if name not in self.visible))
        }

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._table_update = DebouncedUpdate(self._load_tables, self._show_tables)
        watched = {name for suffix in self.suffixes for name in self._names(suffix).values()}
        for name in watched:
            self.fields[name].control.observe(lambda _: self._table_update.schedule(), "value")
        self._table_update.schedule(delay=0)

    def _groups(self) -> Mapping[str, Collection[str]]:
        others = [name for name in self.fields if name not in self.visible]
        sources = [name for name in others if name.startswith(("text", "rows"))]
        reading = [name for name in others if name in READING or name == "sheet2"]
        rest = [name for name in others if name not in (*sources, *reading)]
        return {"Tables as text or rows": sources, self.other_title: rest, "How the table is read": reading}

    def _layout(self) -> w.VBox:
        widget = super()._layout()
        style = w.HTML(f"<style>{asset('tables/tables.css')}</style>")
        style.add_class("mediakit-style")
        widget.children = [style, *widget.children]
        return widget

    def _snippet_values(self) -> dict[str, Any]:
        return in_order_of(self.tool, super()._snippet_values())

    def _names(self, suffix: str) -> dict[str, str]:
        """Return the fields that a table depends on; the second table has types and a sheet of its own."""
        names = reading_fields(self.fields, suffix)
        return {**names, "types": f"types{suffix}"} if suffix else names

    async def _load_tables(self) -> Loaded:
        return {suffix: await self._load_table(suffix) for suffix in self.suffixes}

    async def _load_table(self, suffix: str) -> tuple[Table | None, Table | None]:
        values = read_fields(self.fields, self._names(suffix))
        if suffix:
            own = {name: self.fields[f"{name}{suffix}"].input.read() for name in ("types", "sheet")}
            first = {name: self.fields[name].input.read() for name in ("types", "sheet")}
            values |= {name: first[name] if each is None else each for name, each in own.items()}
        detected = await load_table({**values, "types": None}, DETECTION_ROWS)
        if values.get("types") is None or detected is None:
            return detected, detected
        if isinstance(values["types"], dict):
            values["types"] = {name: kind for name, kind in values["types"].items() if name in detected.names}
        return await load_table(values, DETECTION_ROWS), detected

    def _show_tables(self, loaded: Loaded) -> None:
        for suffix, (table, detected) in loaded.items():
            heads = [each and each.head(MAX_SHOWN_ROWS) for each in (table, detected)]
            self._types[suffix].show_table(*heads)


class DataProfileForm(DataForm):
    """The form of `data_profile`."""

    visible = ("file", "text", "types", "top", "sample", "max_rows")
    other_title = "Schema"


class DataConvertForm(DataForm):
    """The form of `data_convert`."""

    visible = ("file", "text", "to", "types", "columns")
    other_title = "How the file is written"


class DataDiffForm(DataForm):
    """The form of `data_diff`: two tables."""

    visible = ("file", "types", "file2", "types2", "key", "ignore", "tolerance", "mode", "format")
    other_title = "How rows are compared"
    suffixes = ("", "2")


class DataQueryForm(DataForm):
    """The form of `data_query`: names of tables and columns are inserted into the query."""

    visible = ("file", "files", "sql", "types", "limit", "format")
    other_title = "Parameters and formulas"

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        sql: Any = self.fields["sql"].input
        self._sql: SqlInput = sql
        self._sql.on_run(lambda: self._update.schedule(delay=0))
        self._names_update = DebouncedUpdate(self._list_tables, self._sql.show_tables)
        for name in ("file", "files", "text", "rows", "tables", *READING):
            self.fields[name].control.observe(lambda _: self._names_update.schedule(), "value")
        self._names_update.schedule(delay=0)

    async def _list_tables(self) -> list[dict[str, Any]]:
        """Return name, rows and columns of each table as the query sees them; empty if one cannot be read."""
        names = ("file", "files", "text", "rows", "tables", *READING)
        values = read_fields(self.fields, dict(zip(names, names, strict=True)))
        try:
            request = self.tool.validate(
                {**{name: each for name, each in values.items() if each is not None}, "sql": LIST_TABLES}
            )
            result = await self.tool.arun(request)
        except (MediakitError, ValueError):  # the preview shows the error of the tool
            return []
        return list(result.tables)
