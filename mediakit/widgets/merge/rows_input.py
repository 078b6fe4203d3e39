"""The input for rows: a table that is uploaded or pasted, whose columns are assigned to the fields of a document."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets as w
from traitlets import Bunch

from mediakit.batches.sources.rows import Row
from mediakit.core.inputs import FileBytes
from mediakit.core.parameters import Parameter
from mediakit.core.request import invalid
from mediakit.errors import MediakitError
from mediakit.tools.documents.mail_merge.request import adapt_rows
from mediakit.widgets.drop_file_input import DropFileInput
from mediakit.widgets.inputs import heading
from mediakit.widgets.many.columns_input import ColumnsInput
from mediakit.widgets.many.matching import match_columns
from mediakit.widgets.many.source import ACCEPTED, Source, read_source

Records = list[dict[str, Any]]

PASTED_ROWS = 4
"""Lines of the area for pasted cells."""

PLACEHOLDER = "Paste cells of a spreadsheet, with the names of the columns in the first line"


class RowsInput(DropFileInput):
    """A table with a menu of fields for each column."""

    def __init__(self, parameter: Parameter) -> None:
        self._source: Source | None = None
        self._problem = ""
        self._loaded: Any = None
        """The state whose table is read; it is not read again when only the fields of the document change."""
        self._keys: Sequence[str] = ()
        self._main: Sequence[str] = ()
        self._text = w.Textarea(
            description="or paste rows", placeholder=PLACEHOLDER, rows=PASTED_ROWS, style={"description_width": "auto"}
        )
        self._columns = ColumnsInput(self._notify)
        self._heading = heading("Columns")
        self._note = w.HTML()
        super().__init__(parameter, ACCEPTED, "a table", is_local=True)
        self._text.observe(lambda _: self.restore(self.state()), "value")
        self._all = w.VBox([super().widget, self._text, self._note, self._heading, self._columns.widget])
        self._all.add_class("mediakit-merge-rows")

    @property
    def widget(self) -> w.DOMWidget:
        """The upload button, the area to paste cells, and the columns."""
        return self._all

    @property
    def mapped(self) -> dict[str, str]:
        """The field of each column that is used."""
        return self._columns.mapped

    def show_keys(self, keys: Sequence[str], main: Sequence[str]) -> None:
        """Show the fields of the document, and match the columns with them by their names.

        Args:
            keys: The fields.
            main: The fields that every row needs.
        """
        if (keys, main) != (self._keys, self._main):
            self._keys, self._main = keys, main
            self._match()
            self._notify()

    def records(self) -> Records:
        """Return the rows with the names of the fields.

        Raises:
            InvalidInput: The table cannot be read.
        """
        if self._problem:
            raise invalid([{"field": self.parameter.name, "message": self._problem}])
        return self._records()

    def read(self) -> Any:
        """Return the file, or rows if cells are pasted or a column has another name than its field.

        Raises:
            InvalidInput: The table cannot be read.
        """
        records = self.records()
        return records if self._is_changed else super().read()

    def snippet_value(self) -> Any:
        """Return the path of the file, or rows."""
        return self._records() if self._is_changed else super().snippet_value()

    def state(self) -> Any:
        """Return the file and the pasted cells."""
        return super().state(), self._text.value

    def restore(self, state: Any) -> None:
        """Show an earlier table."""
        file, text = state if len(state) == 2 and isinstance(state[0], tuple) else (state, "")
        self._text.value = text
        super().restore(file)

    @property
    def _is_changed(self) -> bool:
        columns = self._source.columns if self._source else ()
        is_renamed = any(
            self.mapped.get(column, "" if column in self._keys else column) != column for column in columns
        )
        return bool(self._text.value.strip()) or is_renamed

    def _records(self) -> Records:
        source = self._source
        if source is None:
            return []
        used = [column for column in source.columns if column in self.mapped or column not in self._keys]
        rows = [self._record(row, used) for row in source.rows]
        return list(adapt_rows({self.parameter.name: rows})[self.parameter.name])

    def _record(self, row: Row, columns: Sequence[str]) -> dict[str, Any]:
        return {self.mapped.get(column, column): row.values.get(column) for column in columns}

    def _notify(self) -> None:
        self.control.notify_change(Bunch(name="value", type="change", owner=self.control, old=(), new=()))

    def _update(self) -> None:
        self._load()
        super()._update()
        if self._text.value.strip():
            self.caption.value = f"<div class='mediakit-label'>{self.parameter.name} <span>pasted cells</span></div>"

    def _load(self) -> None:
        """Read the table. It runs in the thread of the front end, because reading waits for a worker."""
        text = self._text.value
        state = (text, id(self._initial), self.control.value)
        if state == self._loaded:
            return
        self._loaded = state
        value = FileBytes.named(text.encode(), "pasted.csv") if text.strip() else super().read()
        if isinstance(value, Mapping):  # a dictionary of lists is kept as it is
            value = [dict(zip(value, cells, strict=True)) for cells in zip(*value.values(), strict=True)]
        columns = self._source.columns if self._source else ()
        try:
            self._source, self._problem = (None if value is None else read_source(value, "value")), ""
        except MediakitError as error:
            self._source, self._problem = None, str(error).removeprefix("rows: ")
        if (self._source.columns if self._source else ()) != columns:
            self._match()

    def _match(self) -> None:
        columns = self._source.columns if self._source else ()
        mapped = match_columns(columns, dict.fromkeys(self._keys, ()), self._main)
        self._columns.fill(columns, self._keys, mapped)
        for widget in (self._heading, self._columns.widget):
            widget.layout.display = None if columns and self._keys else "none"
        count = len(self._source.rows) if self._source else 0
        shown = f"{count} {'row' if count == 1 else 'rows'}: {', '.join(columns)}" if count else ""
        self._note.value = f"<div role='status' class='mediakit-help'>{html.escape(shown)}</div>" if shown else ""
