"""The values that a form keeps in a file beside the notebook, at the user's request."""

import hashlib
import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

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
