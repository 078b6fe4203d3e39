"""The input for the labels and series of a chart: an editable table."""

from typing import Any

from mediakit.core.parameters import Parameter
from mediakit.engines.tables import clipboard as table
from mediakit.widgets.cells import MAX_ROWS, MAX_SERIES, Cells
from mediakit.widgets.inputs import Input, heading


class TableInput(Input):
    """Labels and series in one table."""

    wide = True
    allows_gaps = False
    """Whether empty cells are missing values instead of errors."""

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
        rows = [[row[at] for at in used] for row in body]
        return table.chart_data_of_rows([head[at] for at in used], rows, gaps=self.allows_gaps)

    def fill(self, value: Any) -> None:
        """Show labels and series."""
        labels, series = value["labels"], value["series"]
        head = ["", *(each.get("name", "") for each in series)]
        rows = [[str(label), *(_text(each["data"][index]) for each in series)] for index, label in enumerate(labels)]
        self.control.show([head, *rows])

    def allow_gaps(self, allowed: bool) -> None:  # noqa: FBT001  # the state of a control
        """Set whether empty cells are missing values instead of errors."""
        self.allows_gaps = allowed
        self.control.allow_blanks(allowed)

    def state(self) -> Any:
        """Return the text of each cell by its row and column."""
        texts = self.control.texts()
        return {f"{row},{column}": text for row, line in enumerate(texts) for column, text in enumerate(line)}

    def restore(self, state: Any) -> None:
        """Show the cells of an earlier state."""
        cells = {tuple(map(int, key.split(","))): str(text) for key, text in state.items()}
        height, width = (1 + max(at[axis] for at in cells) for axis in (0, 1))
        rows, columns = range(min(height, MAX_ROWS + 1)), range(min(width, MAX_SERIES + 1))
        self.control.show([[cells.get((row, column), "") for column in columns] for row in rows])


def _text(number: float | None) -> str:
    """Return a number with all its digits; empty for a missing value."""
    if number is None:
        return ""
    return str(int(number)) if number == int(number) and abs(number) < table.MAX_INTEGER else repr(float(number))
