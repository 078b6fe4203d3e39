"""The input for the labels and series of a chart: an editable table."""

from typing import Any

from mediakit.core.parameters import Parameter
from mediakit.engines.tables import clipboard as table
from mediakit.widgets.cells import Cells
from mediakit.widgets.inputs import Input, heading


class TableInput(Input):
    """Labels and series in one table."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, Cells())
        self.caption = heading("data")

    def read(self) -> Any:
        """Return labels and series without empty rows and columns.

        Raises:
            InvalidInput: A cell is not a number.
        """
        head, *body = self.control.texts()
        body = [row for row in body if any(text.strip() for text in row)]
        used = [at for at in range(len(head)) if not at or any(row[at].strip() for row in [head, *body])]
        return table.chart_data_of_rows([head[at] for at in used], [[row[at] for at in used] for row in body])

    def fill(self, value: Any) -> None:
        """Show labels and series."""
        labels, series = value["labels"], value["series"]
        head = ["", *(each.get("name", "") for each in series)]
        rows = [[label, *(_text(each["data"][index]) for each in series)] for index, label in enumerate(labels)]
        self.control.fill([head, *rows])


def _text(number: float) -> str:
    """Return a number with all its digits."""
    return str(int(number)) if number == int(number) and abs(number) < table.MAX_INTEGER else repr(float(number))
