"""An editable table of labels and series, which takes what is pasted from a spreadsheet."""

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
        """Give labels and series; rows and columns without any text are left out.

        Raises:
            InvalidInput: A cell is no number.
        """
        head, *body = self.control.texts()
        body = [row for row in body if any(text.strip() for text in row)]
        used = [place for place in range(len(head)) if not place or any(row[place].strip() for row in [head, *body])]
        return table.chart_data_of_rows(
            [head[place] for place in used], [[row[place] for place in used] for row in body]
        )

    def fill(self, value: Any) -> None:
        """Show labels and series."""
        labels, series = value["labels"], value["series"]
        head = ["", *(each.get("name", "") for each in series)]
        rows = [[label, *(_written(each["data"][place]) for each in series)] for place, label in enumerate(labels)]
        self.control.fill([head, *rows])


def _written(number: float) -> str:
    """Write a number with all its digits."""
    return str(int(number)) if number == int(number) and abs(number) < table.MAX_INTEGER else repr(float(number))
