"""The state of a form: undo, redo, reset, and the values that it keeps beside the notebook."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

import ipywidgets as w
from traitlets import TraitError

from mediakit.widgets.front_end import FrontEnd
from mediakit.widgets.history import History, State
from mediakit.widgets.kept_values import FILE, KeptValues
from mediakit.widgets.toolbar import Toolbar

MAX_METADATA_CHARACTERS = 100_000
"""Larger values, such as uploaded files, are not kept in the notebook."""


class Stateful(Protocol):
    """An input, or another part of a form with a state."""

    is_kept: bool
    """Whether the state may be written to a file."""

    def state(self) -> Any:
        """Return the state."""

    def restore(self, state: Any) -> None:
        """Show a state."""


class Selected:
    """A selection, such as that of a template, as part of a form's state."""

    is_kept = True

    def __init__(self, read: Callable[[], str], select: Callable[[str], None]) -> None:
        self.state = read
        self.restore = select


class FormState:
    """Undo, redo, reset and kept values, with their buttons.

    Args:
        key: Identifies the form in the file of kept values.
        title: The title of the form as HTML.
        parts: Returns the parts with a state by name. A part that creates others, such as the selection of a template,
            is before them.
        on_reset: Called after the initial values are restored.
    """

    def __init__(
        self, key: str, title: str, parts: Callable[[], Mapping[str, Stateful]], on_reset: Callable[[], None]
    ) -> None:
        self._parts = parts
        self._on_reset = on_reset
        self._toolbar = Toolbar(title, self._undo, self._redo, self._reset, self._keep)
        self._kept = KeptValues(key, self._kept_state())
        self._history = History(self._state, self._restore)
        self._front_end: FrontEnd | None = None

    @property
    def widget(self) -> w.DOMWidget:
        """The title and the buttons."""
        return self._toolbar.widget

    def connect(self, front_end: FrontEnd, key: str) -> None:
        """Keep the values in the notebook with the script of the form, which offers them when its cell runs again."""
        front_end.key, self._front_end = key, front_end
        front_end.observe(lambda change: self._offer(change["new"]), "previous")

    def _offer(self, text: str) -> None:
        if (state := self._kept.parse(text)) and state != self._kept_state():
            self._toolbar.offer(lambda: self._restore_offered(state))

    def _restore_offered(self, state: State) -> None:
        with self._history.step():
            self._restore(state)
        self._update()
        self._on_reset()

    def load(self) -> None:
        """Restore the kept values, if there are any."""
        if state := self._kept.load():
            with self._history.step():
                self._restore(state)
            self._update()
            self._on_reset()
            self._toolbar.show_kept(is_kept=True)

    def record(self) -> None:
        """Record a change, so that it can be undone."""
        self._history.record()
        self._update()
        text = self._kept.text(self._kept_state())
        if self._front_end and len(text) <= MAX_METADATA_CHARACTERS:
            self._front_end.values = text

    def step(self) -> AbstractContextManager[None]:
        """Record all changes of a block as one step."""
        return self._history.step()

    def save(self) -> None:
        """Write the values to the file if they are kept."""
        if self._toolbar.keeps:
            self._keep(is_kept=True)

    def _state(self) -> State:
        return {name: part.state() for name, part in self._parts().items()}

    def _kept_state(self) -> State:
        return {name: part.state() for name, part in self._parts().items() if part.is_kept}

    def _restore(self, state: State) -> None:
        for name, value in state.items():
            part = self._parts().get(name)
            if part and part.state() != value:
                _restore_part(part, value)

    def _undo(self) -> None:
        self._history.undo()
        self._update()

    def _redo(self) -> None:
        self._history.redo()
        self._update()

    def _reset(self) -> None:
        self._history.reset()
        self._update()
        self._on_reset()

    def _keep(self, is_kept: bool) -> None:  # noqa: FBT001  # the new value of a checkbox
        try:
            if is_kept:
                self._kept.save(self._kept_state())
            else:
                self._kept.remove()
        except OSError:
            self._toolbar.show_kept(is_kept=False, note=f"{FILE} cannot be written beside the notebook.")

    def _update(self) -> None:
        self._toolbar.offer(None)
        history = self._history
        self._toolbar.update(can_undo=history.can_undo, can_redo=history.can_redo, is_changed=history.is_changed)


def _restore_part(part: Stateful, state: Any) -> None:
    """Show a state; one from a changed file that does not fit the input is ignored."""
    try:
        part.restore(state)
    except (TraitError, TypeError, ValueError, LookupError, AttributeError):
        return
