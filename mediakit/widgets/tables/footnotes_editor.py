"""The input for the footnotes of a table image: a text, and the column and the row that have its mark."""

from collections.abc import Sequence
from typing import Any

import anywidget
from traitlets import Dict, Int, List, Unicode

from mediakit.core.parameters import Parameter
from mediakit.engines.tables.model import Table
from mediakit.tools.images.table_image.request import MAX_FOOTNOTES
from mediakit.widgets.assets import asset
from mediakit.widgets.inputs import Input, heading


class FootnotesEditor(anywidget.AnyWidget):
    """A line for each note."""

    _esm = asset("tables/footnotes_editor.js")

    value = List(Dict()).tag(sync=True)
    """The notes; one without a text is a line that the user has not filled in."""
    names = List(Unicode()).tag(sync=True)
    """The columns of the table."""
    most = Int(MAX_FOOTNOTES).tag(sync=True)
    """Number of notes at most."""


class FootnotesInput(Input):
    """Notes as the field takes them: texts, or objects with a text, a column and a row."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, FootnotesEditor())
        self.caption = heading(parameter.name)
        self.control.add_class("mediakit-notes-editor")

    def read(self) -> Any:
        """Return the notes with a text; None without any."""
        notes = [note for note in self.control.value if note.get("text", "").strip()]
        return [note["text"] if len(note) == 1 else dict(note) for note in notes] or None

    def fill(self, value: Sequence[Any]) -> None:
        """Show notes."""
        self.control.value = [{"text": note} if isinstance(note, str) else dict(note) for note in value]

    def show_table(self, table: Table | None) -> None:
        """Offer the columns of a table."""
        self.control.names = table.names if table else []
