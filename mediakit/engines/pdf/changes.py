"""Changes of PDF objects that can be undone, so that one PDF can be taken apart many times."""

from typing import Any

import pikepdf
from pikepdf import Name


class Changes:
    """What was changed in a PDF, in order."""

    def __init__(self) -> None:
        self._before: list[tuple[pikepdf.Object, str | Name, Any]] = []

    def set(self, holder: pikepdf.Object, key: str | Name, value: object) -> None:
        """Set an entry of a dictionary; None removes it."""
        self._before.append((holder, key, holder.get(key)))
        _set(holder, key, value)

    def remove(self, holder: pikepdf.Object, key: str | Name) -> None:
        """Remove an entry of a dictionary."""
        self.set(holder, key, None)

    def undo(self) -> None:
        """Restore what was there before."""
        while self._before:
            _set(*self._before.pop())


def _set(holder: pikepdf.Object, key: str | Name, value: Any) -> None:
    if value is not None:
        holder[key] = value
    elif key in holder:
        del holder[key]
