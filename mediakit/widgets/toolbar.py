"""The line above a form: its title, undo, reset, and whether its values are kept."""

from collections.abc import Callable

import ipywidgets as w


class Toolbar:
    """The title and the buttons of a form.

    Args:
        title: The title as HTML.
        undo: Undoes the last change.
        redo: Restores the last change that was undone.
        reset: Restores the initial values.
        keep: Starts or stops keeping the values.
    """

    def __init__(
        self,
        title: str,
        undo: Callable[[], None],
        redo: Callable[[], None],
        reset: Callable[[], None],
        keep: Callable[[bool], None],
    ) -> None:
        self._undo = _button("Undo", "Undo the last change", undo)
        self._redo = _button("Redo", "Restore the last change that was undone", redo)
        self._reset = _button("Reset", "Restore the initial values", reset)
        self._keep = w.Checkbox(value=False, description="Keep values", indent=False)
        self._keep.tooltip = "Restore these values when the cell runs again"
        self._on_restore: Callable[[], None] | None = None
        self._restore = w.Button(description="Restore your last values")
        self._restore.tooltip = "Show the values that the form had before its cell ran again"
        self._restore.on_click(lambda _: self._on_restore and self._on_restore())
        self.offer(None)
        self._note = w.HTML()
        actions = w.Box([self._restore, self._undo, self._redo, self._reset, self._keep])
        actions.add_class("mediakit-actions")
        self.widget = w.Box([w.HTML(title), actions, self._note])
        self.widget.add_class("mediakit-toolbar")
        self.update(can_undo=False, can_redo=False, is_changed=False)
        self._keep.observe(lambda change: keep(change["new"]), "value")

    @property
    def keeps(self) -> bool:
        """Whether the values are kept."""
        return bool(self._keep.value)

    def update(self, *, can_undo: bool, can_redo: bool, is_changed: bool) -> None:
        """Enable the buttons that have an effect."""
        self._undo.disabled, self._redo.disabled, self._reset.disabled = not can_undo, not can_redo, not is_changed

    def offer(self, restore: Callable[[], None] | None) -> None:
        """Show a button that restores the values of an earlier run; None hides it."""
        self._restore.layout.display = None if restore else "none"
        self._on_restore = restore

    def show_kept(self, *, is_kept: bool, note: str = "") -> None:
        """Show whether the values are kept, and a note."""
        self._keep.value = is_kept
        self._note.value = f"<div role='status' class='mediakit-help'>{note}</div>" if note else ""


def _button(text: str, tooltip: str, on_click: Callable[[], None]) -> w.Button:
    button = w.Button(description=text, tooltip=tooltip)
    button.on_click(lambda _: on_click())
    return button
