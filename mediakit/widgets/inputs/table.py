"""An editable table of cells."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import anywidget
import ipywidgets as w
from traitlets import Unicode

from mediakit.core.parameters import Parameter
from mediakit.engines.tables import clipboard as table
from mediakit.widgets.inputs.base import (
    Input,
    button,
    classes,
    group,
    heading,
    labeled,
    mark,
    markup,
    script,
    shared,
    status,
    styled,
)

MAX_ROWS, MAX_SERIES = 50, 10
EXAMPLE = [["", "2025", "2026"], ["Spring", "12", "15"], ["Summer", "30", "34"], ["Autumn", "18", "21"]]
TRUNCATED_MESSAGE = f"A chart has at most {MAX_ROWS} labels and {MAX_SERIES} series. The rest of the table was omitted."

Grid = list[list[str]]


class Cells(w.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """An editable table; `value` is the text of all cells as JSON and changes with every edit.

    Each cell is a text area, because a text field drops the line breaks of pasted text. Cell widgets are reused
    when the table changes, to keep the focus and to send few messages to the browser.
    """

    value = Unicode()

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], w.Textarea] = {}
        """The controls by row and column; row 0 has the names of the series, column 0 the labels."""
        self._line_buttons: dict[tuple[str, int], LineButtons] = {}
        self._grid: Grid = []
        self._is_filling = False
        self.allows_gaps = False
        """Whether empty cells are missing values instead of errors."""
        self._box = styled(w.GridBox(), "cells")
        self._spacers = (markup(), markup(), markup())
        self._message = markup()
        hint = "From a spreadsheet, or as CSV"
        self._paste = w.Textarea(**labeled("Paste a whole table"), rows=1, placeholder=hint)
        self._paste.observe(self._on_paste, "value")
        self._add_row = button("Add a row", lambda: self.show([*self._grid, []]))
        self._add_series = button("Add a series", lambda: self.show([[*row, ""] for row in self._grid]))
        buttons = group([self._add_row, self._add_series], "buttons")
        super().__init__([self._box, styled(SheetKeys(), "style"), buttons, self._message, self._paste])
        self.show(EXAMPLE)

    def texts(self) -> Grid:
        """Return the text of every cell by row; the first row contains the names of the series."""
        return [row[:] for row in self._grid]

    def show(self, rows: Sequence[Sequence[str]]) -> None:
        """Show a table."""
        columns = max(map(len, rows))
        width, height = min(max(columns, 2), MAX_SERIES + 1), min(max(len(rows), 2), MAX_ROWS + 1)
        padded = [[*row, *[""] * width][:width] for row in [*rows, [], []]]
        self._grid = padded[:height]
        ends = [line for line in self._line_buttons if line[1] >= (width if line[0] == "series" else height)]
        cells = [self.cells.pop(at) for at in [*self.cells] if at[0] >= height or at[1] >= width]
        removed = [*cells, *(self._line_buttons.pop(line).box for line in ends)]
        self._is_filling = True
        for row, texts in enumerate(self._grid):
            for column, text in enumerate(texts):
                self._cell(row, column).value = text
        self._is_filling = False
        self._arrange(width, height)
        for widget in removed:  # close them only after they are removed from the table
            _close(widget)
        is_truncated = len(rows) > height or columns > width
        self._message.value = status(TRUNCATED_MESSAGE if is_truncated else "")
        self._notify()

    def _arrange(self, width: int, height: int) -> None:
        first, last, corner = self._spacers
        children = [first, *(self._buttons("series", column, width) for column in range(1, width)), last]
        for row in range(height):
            children += [self.cells[row, column] for column in range(width)]
            children.append(self._buttons("row", row, height) if row else corner)
        if tuple(children) != self._box.children:
            self._box.children = children
        self._box.layout.grid_template_columns = f"minmax(64px, 1.5fr) repeat({width - 1}, minmax(48px, 1fr)) auto"
        self._add_row.disabled, self._add_series.disabled = height > MAX_ROWS, width > MAX_SERIES

    def _buttons(self, kind: str, number: int, count: int) -> w.Box:
        """Return the buttons that move and remove a row or a series."""
        if (kind, number) not in self._line_buttons:
            self._line_buttons[kind, number] = LineButtons(
                f"{kind} {number}",
                "left" if kind == "series" else "up",
                lambda: self.show(_moved(self._grid, kind, number)),
                lambda: self.show(_moved(self._grid, kind, number, removes=True)),
            )
        buttons = self._line_buttons[kind, number]
        buttons.move.disabled, buttons.remove.disabled = number == 1, count == 2
        return buttons.box

    def _cell(self, row: int, column: int) -> w.Textarea:
        """Return the widget of a cell, which is created if necessary."""
        if (row, column) in self.cells:
            return self.cells[row, column]
        if row:
            name = f"Series {column}, row {row}" if column else f"Label {row}"
        else:
            name = f"Name of series {column}" if column else "Corner"
        self.cells[row, column] = cell = w.Textarea(
            description=name,
            rows=1,
            placeholder="" if row or not column else f"Series {column}",
            disabled=not row and not column,
            layout=shared(w.Layout),
            _dom_classes=classes(f"at-{row}-{column}"),  # by which the script finds the cell
        )
        cell.observe(lambda change: self._on_edit(row, column, change["new"]), "value")
        return cell

    def _on_edit(self, row: int, column: int, text: str) -> None:
        """Show an edited text, or pasted cells from this one on."""
        if self._is_filling:
            return
        if "\n" not in text and "\t" not in text:
            self._grid[row][column] = text
            self._notify()
            return
        block = table.parse_column(text) if column else table.parse_table(text)
        grid = self.texts()
        if (row, column) == (1, 0) and len(block) > 1 and len(block[0]) > 1 and table.has_header(block):
            row = 0  # a table with a header, pasted into the first label, replaces the header
        for target, line in enumerate(block or [[""]], row):
            grid += [[]] * (target + 1 - len(grid))
            padded = [*grid[target], *[""] * (column + len(line) - len(grid[target]))]
            grid[target] = [*padded[:column], *line, *padded[column + len(line) :]]
        self.show(grid)

    def _on_paste(self, change: dict[str, Any]) -> None:
        if rows := table.parse_table(change["new"]):
            self._paste.value = ""
            self.show(rows if table.has_header(rows) else [[], *rows])

    def _notify(self) -> None:
        """Mark invalid cells and update `value`."""
        found = table.invalid_cells(self._grid)
        invalid = {at for at in found if not self.allows_gaps or self._grid[at[0]][at[1]].strip()}
        for at, cell in self.cells.items():
            mark(cell, "bad", marked=at in invalid)
        self.value = json.dumps(self._grid)


class LineButtons:
    """The two buttons at the end of a row or a column."""

    def __init__(self, name: str, direction: str, move: Callable[[], None], remove: Callable[[], None]) -> None:
        move_text, remove_text = f"Move {name} {direction}", f"Remove {name}"
        self.move = button(move_text, move, icon=f"arrow-{direction}", tooltip=move_text)
        self.remove = button(remove_text, remove, icon="times", tooltip=remove_text)
        self.box = group([self.move, self.remove], "line-buttons")


def _close(widget: w.Widget) -> None:
    for child in getattr(widget, "children", ()):
        _close(child)
    widget.close()


def _moved(grid: Grid, kind: str, number: int, *, removes: bool = False) -> Grid:
    """Return the table with a row or a column before the previous one, or without it."""
    order = list(range(len(grid) if kind == "row" else len(grid[0])))
    line = order.pop(number)
    order[number - 1 : number - 1] = [] if removes else [line]
    return [grid[index] for index in order] if kind == "row" else [[row[index] for index in order] for row in grid]


class SheetKeys(anywidget.AnyWidget):
    """An invisible element beside the table, whose script handles the keys of the table."""

    _esm = script("sheet_keys.js")


class TableInput(Input):
    """Labels and series in one table."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, Cells())
        self.caption = heading("data")

    def read(self) -> Any:
        """Return labels and series without empty rows and columns."""
        head, *body = self.control.texts()
        body = [row for row in body if any(text.strip() for text in row)]
        used = [at for at in range(len(head)) if not at or any(row[at].strip() for row in [head, *body])]
        rows = [[row[at] for at in used] for row in body]
        return table.chart_data_of_rows([head[at] for at in used], rows, gaps=self.control.allows_gaps)

    def fill(self, value: Any) -> None:
        """Show labels and series."""
        labels, series = value["labels"], value["series"]
        head = ["", *(each.get("name", "") for each in series)]
        rows = [[str(text), *(_text(each["data"][index]) for each in series)] for index, text in enumerate(labels)]
        self.control.show([head, *rows])

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
