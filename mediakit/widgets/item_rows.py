"""The items of an invoice or receipt template as a table with rows that can be added and removed."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

import ipywidgets as w

from mediakit.engines.templates.manifest import MAX_ITEM_ROWS
from mediakit.widgets.field import Field

WIDTHS = {"name": "minmax(0, 3fr)", "qty": "minmax(0, 1fr)"}
OTHER_WIDTH = "minmax(0, 1.4fr)"
BUTTON_WIDTH = "24px"


class ItemRows:
    """The fields `item1_name`, `item1_qty` ... as rows.

    Args:
        fields: The fields by template key.
        columns: The names of the columns.
        example: Returns the example text of a template key.
        step: Returns a context manager; all changes in its block are undone together.
    """

    def __init__(
        self,
        fields: Mapping[str, Field],
        columns: Sequence[str],
        example: Callable[[str], str],
        step: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._fields, self._columns, self._example, self._step = fields, columns, example, step
        self._header = [w.HTML(f"<div class='mediakit-label' aria-hidden='true'>{column}</div>") for column in columns]
        self._corner = w.HTML()
        self._remove_buttons = [self._remove_button(row) for row in range(1, MAX_ITEM_ROWS + 1)]
        self._add_button = w.Button(description="Add an item")
        self._add_button.on_click(lambda _: self._as_step(self._add))
        self._box = w.GridBox()
        self._box.add_class("mediakit-items")
        widths = [WIDTHS.get(name, OTHER_WIDTH) for name in columns]
        self._box.layout.grid_template_columns = " ".join([*widths, BUTTON_WIDTH])
        buttons = w.Box([self._add_button])
        buttons.add_class("mediakit-buttons")
        self.widget = w.VBox([self._box, buttons])
        for name in ("mediakit-wide", "mediakit-field"):
            self.widget.add_class(name)
        for field in fields.values():
            field.control.observe(lambda _: self.update_placeholders(), "value")
        self._count = 1
        self.arrange()

    @property
    def widgets(self) -> list[w.Widget]:
        """The rows, and the buttons of rows that are not displayed."""
        return [self.widget, *self._remove_buttons]

    @property
    def has_text(self) -> bool:
        """Whether any item has a text; the template then uses no example items."""
        return any(field.control.value for field in self._fields.values())

    def update_placeholders(self) -> None:
        """Show the example texts that the template will use."""
        for name, field in self._fields.items():
            field.control.placeholder = "" if self.has_text else self._example(name)

    def arrange(self) -> None:
        """Show the rows with a text or an example, and the rows that were added."""
        used = [row for row in range(1, MAX_ITEM_ROWS + 1) if any(self._text(name) for name in self._names(row))]
        self._count = max([self._count, *used])
        rows = [
            [*(self._fields[name].widget for name in self._names(row)), self._remove_buttons[row - 1]]
            for row in range(1, self._count + 1)
        ]
        self._box.children = [*self._header, self._corner, *(widget for row in rows for widget in row)]
        self._add_button.disabled = self._count == MAX_ITEM_ROWS
        for button in self._remove_buttons:
            button.disabled = self._count == 1
        self.update_placeholders()

    def _names(self, row: int) -> list[str]:
        return [f"item{row}_{column}" for column in self._columns]

    def _text(self, name: str) -> str:
        return str(self._fields[name].control.value) if self.has_text else self._example(name)

    def _remove_button(self, row: int) -> w.Button:
        button = w.Button(description=f"Remove item {row}", icon="times", tooltip=f"Remove item {row}")
        button.on_click(lambda _: self._as_step(lambda: self._remove(row)))
        return button

    def _as_step(self, change: Callable[[], None]) -> None:
        with self._step():
            change()

    def _fill_in_examples(self) -> None:
        """Copy the examples into the fields, so that they stay when a row is added or removed."""
        if not self.has_text:
            for name, text in {name: self._example(name) for name in self._fields}.items():
                self._fields[name].control.value = text

    def _add(self) -> None:
        self._fill_in_examples()
        self._count = min(self._count + 1, MAX_ITEM_ROWS)
        self.arrange()

    def _remove(self, removed: int) -> None:
        self._fill_in_examples()
        for row in range(removed, MAX_ITEM_ROWS + 1):
            for name, next_name in zip(self._names(row), self._names(row + 1), strict=True):
                self._fields[name].control.value = self._fields[next_name].control.value if row < MAX_ITEM_ROWS else ""
        self._count = max(self._count - 1, 1)
        self.arrange()
