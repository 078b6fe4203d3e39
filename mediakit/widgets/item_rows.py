"""The rows of goods and services of a template, as a table that grows and shrinks by rows."""

from collections.abc import Callable, Mapping, Sequence

import ipywidgets as w

from mediakit.engines.templates.items import ROWS
from mediakit.widgets.field import Field

WIDTHS = {"name": "minmax(0, 3fr)", "qty": "minmax(0, 1fr)"}


class ItemRows:
    """The fields `item1_name`, `item1_qty` ... row by row.

    Args:
        fields: The fields by the names of their keys.
        columns: Names of the columns.
        examples: Gives the example text of a key.
    """

    def __init__(self, fields: Mapping[str, Field], columns: Sequence[str], examples: Callable[[str], str]) -> None:
        self._fields, self._columns, self._examples = fields, columns, examples
        self._heads = [w.HTML(f"<div class='mediakit-label' aria-hidden='true'>{column}</div>") for column in columns]
        self._corner = w.HTML()
        self._removes = [self._remove_button(row) for row in range(1, ROWS + 1)]
        self._more = w.Button(description="Add an item")
        self._more.on_click(lambda _: self._add())
        self._box = w.GridBox()
        self._box.add_class("mediakit-items")
        self._box.layout.grid_template_columns = " ".join(WIDTHS.get(name, "minmax(0, 1.4fr)") for name in columns)
        self._box.layout.grid_template_columns += " 24px"
        buttons = w.Box([self._more])
        buttons.add_class("mediakit-buttons")
        self.widget = w.VBox([self._box, buttons])
        for name in ("mediakit-wide", "mediakit-field"):
            self.widget.add_class(name)
        for field in fields.values():
            field.control.observe(lambda _: self.word(), "value")
        self._count = 1
        self.arrange()

    @property
    def is_own(self) -> bool:
        """Whether some item is written; then no example stays."""
        return any(field.control.value for field in self._fields.values())

    def word(self) -> None:
        """Show the examples that would be drawn."""
        for name, field in self._fields.items():
            field.control.placeholder = "" if self.is_own else self._examples(name)

    def arrange(self) -> None:
        """Show the rows that have a text or would have an example, and those that were added."""
        shown = range(1, ROWS + 1)
        used = [row for row in shown if any(self._text(name) for name in self._names(row))]
        self._count = max([self._count, *used])
        rows = [
            [*(self._fields[name].widget for name in self._names(row)), self._removes[row - 1]]
            for row in range(1, self._count + 1)
        ]
        self._box.children = [*self._heads, self._corner, *(widget for row in rows for widget in row)]
        self._more.disabled = self._count == ROWS
        for button in self._removes:
            button.disabled = self._count == 1
        self.word()

    def _names(self, row: int) -> list[str]:
        return [f"item{row}_{column}" for column in self._columns]

    def _text(self, name: str) -> str:
        return str(self._fields[name].control.value) if self.is_own else self._examples(name)

    def _remove_button(self, row: int) -> w.Button:
        button = w.Button(description=f"Remove item {row}", icon="times", tooltip=f"Remove item {row}")
        button.on_click(lambda _: self._remove(row))
        return button

    def _settle(self) -> None:
        """Write the examples down before rows come or go, so that those that stay do stay."""
        if not self.is_own:
            for name, text in {name: self._examples(name) for name in self._fields}.items():
                self._fields[name].control.value = text

    def _add(self) -> None:
        self._settle()
        self._count = min(self._count + 1, ROWS)
        self.arrange()

    def _remove(self, row: int) -> None:
        self._settle()
        for place in range(row, ROWS + 1):
            for name, below in zip(self._names(place), self._names(place + 1), strict=True):
                self._fields[name].control.value = self._fields[below].control.value if place < ROWS else ""
        self._count = max(self._count - 1, 1)
        self.arrange()
