"""The form of charts: labels and series in an editable table, and a colour for each."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mediakit.results.image import ImageResult
from mediakit.tools.images.chart.theme import THEMES
from mediakit.widgets.field import Field
from mediakit.widgets.palette_input import MOST, PaletteInput
from mediakit.widgets.problems import by_field
from mediakit.widgets.table_input import TableInput
from mediakit.widgets.tool_form import Form, fields_of

HELP = "A row for each label, a column for each series, its name on top. Cells can be pasted from a spreadsheet."
COLORS = "A colour for each series, of a pie for each slice; left empty, one that all eyes tell from the others."

FIRST = ("type", "theme", "title", "labels", "palette", "values", "stacked", "horizontal")
"""Fields that are seen at once, in their order."""

GOES_WITH = {"stacked": ("bar", "line"), "horizontal": ("bar",)}
"""Types of chart that an option is for."""

MOST_COLORS = 50
"""As many as a palette takes."""

ROUND = ("pie", "doughnut")


class ChartForm(Form[ImageResult]):
    """A form of a chart."""

    def _make_fields(self) -> dict[str, Field]:
        made = fields_of(self.tool, without=("labels", "series", "palette"))
        of = {parameter.name: parameter for parameter in self.tool.parameters}
        self._table, self._palette = TableInput(of["labels"]), PaletteInput(of["palette"])
        made["labels"] = Field(replace(of["labels"], help=HELP), made=self._table)
        made["palette"] = Field(replace(of["palette"], help=COLORS), made=self._palette)
        made["type"].input.fill("bar")
        for name in ("type", "theme", "labels"):
            made[name].control.observe(lambda _: self._suit(), "value")
        fields = {name: made[name] for name in (*FIRST, *(name for name in made if name not in FIRST))}
        self._type, self._theme = made["type"].control, made["theme"].control
        self._options = {name: made[name].control for name in GOES_WITH}
        self._suit()
        return fields

    def _groups(self) -> Mapping[str, Collection[str]]:
        return {"Size, format, numbers and legend": [name for name in self.fields if name not in FIRST]}

    def _suit(self) -> None:
        """Offer what the chart of the moment can have."""
        for name, control in self._options.items():
            control.disabled = self._type.value not in GOES_WITH[name]
        self._palette.offer(self._colored(), self._colors(None))

    def _colored(self) -> list[str]:
        """Name what has a colour of its own."""
        head, *body = self._table.control.texts()
        if self._type.value in ROUND:
            return [row[0] or f"Slice {place}" for place, row in enumerate(body, 1)]
        return [name or f"Series {place}" for place, name in enumerate(head[1:], 1)]

    def _colors(self, own: Sequence[str] | None) -> list[str]:
        return THEMES[self._theme.value].colors(MOST_COLORS, own)

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields that are not empty, labels and series among them.

        Raises:
            InvalidInput: What stands in a field or a cell is no such value.
        """
        given = super().values
        table = given.pop("labels")
        given = {name: value for name, value in given.items() if name not in self._unsuited}
        return {"type": given.pop("type"), **table, **given}

    @property
    def _unsuited(self) -> Collection[str]:
        return {name for name, control in self._options.items() if control.disabled}

    def _written(self) -> dict[str, Any]:
        return self.values

    def _problems(self, error: Exception) -> dict[str, str]:
        problems = by_field(error, {*self.fields, "series"})
        if "series" in problems:
            problems["labels"] = problems.pop("series")
        return problems

    def _fill(self, start: Mapping[str, Any]) -> None:
        given = self.tool.bind(**start)  # labels and series from a frame, too
        drawn: dict[str, Any] = {"type": "bar", **self._table.read(), **given}
        request = self.tool.validate(drawn)
        if "labels" in given:
            self._table.fill({"labels": request.labels, "series": request.series})
        for name, value in given.items():
            if value is not None and name in self.fields and name not in ("labels", "palette"):
                self.fields[name].input.fill(value)
        if own := given.get("palette"):
            # Written out, so that what follows a short palette does not change when one of its colours does.
            self._palette.fill(self._colors(own)[: max(len(own), min(len(self._colored()), MOST))])
        self._suit()
