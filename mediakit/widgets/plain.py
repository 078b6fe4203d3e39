"""The result as a plain output of the cell: what a saved, exported or shared notebook shows.

Notebooks do not keep widgets. While the form lives, its style sheet hides this second copy.
"""

import uuid
from typing import Any

import IPython.display

from mediakit.widgets.preview import Shown

display: Any = IPython.display.display


class PlainOutput:
    """One output that follows the form, in every cell that shows the form."""

    def __init__(self, name: str) -> None:
        self._nothing = f"mediakit.{name}: nothing drawn yet"
        self._id: str | None = None

    def place(self, shown: Shown | None) -> None:
        """Put the output below what the running cell has shown so far."""
        self._id = self._id or uuid.uuid4().hex
        data, metadata = (shown.data, shown.metadata) if shown else ({"text/plain": self._nothing}, {})
        display(data, metadata=metadata, raw=True, display_id=self._id)

    def update(self, shown: Shown) -> None:
        """Show a newer result wherever the output has been placed."""
        if self._id:
            display(shown.data, metadata=shown.metadata, raw=True, display_id=self._id, update=True)
