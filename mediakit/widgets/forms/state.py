"""The state of a form: undo, redo, reset, and the values that it keeps beside the notebook."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import ipywidgets as w
from traitlets import TraitError

from mediakit.widgets.forms.notebook import FrontEnd
from mediakit.widgets.inputs.base import Input, button, group, mark, markup, status

State = Mapping[str, Any]
"""The state of each input by name; the state of a table is itself a mapping."""

Names = tuple[str, ...]

MAX_STEPS = 100


class History:
    """The previous states of a form.

    Changes of one value that follow each other are one step while it is being typed, so that undo never stops at a part
    of a text or a number.
    """

    def __init__(self, read: Callable[[], State], write: Callable[[State], None]) -> None:
        self._read = read
        self._write = write
        self.steps: list[State] = []
        """The states to which undo returns, the last one first."""
        self.undone: list[State] = []
        """The states to which redo returns; none after a change."""
        self._current = self.initial = read()
        self._last_path: Names | None = None
        self._is_paused = False

    @property
    def is_changed(self) -> bool:
        """Whether the form differs from its initial state."""
        return any(_differences(self.initial, self._current))

    def record(self) -> None:
        """Add the last change as a step."""
        if self._is_paused:
            return
        state = self._read()
        paths = list(_differences(self._current, state))
        if not paths:
            return
        path = paths[0] if len(paths) == 1 else None
        if path is None or path != self._last_path or not _is_typed(self._current, state, path):
            self.steps = [*self.steps[1 - MAX_STEPS :], self._current]
        self.undone.clear()
        self._current, self._last_path = state, path

    def undo(self) -> None:
        """Show the state before the last step."""
        if self.steps:
            self.undone.append(self._current)
            self._show(self.steps.pop())

    def redo(self) -> None:
        """Show the state before the last undo."""
        if self.undone:
            self.steps.append(self._current)
            self._show(self.undone.pop())

    @contextmanager
    def step(self) -> Iterator[None]:
        """Record all changes of the block as one step."""
        was_paused, self._is_paused = self._is_paused, True
        try:
            yield
        finally:
            self._is_paused = was_paused
            self._last_path = None
            self.record()
            self._last_path = None

    def _show(self, state: State) -> None:
        self._is_paused = True
        try:
            self._write(state)
        finally:
            self._is_paused = False
        self._current, self._last_path = self._read(), None


def _differences(old: State, new: State, parent: Names = ()) -> Iterator[Names]:
    for name in dict.fromkeys([*old, *new]):
        one, other = old.get(name), new.get(name)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from _differences(one, other, (*parent, name))
        elif one != other:
            yield *parent, name


def _is_typed(old: State, new: State, path: Names) -> bool:
    """Return whether a value is a text, or a number to which digits were added or from which they were removed."""
    before, after = _value(old, path), _value(new, path)
    if isinstance(after, str):
        return True
    texts = sorted(("" if value is None else str(value) for value in (before, after)), key=len)
    return not isinstance(after, bool) and texts[1].startswith(texts[0])


def _value(state: State, path: Names) -> Any:
    value: Any = state
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


FILE = "mediakit-forms.json"
MAX_FILE_BYTES = 10_000_000

_lock = threading.Lock()
"""Forms save from the kernel's thread and from the background loop."""


class KeptValues:
    """The state of one form, by its key, in the file of the current directory, which is the notebook's directory.

    A form with another call has another initial state, and does not use the kept one.
    """

    def __init__(self, key: str, initial: Mapping[str, Any]) -> None:
        self._key = key
        self._initial = hashlib.sha256(_json(initial).encode()).hexdigest()
        self._path = Path.cwd() / FILE
        self._written = ""

    def load(self) -> Mapping[str, Any] | None:
        """Return the kept state; None if there is none for this form with this call."""
        return self._state_of(self._entries().get(self._key))

    def text(self, state: Mapping[str, Any]) -> str:
        """Return a state as text, to keep it elsewhere. The order of its parts matters when it is restored."""
        return json.dumps(self._entry(state), ensure_ascii=False)

    def parse(self, text: str) -> Mapping[str, Any] | None:
        """Return the state of a text; None if it is not a state of this form with this call."""
        with suppress(ValueError, RecursionError):
            return self._state_of(json.loads(text))
        return None

    def _entry(self, state: Mapping[str, Any]) -> dict[str, Any]:
        return {"initial": self._initial, "state": state}

    def _state_of(self, entry: Any) -> Mapping[str, Any] | None:
        state = entry.get("state") if isinstance(entry, dict) and entry.get("initial") == self._initial else None
        return state if isinstance(state, dict) else None

    def save(self, state: Mapping[str, Any] | None) -> None:
        """Keep a state; without one, remove the kept state, and the file if it is empty.

        Raises:
            OSError: The file cannot be written.
        """
        with _lock:
            if (text := _json(state)) != self._written:
                entries = {name: entry for name, entry in self._entries().items() if name != self._key}
                if state is not None:
                    entries[self._key] = self._entry(state)
                if entries:
                    temporary = self._path.with_suffix(".tmp")
                    temporary.write_text(json.dumps(entries, ensure_ascii=False, indent=1), "utf-8")
                    temporary.replace(self._path)
                else:
                    self._path.unlink(missing_ok=True)
                self._written = text

    def _entries(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, RecursionError):
            if self._path.stat().st_size <= MAX_FILE_BYTES:
                entries = json.loads(self._path.read_text("utf-8"))
                return entries if isinstance(entries, dict) else {}
        return {}


def _json(state: Mapping[str, Any] | None) -> str:
    return json.dumps(state, ensure_ascii=False, sort_keys=True)


MAX_METADATA_CHARACTERS = 100_000
"""Larger values, such as uploaded files, are not kept in the notebook."""


class Selected(NamedTuple):
    """A selection, such as that of a template, as part of a form's state."""

    state: Callable[[], str]
    restore: Callable[[str], None]
    is_kept: bool = True


Stateful = Input | Selected
"""A part of a form with a state."""

Parts = Callable[[], Mapping[str, Stateful]]


class FormState:
    """Undo, redo, reset and kept values of the parts of a form, with their buttons."""

    def __init__(self, key: str, title: str, parts: Parts, on_reset: Callable[[], None], front_end: FrontEnd) -> None:
        self._parts = parts
        self._on_reset = on_reset
        self._kept = KeptValues(key, self._kept_state())
        self.history = History(lambda: {name: part.state() for name, part in parts().items()}, self._restore)
        self._front_end = front_end
        self._offered: State = {}
        self._undo_button = button("Undo", lambda: self._apply(self.history.undo), tooltip="Undo the last change")
        self._redo_button = button("Redo", lambda: self._apply(self.history.redo))
        self._redo_button.tooltip = "Restore the last change that was undone"
        self._reset_button = button("Reset", lambda: self._restore_as_step(self.history.initial))
        self._reset_button.tooltip = "Restore the initial values"
        self._restore_button = button("Restore your last values", lambda: self._restore_as_step(self._offered))
        self._restore_button.tooltip = "Show the values that the form had before its cell ran again"
        self._keep_box = w.Checkbox(value=False, description="Keep values", indent=False)
        self._keep_box.tooltip = "Restore these values when the cell runs again"
        self._note = markup()
        buttons = [self._restore_button, self._undo_button, self._redo_button, self._reset_button]
        actions = group([*buttons, self._keep_box], "actions")
        self.widget = group([markup(title), actions, self._note], "toolbar")
        """The title and the buttons."""
        self._update()
        self._keep_box.observe(lambda change: self._keep(change["new"]), "value")
        # The script keeps the values in the notebook, and offers them when the cell runs again.
        front_end.observe(lambda change: self._offer(change["new"]), "previous")

    def _offer(self, text: str) -> None:
        """Show a button that restores the values of an earlier run."""
        if (state := self._kept.parse(text)) and state != self._kept_state():
            self._offered = state
            mark(self._restore_button, "gone", marked=False)

    def _restore_as_step(self, state: State) -> None:
        with self.history.step():
            self._restore(state)
        self._update()
        self._on_reset()

    def load(self) -> None:
        """Restore the kept values, if there are any."""
        if state := self._kept.load():
            self._restore_as_step(state)
            self._keep_box.value = True

    def record(self) -> None:
        """Record a change, so that it can be undone."""
        self.history.record()
        self._update()
        text = self._kept.text(self._kept_state())
        if len(text) <= MAX_METADATA_CHARACTERS:
            self._front_end.values = text

    def save(self) -> None:
        """Write the values to the file if they are kept."""
        if self._keep_box.value:
            self._keep(is_kept=True)

    def _kept_state(self) -> State:
        return {name: part.state() for name, part in self._parts().items() if part.is_kept}

    def _restore(self, state: State) -> None:
        for name, value in state.items():
            part = self._parts().get(name)
            if part and part.state() != value:
                # A state from a changed file that does not fit the input is ignored.
                with suppress(TraitError, TypeError, ValueError, LookupError, AttributeError):
                    part.restore(value)

    def _apply(self, step: Callable[[], None]) -> None:
        step()
        self._update()

    def _keep(self, is_kept: bool) -> None:  # noqa: FBT001  # the new value of a checkbox
        try:
            self._kept.save(self._kept_state() if is_kept else None)
        except OSError:
            self._keep_box.value = False
            self._note.value = status(f"{FILE} cannot be written beside the notebook.")

    def _update(self) -> None:
        """Enable the buttons that have an effect, and hide the one that restores values of an earlier run."""
        self._offered = {}
        mark(self._restore_button, "gone", marked=True)
        self._undo_button.disabled = not self.history.steps
        self._redo_button.disabled = not self.history.undone
        self._reset_button.disabled = not self.history.is_changed
