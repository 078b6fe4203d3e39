"""The state of a form: undo, redo, reset, and the values that it keeps beside the notebook."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import ipywidgets as w
from traitlets import TraitError

from mediakit.widgets.forms.notebook import FrontEnd

State = Mapping[str, Any]
"""The state of each input by name; the state of a table is itself a mapping."""

Names = tuple[str, ...]

MAX_STEPS = 100


class History:
    """The previous states of a form.

    Changes of one value that follow each other are one step while it is being typed, so that undo never stops at a part
    of a text or a number.

    Args:
        read: Returns the current state of the form.
        write: Shows a state in the form.
    """

    def __init__(self, read: Callable[[], State], write: Callable[[State], None]) -> None:
        self._read = read
        self._write = write
        self._steps: list[State] = []
        self._undone: list[State] = []
        self._current = self.initial = read()
        self._last_path: Names | None = None
        self._is_paused = False

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._steps)

    @property
    def can_redo(self) -> bool:
        """Whether a step was undone, and nothing was changed since."""
        return bool(self._undone)

    @property
    def is_changed(self) -> bool:
        """Whether the form differs from its initial state."""
        return bool(_differences(self.initial, self._current))

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
            self._steps = [*self._steps[1 - MAX_STEPS :], self._current]
        self._undone.clear()
        self._current, self._last_path = state, path

    def undo(self) -> None:
        """Show the state before the last step."""
        if self._steps:
            self._undone.append(self._current)
            self._show(self._steps.pop())

    def redo(self) -> None:
        """Show the state before the last undo."""
        if self._undone:
            self._steps.append(self._current)
            self._show(self._undone.pop())

    def reset(self) -> None:
        """Show the initial state, as a step that can be undone."""
        with self.step():
            self._write(self.initial)

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
    """The state of one form in the file of the current directory, which is the notebook's directory.

    Args:
        key: Identifies the form in the file.
        initial: The state of the form before anything was restored. A form with another call has another initial
            state, and does not use the kept one.
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
        return json.dumps({"initial": self._initial, "state": state}, ensure_ascii=False)

    def parse(self, text: str) -> Mapping[str, Any] | None:
        """Return the state of a text; None if it is not a state of this form with this call."""
        with suppress(ValueError, RecursionError):
            return self._state_of(json.loads(text))
        return None

    def _state_of(self, entry: Any) -> Mapping[str, Any] | None:
        if not isinstance(entry, dict) or entry.get("initial") != self._initial:
            return None
        state = entry.get("state")
        return state if isinstance(state, dict) else None

    def save(self, state: Mapping[str, Any]) -> None:
        """Keep a state.

        Raises:
            OSError: The file cannot be written.
        """
        with _lock:
            if (text := _json(state)) != self._written:
                self._write({**self._entries(), self._key: {"initial": self._initial, "state": state}})
                self._written = text

    def remove(self) -> None:
        """Remove the kept state, and the file if it is empty.

        Raises:
            OSError: The file cannot be written.
        """
        with _lock:
            entries = self._entries()
            if entries.pop(self._key, None) is not None:
                self._write(entries)
            self._written = ""

    def _entries(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, RecursionError):
            if self._path.stat().st_size <= MAX_FILE_BYTES:
                entries = json.loads(self._path.read_text("utf-8"))
                return entries if isinstance(entries, dict) else {}
        return {}

    def _write(self, entries: Mapping[str, Any]) -> None:
        if not entries:
            self._path.unlink(missing_ok=True)
            return
        temporary = self._path.with_suffix(".tmp")
        temporary.write_text(json.dumps(entries, ensure_ascii=False, indent=1), "utf-8")
        temporary.replace(self._path)


def _json(state: Mapping[str, Any]) -> str:
    return json.dumps(state, ensure_ascii=False, sort_keys=True)


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
