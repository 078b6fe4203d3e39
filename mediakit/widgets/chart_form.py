"""The form of charts: an editable table of labels and series, and a color per series."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mediakit.engines.colors import PaletteName
from mediakit.results.files import ImageResult
from mediakit.tools.images.chart.theme import THEMES
from mediakit.widgets.cells import EXAMPLE
from mediakit.widgets.field import Field
from mediakit.widgets.field_errors import FieldMessage, by_field
from mediakit.widgets.fields import fields_of
from mediakit.widgets.palette_input import MAX_INPUTS, PaletteInput
from mediakit.widgets.table_input import TableInput
from mediakit.widgets.tool_form import Form

TABLE_HELP = "One row per label, one column per series. The first row names the series. Paste cells from a spreadsheet."
PALETTE_HELP = "One color per series, or per slice of a pie chart. Empty fields use the colors of the palette."

VISIBLE = ("type", "theme", "title", "labels", "palette", "values", "stacked", "horizontal")
"""Fields that are not collapsed, in their order."""

WITH_VALUE_AXIS = ("bar", "line", "timeline", "scatter", "area", "combo")
SUPPORTED_BY = {"stacked": ("bar", "line", "area"), "horizontal": ("bar",), "reference_lines": WITH_VALUE_AXIS}
"""Chart types that support an option."""

DAYS = ("2026-03-01", "2026-06-01", "2026-09-01")

MAX_COLORS = 50
"""Maximum length of `palette`."""

PIE_TYPES, X_TYPES = ("pie", "doughnut"), ("timeline", "scatter")

DATED_EXAMPLE = [EXAMPLE[0], *([day, *row[1:]] for day, row in zip(DAYS, EXAMPLE[1:], strict=True))]


class ChartForm(Form[ImageResult]):
    """The form of a chart."""

    def _make_fields(self) -> dict[str, Field]:
        fields = fields_of(self.tool, without=("labels", "series", "palette"))
        parameters = {parameter.name: parameter for parameter in self.tool.parameters}
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
        return {name: fields[name] for name in (*VISIBLE, *(name for name in fields if name not in VISIBLE))}

    def _groups(self) -> Mapping[str, Collection[str]]:
        return {"Size, format, numbers and legend": [name for name in self.fields if name not in VISIBLE]}

    def _update_options(self) -> None:
        """Disable options that the chart type does not support, and show one color per series."""
        for name, control in self._options.items():
            control.disabled = self._type.value not in SUPPORTED_BY[name]
        self._table.allow_gaps(self._missing.value != "error")
        self._palette.set_labels(self._color_labels(), self._colors(self._palette.name))

    def _update_example(self) -> None:
        """Replace the labels of the example table by dates for a chart on an axis of dates or numbers, and back."""
        wanted, other = (DATED_EXAMPLE, EXAMPLE) if self._type.value in X_TYPES else (EXAMPLE, DATED_EXAMPLE)
        if self._table.control.texts() == other:
            self._table.control.show(wanted)

    def _color_labels(self) -> list[str]:
        """Return the names of the series or slices."""
        head, *body = self._table.control.texts()
        if self._type.value in PIE_TYPES:
            return [row[0] or f"Slice {number}" for number, row in enumerate(body, 1)]
        return [name or f"Series {number}" for number, name in enumerate(head[1:], 1)]

    def _colors(self, palette: Sequence[str] | PaletteName | None) -> list[str]:
        return THEMES[self._theme.value].colors(MAX_COLORS, palette)

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields that are not empty, including labels and series.

        Raises:
            InvalidInput: A field or a cell contains text that cannot be converted to a value.
        """
        values = super().values
        table = values.pop("labels")
        values = {name: value for name, value in values.items() if name not in self._unsupported}
        return {"type": values.pop("type"), **table, **values}

    @property
    def _unsupported(self) -> Collection[str]:
        return {name for name, control in self._options.items() if control.disabled}

    def _snippet_values(self) -> dict[str, Any]:
        return self.values

    def _messages(self, error: Exception) -> dict[str, FieldMessage]:
        messages = by_field(error, {*self.fields, "series"})
        if "series" in messages:
            messages["labels"] = messages.pop("series")
        return messages

    def _fill(self, values: Mapping[str, Any]) -> None:
        arguments = self.tool.arguments.bind(**values)  # converts a DataFrame to labels and series
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
