"""The cell that runs, and the forms that each cell displays.

The forms of a cell are closed when the cell runs again, because a notebook displays each of them with hundreds of
widgets, which would stay in the kernel and in the browser.
"""

from collections import Counter
from typing import Any, Protocol

import IPython


class Closable(Protocol):
    """A form."""

    def close(self) -> None:
        """Close the widgets of the form."""


def cell_id() -> str:
    """Return the id of the cell that runs; empty outside a notebook, and in front ends that do not send it."""
    return str(_parent().get("metadata", {}).get("cellId") or "")


def _parent() -> dict[str, Any]:
    """Return the message that the kernel is handling."""
    shell: Any = IPython.get_ipython()
    return dict(getattr(shell, "get_parent", dict)() or {})


class CellForms:
    """The displayed forms by cell."""

    def __init__(self) -> None:
        self._displayed: dict[str, list[Closable]] = {}
        self._previous: list[Closable] = []
        self._run = ""
        self._counts: Counter[str] = Counter()
        self._is_registered = False

    def number(self, name: str) -> int:
        """Return how many forms with this name the running cell has created before; 0 outside a notebook."""
        run = str(_parent().get("header", {}).get("msg_id", ""))
        if run != self._run or not run:
            self._run, self._counts = run, Counter()
        self._counts[name] += 1
        return self._counts[name] - 1

    def add(self, form: Closable) -> None:
        """Note that the running cell displays a form."""
        cell = cell_id()
        if not cell:
            return
        if not self._is_registered:
            self._register()
        forms = self._displayed.setdefault(cell, [])
        if form not in forms:
            forms.append(form)

    def _register(self) -> None:
        events: Any = IPython.get_ipython().events
        events.register("pre_run_cell", self._before)
        events.register("post_run_cell", self._after)
        self._is_registered = True

    def _before(self, _info: Any) -> None:
        self._previous = self._displayed.pop(cell_id(), [])

    def _after(self, _result: Any) -> None:
        displayed = [form for forms in self._displayed.values() for form in forms]
        for form in self._previous:
            if form not in displayed:
                form.close()
        self._previous = []


cell_forms = CellForms()
