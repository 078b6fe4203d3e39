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

    Changes of one text that follow each other are one step; the browser undoes single characters.

    Args:
        read: Returns the current state of the form.
        write: Shows a state in the form.
    """

    def __init__(self, read: Callable[[], State], write: Callable[[State], None]) -> None:
        self._read = read
        self._write = write
        self._steps: list[State] = []
        self._current = self.initial = read()
        self._last_path: Path | None = None
        self._is_paused = False

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._steps)

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
        if path is None or path != self._last_path or not _is_text(state, path):
            self._steps = [*self._steps[1 - MAX_STEPS :], self._current]
        self._current, self._last_path = state, path

    def undo(self) -> None:
        """Show the state before the last step."""
        if self._steps:
            self._show(self._steps.pop())

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


def _is_text(state: State, path: Path) -> bool:
    value: Any = state
    for name in path:
        value = value.get(name)
    return isinstance(value, str)
