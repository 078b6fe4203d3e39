"""How far a batch is: one output of a cell, or one line of a terminal, that ends as a summary."""

import html
import sys
from typing import Any, Protocol

from mediakit.display.captions import STYLE


class Progress(Protocol):
    """Where the state of a batch is shown."""

    def show(self, done: int, words: str) -> None:
        """Show how many rows are done."""

    def end(self, words: str) -> None:
        """Show the summary instead."""


def progress(label: str, total: int) -> Progress:
    """Give what suits the place: a notebook, a terminal, or anything else, where nothing is shown."""
    if _shows_html():
        return _Cell(label, total)
    return _Line(label) if sys.stderr.isatty() else _Nothing()


def _shows_html() -> bool:
    """Tell a notebook's kernel from a terminal's IPython."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and "text/html" in shell.display_formatter.active_types


class _Cell:
    def __init__(self, label: str, total: int) -> None:
        self._label = label
        self._total = total
        self._shown = ""
        self._handle: Any = None

    def show(self, done: int, words: str) -> None:
        if words == self._shown:
            return
        self._shown = words
        bar = f'<progress max="{self._total}" value="{done}" style="vertical-align:-2px;width:180px"></progress>'
        self._put(words, f"{bar} {self._label}: {html.escape(words)}")

    def end(self, words: str) -> None:
        self._put(words, f"{self._label}: {html.escape(words)}")

    def _put(self, words: str, inside: str) -> None:
        import IPython.display

        display: Any = IPython.display.display
        text = f"{self._label}: {words}"
        bundle = {"text/plain": text, "text/html": f'<div style="{STYLE}">{inside}</div>'}
        if self._handle is None:
            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)


class _Line:
    def __init__(self, label: str) -> None:
        self._label = label

    def show(self, done: int, words: str) -> None:  # noqa: ARG002  # a bar would need the room of the words
        sys.stderr.write(f"\r\x1b[K{self._label}: {words}")
        sys.stderr.flush()

    def end(self, words: str) -> None:
        self.show(0, f"{words}\n")


class _Nothing:
    def show(self, done: int, words: str) -> None:
        pass

    def end(self, words: str) -> None:
        pass
