"""The form of charts: labels and series in an editable table."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mediakit.core.results import ImageResult
from mediakit.widgets.field import Field
from mediakit.widgets.form import Form, fields_of
from mediakit.widgets.problems import by_field
from mediakit.widgets.table_input import TableInput

HELP = "A row for each label, a column for each series, its name on top."


class ChartForm(Form[ImageResult]):
    """A form of a chart."""

    def _make_fields(self) -> dict[str, Field]:
        fields = fields_of(self.tool, without=("labels", "series"))
        labels = next(parameter for parameter in self.tool.parameters if parameter.name == "labels")
        self._table = Field(replace(labels, help=HELP), made=TableInput(labels))
        first = {name: fields.pop(name) for name in ("type", "title")}
        first["type"].input.fill("bar")
        return {**first, "labels": self._table, **fields}

    @property
    def values(self) -> dict[str, Any]:
        """The values of the fields that are not empty, labels and series among them.

        Raises:
            InvalidInput: What stands in a field or a cell is no such value.
        """
        given = super().values
        return {"type": given.pop("type"), **given.pop("labels"), **given}

    def _written(self) -> dict[str, Any]:
        written = super()._written()
        return {**written, **written.pop("labels")}

    def _problems(self, error: Exception) -> dict[str, str]:
        problems = by_field(error, {*self.fields, "series"})
        if "series" in problems:
            problems["labels"] = problems.pop("series")
        return problems

    def _fill(self, start: Mapping[str, Any]) -> None:
        given = self.tool.bind(**start)  # labels and series from a frame, too
        drawn: dict[str, Any] = {"type": "bar", **self._table.input.read(), **given}
        request = self.tool.validate(drawn)
        if "labels" in given:
            self._table.input.fill({"labels": request.labels, "series": request.series})
        for name, value in given.items():
            if value is not None and name in self.fields and name != "labels":
                self.fields[name].input.fill(value)
