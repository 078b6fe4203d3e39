"""The cells of a table to edit: type, paste, add, move and remove rows and columns, and undo all of that."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as w
from traitlets import Unicode

from mediakit.engines.tables import clipboard as table

MOST_ROWS, MOST_SERIES = 50, 10
START = [["", "2025", "2026"], ["Spring", "12", "15"], ["Summer", "30", "34"], ["Autumn", "18", "21"]]
REMEMBERED = 100
"""Steps that can be undone."""
LOST = f"A chart takes {MOST_ROWS} labels and {MOST_SERIES} series; the rest was left out."

Grid = list[list[str]]


class Cells(w.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """The cells; `value` is all of their text, and follows every change.

    A cell is a text area, because a text field would drop the line ends of what is pasted into it. Widgets are kept
    when the table changes, so that the focus stays where it is and the browser is told little.
    """

    value = Unicode()

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], w.Textarea] = {}
        self._ends: dict[tuple[str, int], Ends] = {}
        self._grid: Grid = []
        self._past: list[Grid] = []
        self._typed_in: tuple[int, int] | None = None
        self._is_filling = False
        self._box = w.GridBox()
        self._box.add_class("mediakit-cells")
        self._gaps = (w.HTML(), w.HTML(), w.HTML())
        self._note = w.HTML()
        self._paste = w.Textarea(description="Paste a whole table", rows=1, placeholder="From a spreadsheet, or as CSV")
        self._paste.style = {"description_width": "auto"}
        self._paste.observe(self._pasted, "value")
        self._more_rows = _button("Add a row", lambda: self._become([*self._grid, []]))
        self._more_series = _button("Add a series", lambda: self._become([[*row, ""] for row in self._grid]))
        self._undo = _button("Undo", self._step_back)
        buttons = w.Box([self._more_rows, self._more_series, self._undo])
        buttons.add_class("mediakit-buttons")
        super().__init__([self._box, buttons, self._note, self._paste])
        self.fill(START)

    def texts(self) -> Grid:
        """Give the text of every cell, row by row; the first row names the series."""
        return [row[:] for row in self._grid]

    def cell(self, row: int, column: int) -> w.Textarea:
        """Give the control of a cell; row 0 has the names of the series, column 0 the labels."""
        return self._cells[row, column]

    def fill(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these texts, and forget what could be undone."""
        self._past.clear()
        self._show(rows)

    def _become(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these texts, as a step that can be undone."""
        self._remember()
        self._show(rows)

    def _remember(self) -> None:
        self._past = [*self._past[1 - REMEMBERED :], self.texts()]

    def _step_back(self) -> None:
        if self._past:
            self._show(self._past.pop())

    def _show(self, rows: Sequence[Sequence[str]]) -> None:
        wanted = max(map(len, rows))
        width, height = min(max(wanted, 2), MOST_SERIES + 1), min(max(len(rows), 2), MOST_ROWS + 1)
        padded = [[*row, *[""] * width][:width] for row in [*rows, [], []]]
        self._grid = padded[:height]
        self._typed_in = None
        self._is_filling = True
        gone = [self._cells.pop(place) for place in [*self._cells] if place[0] >= height or place[1] >= width]
        gone += [
            self._ends.pop(end).box for end in [*self._ends] if end[1] >= (width if end[0] == "series" else height)
        ]
        for row, texts in enumerate(self._grid):
            for column, text in enumerate(texts):
                self._kept(row, column).value = text
        self._is_filling = False
        self._arrange(width, height)
        for widget in gone:  # no longer shown
            _close(widget)
        is_short = len(rows) > height or wanted > width
        self._note.value = f"<div role='status' class='mediakit-help'>{LOST}</div>" if is_short else ""
        self._tell()

    def _arrange(self, width: int, height: int) -> None:
        first, above, after = self._gaps
        shown = [first, *(self._end("series", column, width) for column in range(1, width)), above]
        for row in range(height):
            shown += [self._cells[row, column] for column in range(width)]
            shown.append(self._end("row", row, height) if row else after)
        if tuple(shown) != self._box.children:
            self._box.children = shown
        self._box.layout.grid_template_columns = f"minmax(64px, 1.5fr) repeat({width - 1}, minmax(48px, 1fr)) auto"
        self._more_rows.disabled, self._more_series.disabled = height > MOST_ROWS, width > MOST_SERIES

    def _end(self, kind: str, number: int, count: int) -> w.Box:
        """Give the buttons that move and remove a row or a series."""
        if (kind, number) not in self._ends:
            self._ends[kind, number] = Ends(
                f"{kind} {number}",
                "arrow-left" if kind == "series" else "arrow-up",
                lambda: self._become(_moved(self._grid, kind, number)),
                lambda: self._become(_removed(self._grid, kind, number)),
            )
        ends = self._ends[kind, number]
        ends.move.disabled, ends.remove.disabled = number == 1, count == 2
        return ends.box

    def _kept(self, row: int, column: int) -> w.Textarea:
        if (row, column) not in self._cells:
            self._cells[row, column] = self._made(row, column)
        return self._cells[row, column]

    def _made(self, row: int, column: int) -> w.Textarea:
        if row:
            name = f"Series {column}, row {row}" if column else f"Label {row}"
        else:
            name = f"Name of series {column}" if column else "Corner"
        cell = w.Textarea(description=name, rows=1, placeholder="" if row or not column else f"Series {column}")
        cell.layout.width = "auto"
        cell.disabled = not row and not column
        cell.observe(lambda change: self._typed(row, column, change["new"]), "value")
        return cell

    def _typed(self, row: int, column: int, text: str) -> None:
        if self._is_filling:
            return
        if "\n" in text or "\t" in text:
            self._spread(row, column, text)
            return
        if self._typed_in != (row, column):
            self._remember()
            self._typed_in = (row, column)
        self._grid[row][column] = text
        self._tell()

    def _spread(self, row: int, column: int, text: str) -> None:
        """Write pasted cells from this one on; a table with a head, put on the first label, takes the head along."""
        block = table.parse_column(text) if column else table.parse_table(text)
        grid = self.texts()
        if (row, column) == (1, 0) and len(block) > 1 and len(block[0]) > 1 and table.has_header(block):
            row = 0
        for down, line in enumerate(block or [[""]], row):
            grid += [[]] * (down + 1 - len(grid))
            grid[down] = _laid(grid[down], column, line)
        self._become(grid)

    def _pasted(self, change: dict[str, Any]) -> None:
        rows = table.parse_table(change["new"])
        if not rows:
            return
        self._paste.value = ""
        self._become(rows if table.has_header(rows) else [[], *rows])

    def _tell(self) -> None:
        for row, column in table.invalid_cells(self._grid):
            self._cells[row, column].add_class("mediakit-bad")
        for place in self._cells.keys() - set(table.invalid_cells(self._grid)):
            self._cells[place].remove_class("mediakit-bad")
        self._undo.disabled = not self._past
        self.value = json.dumps(self._grid)


class Ends:
    """Two small buttons at the end of a row or a column."""

    def __init__(self, name: str, arrow: str, move: Callable[[], None], remove: Callable[[], None]) -> None:
        way = arrow.removeprefix("arrow-")
        self.move = _button(f"Move {name} {way}", move, icon=arrow, tooltip=f"Move {name} {way}")
        self.remove = _button(f"Remove {name}", remove, icon="times", tooltip=f"Remove {name}")
        self.box = w.Box([self.move, self.remove])
        self.box.add_class("mediakit-ends")


def _button(text: str, act: Callable[[], None], **more: str) -> w.Button:
    button = w.Button(description=text, **more)
    button.on_click(lambda _: act())
    return button


def _close(widget: w.Widget) -> None:
    for child in getattr(widget, "children", ()):
        _close(child)
    widget.close()


def _moved(grid: Grid, kind: str, number: int) -> Grid:
    """Exchange a row or a column with the one before it."""
    order = list(range(len(grid) if kind == "row" else len(grid[0])))
    order[number - 1], order[number] = order[number], order[number - 1]
    return [grid[place] for place in order] if kind == "row" else [[row[place] for place in order] for row in grid]


def _removed(grid: Grid, kind: str, number: int) -> Grid:
    if kind == "row":
        return [row for place, row in enumerate(grid) if place != number]
    return [[text for place, text in enumerate(row) if place != number] for row in grid]


def _laid(row: list[str], column: int, texts: list[str]) -> list[str]:
    padded = [*row, *[""] * (column + len(texts) - len(row))]
    return [*padded[:column], *texts, *padded[column + len(texts) :]]
