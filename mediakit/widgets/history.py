"""The undo history of a form."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

State = Mapping[str, Any]
"""The state of each input by name; the state of a table is itself a mapping."""

Path = tuple[str, ...]

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
        self._last_path: Path | None = None
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


def _differences(old: State, new: State, parent: Path = ()) -> Iterator[Path]:
    for name in dict.fromkeys([*old, *new]):
        one, other = old.get(name), new.get(name)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from _differences(one, other, (*parent, name))
        elif one != other:
            yield *parent, name


def _is_typed(old: State, new: State, path: Path) -> bool:
    """Return whether a value is a text, or a number to which digits were added or from which they were removed."""
    before, after = _value(old, path), _value(new, path)
    if isinstance(after, str):
        return True
    texts = sorted(("" if value is None else str(value) for value in (before, after)), key=len)
    return not isinstance(after, bool) and texts[1].startswith(texts[0])


def _value(state: State, path: Path) -> Any:
    value: Any = state
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
