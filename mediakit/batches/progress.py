"""Progress of a batch in a notebook cell or a terminal line, replaced by a summary at the end."""

import html
import io
import os
import sys
from contextlib import suppress
from typing import Any, Protocol

from mediakit.display.images import CAPTION_STYLE

MIN_BAR, MAX_BAR = 8, 24
"""Characters of the bar in a terminal line. If there is less room, the line has only text."""

DEFAULT_COLUMNS = 80


class Progress(Protocol):
    """Displays the progress of a batch."""

    def show(self, done: int, text: str) -> None:
        """Show the number of finished rows."""

    def end(self, text: str) -> None:
        """Replace the progress with a summary."""


def progress(label: str, total: int | None) -> Progress:
    """Return the progress display for a notebook or a terminal; elsewhere nothing is shown."""
    if _shows_html():
        return _CellProgress(label, total)
    return _LineProgress(label, total) if sys.stderr.isatty() else _NoProgress()


def _shows_html() -> bool:
    """Return whether the code runs in a notebook kernel, rather than in IPython in a terminal."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and "text/html" in shell.display_formatter.active_types


class _CellProgress:
    def __init__(self, label: str, total: int | None) -> None:
        self._label = label
        self._total = total
        self._shown = ""
        self._handle: Any = None

    def show(self, done: int, text: str) -> None:
        if text == self._shown:
            return
        self._shown = text
        value = f'max="{self._total}" value="{done}"' if self._total is not None else 'aria-label="in progress"'
        bar = f'<progress {value} style="vertical-align:-2px;width:180px"></progress>'
        self._display(text, f"{bar} {self._label}: {html.escape(text)}")

    def end(self, text: str) -> None:
        self._display(text, f"{self._label}: {html.escape(text)}")

    def _display(self, text: str, markup: str) -> None:
        import IPython.display

        display: Any = IPython.display.display
        bundle = {"text/plain": f"{self._label}: {text}", "text/html": f'<div style="{CAPTION_STYLE}">{markup}</div>'}
        if self._handle is None:
            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)


class _LineProgress:
    def __init__(self, label: str, total: int | None) -> None:
        self._label = label
        self._total = total
        self._shown = ""

    def show(self, done: int, text: str) -> None:
        line = f"{self._label}: {text}"
        width = _terminal_columns() - 1
        bar = _bar(done / self._total, width - len(line) - 1) if self._total else ""
        shown = f"{bar} {line}" if bar else line[:width]
        if shown != self._shown:
            self._write(shown)
        self._shown = shown

    def end(self, text: str) -> None:
        self._write(f"{self._label}: {text}\n")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def _bar(part: float, room: int) -> str:
    """Return a bar that is filled in part; empty if there is no room for it."""
    if room < MIN_BAR:
        return ""
    width = min(room, MAX_BAR)
    filled = round(width * min(part, 1.0))
    is_unicode = "utf" in (sys.stderr.encoding or "").lower()
    full, empty = ("█", "░") if is_unicode else ("#", ".")
    return full * filled + empty * (width - filled)


def _terminal_columns() -> int:
    with suppress(OSError, ValueError, io.UnsupportedOperation):
        return os.get_terminal_size(sys.stderr.fileno()).columns or DEFAULT_COLUMNS
    return DEFAULT_COLUMNS


class _NoProgress:
    def show(self, done: int, text: str) -> None:
        pass

    def end(self, text: str) -> None:
        pass
