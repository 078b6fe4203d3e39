"""A plain output of the cell with the latest result, for notebooks that are saved, exported or shared.

Notebooks do not store widgets. While the form is displayed, its style sheet hides this output.
"""

import uuid
from typing import Any

import IPython.display

from mediakit.widgets.preview import DisplayData

display: Any = IPython.display.display


class StaticOutput:
    """An output that shows the latest result in every cell that displays the form."""

    def __init__(self, name: str) -> None:
        self._placeholder = f"mediakit.{name}: no result yet"
        self._id: str | None = None

    def place(self, display_data: DisplayData | None) -> None:
        """Add the output to the running cell."""
        self._id = self._id or uuid.uuid4().hex
        if display_data:
            display(display_data.data, metadata=display_data.metadata, raw=True, display_id=self._id)
        else:
            display({"text/plain": self._placeholder}, raw=True, display_id=self._id)

    def update(self, display_data: DisplayData) -> None:
        """Show a new result in all cells with the output."""
        if self._id:
            display(display_data.data, metadata=display_data.metadata, raw=True, display_id=self._id, update=True)
