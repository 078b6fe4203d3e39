"""An editable table of labels and series, which takes what is pasted from a spreadsheet."""

from collections.abc import Sequence
from typing import Any

import ipywidgets as w
from traitlets import Unicode

from mediakit.core import table
from mediakit.core.parameters import Parameter
from mediakit.widgets.inputs import Input

MOST_ROWS, MOST_SERIES = 50, 10
START = [["", "2025", "2026"], ["Spring", "12", "15"], ["Summer", "30", "34"], ["Autumn", "18", "21"]]


class Cells(w.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The cells; `value` is all of their text, and follows every change."""

    value = Unicode()

    def __init__(self) -> None:
        self._rows: list[list[w.Text]] = []
        self._grid = w.GridBox()
        self._grid.add_class("mediakit-cells")
        self._paste = w.Textarea(description="Paste from a spreadsheet", rows=1, placeholder="Labels and numbers")
        self._paste.style = {"description_width": "auto"}
        self._paste.observe(self._pasted, "value")
        more, other = w.Button(description="Add a row"), w.Button(description="Add a series")
        more.on_click(lambda _: self.fill([*self.texts(), []]))
        other.on_click(lambda _: self.fill([[*row, ""] for row in self.texts()]))
        buttons = w.Box([more, other])
        buttons.add_class("mediakit-buttons")
        super().__init__([self._grid, buttons, self._paste])
        self.fill(START)

    def texts(self) -> list[list[str]]:
        """Give the text of every cell."""
        return [[cell.value for cell in row] for row in self._rows]

    def fill(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these texts."""
        width = min(max(map(len, rows)), MOST_SERIES + 1)
        shown = [[*row[:width], *[""] * (width - len(row))] for row in rows[: MOST_ROWS + 1]]
        self._rows = [
            [self._cell(row, column, text) for column, text in enumerate(line)] for row, line in enumerate(shown)
        ]
        self._grid.children = [cell for row in self._rows for cell in row]
        self._grid.layout.grid_template_columns = f"minmax(70px, 1.5fr) repeat({width - 1}, minmax(52px, 1fr))"
        self._tell()

    def _cell(self, row: int, column: int, text: str) -> w.Text:
        if not row:
            name = f"Name of series {column}" if column else "Corner"
        else:
            name = f"Series {column}, row {row}" if column else f"Label {row}"
        cell = w.Text(text, description=name, placeholder="" if row or not column else f"Series {column}")
        cell.layout.width = "auto"
        if not row and not column:
            cell.disabled = True
        cell.observe(lambda _: self._tell(), "value")
        return cell

    def _pasted(self, change: dict[str, Any]) -> None:
        rows = table.rows(change["new"])
        if not rows:
            return
        self._paste.value = ""
        self.fill(rows if table.has_head(rows) else [[""] * len(rows[0]), *rows])

    def _tell(self) -> None:
        self.value = "\n".join("\t".join(row) for row in self.texts())


class TableInput(Input):
    """Labels and series in one table."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, Cells())
        self.caption = w.HTML("<div class='mediakit-label'>data</div>")

    def read(self) -> Any:
        """Give labels and series; rows and columns without any text are left out.

        Raises:
            InvalidInput: A cell is no number.
        """
        head, *body = self.control.texts()
        body = [row for row in body if any(text.strip() for text in row)]
        used = [place for place in range(len(head)) if not place or any(row[place].strip() for row in [head, *body])]
        return table.chart_data([head[place] for place in used], [[row[place] for place in used] for row in body])

    def fill(self, value: Any) -> None:
        """Show labels and series."""
        labels, series = value["labels"], value["series"]
        head = ["", *(each.get("name", "") for each in series)]
        rows = [[label, *(f"{each['data'][place]:g}" for each in series)] for place, label in enumerate(labels)]
        self.control.fill([head, *rows])
