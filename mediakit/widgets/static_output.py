"""Plain outputs of the cell with the latest result and its call, for notebooks that are saved, exported or shared.

Notebooks do not store widgets. While the form is displayed, its style sheet hides these outputs.
"""

import uuid
from typing import Any

import IPython.display

from mediakit.widgets.preview import DisplayData

display: Any = IPython.display.display


MAX_CODE_LENGTH = 20_000
"""Longer calls are not stored in the notebook."""


class StaticOutput:
    """Two outputs, the latest result and its call, in every cell that displays the form."""

    def __init__(self, name: str) -> None:
        self._placeholder = f"mediakit.{name}: no result yet"
        self._id: str | None = None

    def place(self, display_data: DisplayData | None, code: str) -> None:
        """Add the outputs to the running cell."""
        self._id = self._id or uuid.uuid4().hex
        self._display(display_data, code)

    def update(self, display_data: DisplayData, code: str) -> None:
        """Show a new result in all cells with the outputs."""
        if self._id:
            self._display(display_data, code, update=True)

    def _display(self, display_data: DisplayData | None, code: str, **options: bool) -> None:
        data = display_data.data if display_data else {"text/plain": self._placeholder}
        metadata = display_data.metadata if display_data else {}
        display(data, metadata=metadata, raw=True, display_id=self._id, **options)
        text = {"text/plain": code if len(code) <= MAX_CODE_LENGTH else ""}
        display(text, raw=True, display_id=f"{self._id}-call", **options)
