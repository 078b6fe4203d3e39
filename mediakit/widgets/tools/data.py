"""The forms of charts, of the data tools and of table images."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import ipywidgets as w

from mediakit.core.parameters import Parameter
from mediakit.engines.colors import PaletteName
from mediakit.engines.tables.model import Table
from mediakit.results.files import ImageResult
from mediakit.widgets.forms.fields import Field, FieldMessage, by_field, fields_of, read_fields
from mediakit.widgets.forms.form import Form
from mediakit.widgets.inputs.base import Input, labeled
from mediakit.widgets.inputs.choices import MAX_INPUTS, PaletteInput
from mediakit.widgets.inputs.columns import READING, ColumnsInput, SqlInput, TypesInput, load_table, reading_fields
from mediakit.widgets.inputs.files import FileInput
from mediakit.widgets.inputs.table import EXAMPLE, TableInput

DETECTION_ROWS = 1000
"""Rows that are read; the types of the first rows are those of these."""


Loaded = dict[str, tuple[Table | None, Table | None]]
"""Each table with the chosen types, and with detected types, by suffix of its fields."""


class DataForm(Form[Any]):
    """A form with one or two tables. Subclasses choose the fields that are visible."""

    nouns: ClassVar[Mapping[str, str]] = {"": "a table"}
    """What each table is, by what the names of its fields end with."""

    def _make_fields(self) -> dict[str, Field]:
        parameters, inputs = self._parameters, dict[str, Input]()
        for suffix, noun in self.nouns.items():
            inputs[f"types{suffix}"] = TypesInput(parameters[f"types{suffix}"], f"First rows of file{suffix}")
            inputs[f"file{suffix}"] = FileInput(parameters[f"file{suffix}"], "", noun, is_local=len(self.nouns) > 1)
        if "sql" in parameters:
            inputs["sql"] = SqlInput(parameters["sql"])
        fields = fields_of(self.tool, inputs, self._visible)
        for suffix in self.nouns:
            fields[f"text{suffix}"].control.rows = 4
        return fields

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        names = {name for suffix in self.nouns for name in self._names(suffix).values()}
        self._table_update = self._follow(names, self._load_tables, self._show_tables)

    def _groups(self) -> Mapping[str, Collection[str]]:
        others = [name for name in self.fields if name not in self._visible]
        sources = [name for name in others if name.startswith(("text", "rows"))]
        reading = [name for name in others if name in READING or name == "sheet2"]
        rest = [name for name in others if name not in (*sources, *reading)]
        return {"Tables as text or rows": sources, self._other_title: rest, "How the table is read": reading}

    def _names(self, suffix: str) -> dict[str, str]:
        """Return the fields that a table depends on; the second table has types and a sheet of its own."""
        names = reading_fields(self.fields, suffix)
        return {**names, "types": f"types{suffix}"} if suffix else names

    async def _load_tables(self) -> Loaded:
        return {suffix: await self._load_table(suffix) for suffix in self.nouns}

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

    def _show_tables(self, loaded: Loaded | None) -> None:
        for suffix, (table, detected) in (loaded or {}).items():
            self._input(f"types{suffix}").show_table(table, detected)


class DataProfileForm(DataForm):
    """The form of `data_profile`."""

    _visible = ("file", "text", "types", "top", "sample", "max_rows")
    _other_title = "Schema"


class DataConvertForm(DataForm):
    """The form of `data_convert`."""

    _visible = ("file", "text", "to", "types", "columns")
    _other_title = "How the file is written"


class DataDiffForm(DataForm):
    """The form of `data_diff`: two tables."""

    _visible = ("file", "types", "file2", "types2", "key", "ignore", "tolerance", "mode", "format")
    _other_title = "How rows are compared"
    nouns: ClassVar = {"": "the old table", "2": "the new table"}


class DataQueryForm(DataForm):
    """The form of `data_query`: names of tables and columns are inserted into the query."""

    _visible = ("file", "files", "sql", "types", "limit", "format")
    _other_title = "Parameters and formulas"
    _sources = ("file", "files", "text", "rows", "tables", *READING)

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        names = self._input("sql").names
        names.observe(lambda _: self._update.schedule(delay=0), "runs")
        self._names_update = self._follow(
            self._sources, self._list_tables, lambda tables: names.set_trait("tables", tables or [])
        )

    async def _list_tables(self) -> list[dict[str, Any]]:
        """Return name, rows and columns of each table as the query sees them; every query lists them."""
        values = read_fields(self.fields, {name: name for name in self._sources})
        given = {name: each for name, each in values.items() if each is not None}
        return list((await self.tool.arun(self.tool.validate({**given, "sql": "SELECT 1"}))).tables)


class ColumnNameInput(Input):
    """The name of a column: a text, with the columns of the table to choose."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, w.Combobox(ensure_option=False, placeholder="none", **labeled(parameter.name)))

    def read(self) -> Any:
        """Return the name; None for none."""
        return self.control.value or None


class TableImageForm(Form[Any]):
    """A form with an editor of the columns."""

    _inputs_of_fields: ClassVar = {
        "file": partial(FileInput, accept="", noun="a table"),
        "columns": ColumnsInput,
        "group_by": ColumnNameInput,
    }
    _visible = ("file", "theme", "title", "columns", "group_by", "total", "accent", "format", "footnotes")

    def _fill(self, values: Mapping[str, Any]) -> None:
        super()._fill(values)
        self._has_table = False
        self._table_update = self._follow(reading_fields(self.fields).values(), self._load_table, self._show_table)

    def _groups(self) -> Mapping[str, Collection[str]]:
        others = [name for name in self.fields if name not in (*self._visible, "rows")]
        return {
            "The table as rows": ["rows"],
            "Texts, numbers and size": [name for name in others if name not in READING],
            "How the table is read": [name for name in others if name in READING],
        }

    async def _load_table(self) -> Table | None:
        from mediakit.tools.images.table_image.request import MAX_ROWS

        return await load_table(read_fields(self.fields, reading_fields(self.fields)), MAX_ROWS)

    def _show_table(self, table: Table | None) -> None:
        """Offer the columns of the table. The first table has the columns of the call, even those that do not exist."""
        self._input("columns").show_table(table, is_new=self._has_table)
        self._input("group_by").control.options = tuple(table.names) if table else ()
        self._has_table = self._has_table or table is not None


TABLE_HELP = "One row per label, one column per series. The first row names the series. Paste cells from a spreadsheet."
PALETTE_HELP = "One color per series, or per slice of a pie chart. Empty fields use the colors of the palette."

WITH_VALUE_AXIS = ("bar", "line", "timeline", "scatter", "area", "combo")
SUPPORTED_BY = {"stacked": ("bar", "line", "area"), "horizontal": ("bar",), "reference_lines": WITH_VALUE_AXIS}
"""Chart types that support an option."""


MAX_COLORS = 50
"""Maximum length of `palette`."""

PIE_TYPES, X_TYPES = ("pie", "doughnut"), ("timeline", "scatter")

DAYS = ("2026-03-01", "2026-06-01", "2026-09-01")
DATED_EXAMPLE = [EXAMPLE[0], *([day, *row[1:]] for day, row in zip(DAYS, EXAMPLE[1:], strict=True))]


class ChartForm(Form[ImageResult]):
    """The form of a chart."""

    _visible = ("type", "theme", "title", "labels", "palette", "values", "stacked", "horizontal")
    _other_title = "Size, format, numbers and legend"

    def _make_fields(self) -> dict[str, Field]:
        fields = fields_of(self.tool, without=("labels", "series", "palette"))
        parameters = self._parameters
        self._table, self._palette = TableInput(parameters["labels"]), PaletteInput(parameters["palette"])
        fields["labels"] = Field(replace(parameters["labels"], help=TABLE_HELP), custom_input=self._table)
        fields["palette"] = Field(replace(parameters["palette"], help=PALETTE_HELP), custom_input=self._palette)
        fields["type"].input.fill("bar")
        for name in ("type", "theme", "labels", "palette", "missing"):
            fields[name].control.observe(lambda _: self._update_options(), "value")
        fields["type"].control.observe(lambda _: self._update_example(), "value")
        self._missing = fields["missing"].control
        self._type, self._theme = fields["type"].control, fields["theme"].control
        self._options = {name: fields[name].control for name in SUPPORTED_BY}
        self._update_options()
        return {name: fields[name] for name in dict.fromkeys((*self._visible, *fields))}

    def _update_options(self) -> None:
        """Disable options that the chart type does not support, and show one color per series."""
        for name, control in self._options.items():
            control.disabled = self._type.value not in SUPPORTED_BY[name]
        self._table.control.allows_gaps = self._missing.value != "error"
        self._palette.set_labels(self._color_labels(), self._colors(self._palette.name))

    def _update_example(self) -> None:
        """Replace the labels of the example table by dates for a chart on an axis of dates or numbers, and back."""
        wanted, other = (DATED_EXAMPLE, EXAMPLE) if self._type.value in X_TYPES else (EXAMPLE, DATED_EXAMPLE)
        if self._table.control.texts() == other:
            self._table.control.show(wanted)

    def _color_labels(self) -> list[str]:
        head, *body = self._table.control.texts()
        if self._type.value in PIE_TYPES:
            return [row[0] or f"Slice {number}" for number, row in enumerate(body, 1)]
        return [name or f"Series {number}" for number, name in enumerate(head[1:], 1)]

    def _colors(self, palette: Sequence[str] | PaletteName | None) -> list[str]:
        from mediakit.tools.images.chart.theme import THEMES

        return THEMES[self._theme.value].colors(MAX_COLORS, palette)

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields that are not empty, including labels and series."""
        values = super().values
        table = values.pop("labels")
        unsupported = {name for name, control in self._options.items() if control.disabled}
        values = {name: value for name, value in values.items() if name not in unsupported}
        chosen = {"type": values.pop("type")} if "type" in values else {}
        return {**chosen, **table, **values}

    def _snippet_values(self) -> dict[str, Any]:
        return self.values

    def _messages(self, error: Exception) -> dict[str, FieldMessage]:
        messages = by_field(error, {*self.fields, "series"})
        if "series" in messages:
            messages["labels"] = messages.pop("series")
        return messages

    def _fill(self, values: Mapping[str, Any]) -> None:
        arguments = self.tool.bind(**values)  # converts a DataFrame to labels and series
        table = {} if "series" in arguments else self._table.read()
        request = self.tool.validate({"type": "bar", **table, **arguments})
        if "series" in arguments:
            self._table.fill(in_one_table(request))
            if any("x" in series for series in request.series):
                arguments.setdefault("missing", "gap")
        for name, value in arguments.items():
            if value is not None and name in self.fields and name not in ("labels", "palette"):
                self.fields[name].input.fill(value)
        if isinstance(palette := arguments.get("palette"), str):
            self._palette.fill(palette)
        elif palette:
            # A short palette is filled up, so that editing one of its colors does not change the others.
            count = max(len(palette), min(len(self._color_labels()), MAX_INPUTS))
            self._palette.fill(self._colors(palette)[:count])
        self._update_options()


def in_one_table(request: Any) -> dict[str, Any]:
    """Return labels and series of a request; x values of single series become labels with gaps in the other series."""
    labels, series = list(request.labels), [dict(each) for each in request.series]
    own = [(number, each.pop("x")) for number, each in enumerate(series) if "x" in each]
    for number, x in own:
        before, added = len(labels), series[number]["data"]
        labels += x
        series[number]["data"] = [*[None] * before, *added]
    for each in series:
        each["data"] = [*each["data"], *[None] * (len(labels) - len(each["data"]))]
    return {"labels": labels, "series": series}
