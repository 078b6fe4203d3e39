"""Buttons that step through the rows of a table."""

import html
from collections.abc import Callable

import ipywidgets as w


class Pager:
    """The number of the current row, with buttons for the previous, the next and the longest row.

    Args:
        on_change: Called after the current row has changed.
    """

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._count, self._longest, self.index = 0, 0, 0
        self._previous = _button("Previous row", "chevron-left", lambda: self.show(self.index - 1))
        self._next = _button("Next row", "chevron-right", lambda: self.show(self.index + 1))
        self._jump = w.Button(description="Longest texts", tooltip="Show the row whose texts fit worst")
        self._jump.on_click(lambda _: self.show(self._longest))
        self._text = w.HTML()
        self._text.add_class("mediakit-pager-text")
        self.widget = w.Box([self._previous, self._text, self._next, self._jump])
        self.widget.add_class("mediakit-pager")

    def fill(self, count: int, longest: int) -> None:
        """Use the rows of a table, and show the row whose texts fit worst."""
        self._count, self._longest = count, longest
        self.show(longest)

    def show(self, index: int) -> None:
        """Show a row by index; the first row follows the last."""
        self.index = index % max(1, self._count)
        note = " · longest texts" if self.index == self._longest and self._count > 1 else ""
        text = f"Row {self.index + 1} of {self._count}{note}"
        self._text.value = f"<div role='status'>{html.escape(text)}</div>"
        self._jump.disabled = self.index == self._longest
        for button in (self._previous, self._next):
            button.disabled = self._count < 2
        self._on_change()


def _button(label: str, icon: str, on_click: Callable[[], None]) -> w.Button:
    button = w.Button(description=label, icon=icon, tooltip=label)
    button.add_class("mediakit-icon-button")
    button.on_click(lambda _: on_click())
    return button
