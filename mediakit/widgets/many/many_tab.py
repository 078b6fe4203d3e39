"""The tab `Many`: a table whose columns fill in the form, row by row."""

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets as w

from mediakit.batches.names import names
from mediakit.batches.plan import Plan, plan_entries
from mediakit.batches.sources.rows import Row
from mediakit.batches.work import Entry
from mediakit.core.inputs import FileBytes
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput, MediakitError
from mediakit.widgets.assets import asset
from mediakit.widgets.drop_zone import DropZone
from mediakit.widgets.inputs import heading
from mediakit.widgets.many.columns_input import ColumnsInput
from mediakit.widgets.many.creation import Creation, Progress
from mediakit.widgets.many.file_names import default_pattern
from mediakit.widgets.many.fit import worst_row
from mediakit.widgets.many.host import Host, values_by_key
from mediakit.widgets.many.matching import match_columns
from mediakit.widgets.many.outputs import OUTPUTS
from mediakit.widgets.many.pager import Pager
from mediakit.widgets.many.source import ACCEPTED, Source, read_source
from mediakit.widgets.many.status import error_html, status_html

HELP = (
    "Choose or drop a table (CSV, TSV, XLSX, ODS, Parquet or JSON). Each row becomes one result. All other values "
    "are those of the tab One."
)


class ManyTab:
    """The widgets of the tab, and the batch that it runs.

    Args:
        host: The form.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._source: Source | None = None
        self._upload = w.FileUpload(accept=ACCEPTED, multiple=False, description="Choose a table")
        self._heading = heading("Columns")
        self._columns = ColumnsInput(self._on_columns)
        self._pager = Pager(host.on_row)
        self._names = w.Text(description="file names", style={"description_width": "auto"}, continuous_update=True)
        self._output = w.Dropdown(options=OUTPUTS, description="output", style={"description_width": "auto"})
        self._create = w.Button(description="Create", button_style="primary")
        self._cancel = w.Button(description="Cancel")
        self._status = w.HTML()
        self._creation = Creation(self._show)
        self.last: Progress | None = None
        """The last state of the batch."""
        self._upload.observe(self._on_upload, "value")
        self._create.on_click(lambda _: self.create())
        self._cancel.on_click(lambda _: self._creation.cancel())
        self.widget = self._layout()
        self._show_rows()

    @property
    def has_rows(self) -> bool:
        """Whether there is a table."""
        return self._source is not None

    @property
    def row(self) -> dict[str, Any]:
        """The values of the current row by key; None for a missing value."""
        return self._values(self._source.rows[self._pager.index]) if self._source else {}

    @property
    def creation(self) -> Creation:
        """The batch in the background."""
        return self._creation

    def use(self, value: Any) -> None:
        """Use the rows of a table, a list, a dictionary or a file.

        Raises:
            InvalidInput: The value cannot be read or has no rows.
        """
        self._source = read_source(value, (self._host.main_keys() or [*self._host.keys()])[0])
        self._status.value = ""
        name = html.escape(f" of {self._source.name}") if self._source.name else ""
        self._heading.value = f"<div class='mediakit-label'>Columns{name}</div>"
        self.match()

    def match(self) -> None:
        """Match the columns with the keys of the form, and show the row whose texts fit worst."""
        if self._source:
            keys = self._host.keys()
            main = self._host.main_keys()
            mapped = match_columns(self._source.columns, keys, main)
            self._columns.fill(self._source.columns, list(keys), mapped)
            self._names.value = default_pattern(self._source, [each for each in mapped if mapped[each] in main], mapped)
        self._on_columns()

    def create(self) -> None:
        """Start to create the results of all rows."""
        try:
            plan = self._plan()
        except InvalidInput as error:
            self._status.value = error_html(str(error))
            return
        self._creation.start(plan, self._output.value, self._host.file_stem())

    def _on_upload(self, change: Mapping[str, Any]) -> None:
        if not change["new"]:
            return
        file = change["new"][0]
        try:
            self.use(FileBytes.named(bytes(file["content"]), file["name"]))
        except MediakitError as error:
            self._status.value = error_html(str(error))

    def _on_columns(self) -> None:
        rows = [self._values(row) for row in self._source.rows] if self._source else []
        texts = [{key: str(value) for key, value in row.items() if value is not None} for row in rows]
        self._show_rows()
        self._pager.fill(len(rows), worst_row(texts, lambda index: self._host.misfits(rows[index])))

    def _values(self, row: Row) -> dict[str, Any]:
        return values_by_key(row, self._source.columns if self._source else (), self._columns.mapped)

    def _plan(self) -> Plan[Any]:
        """Return the plan of all rows.

        Raises:
            InvalidInput: A main key has no column, the pattern for names is invalid, or every row is invalid.
        """
        source = self._source
        if source is None:
            raise InvalidInput("rows: choose a table first.")
        used = self._columns.mapped.values()
        if missing := [key for key in self._host.main_keys() if key not in used and not self._host.has_value(key)]:
            raise InvalidInput(f"{missing[0]}: choose a column, or fill it in on the tab One.")
        tool, entries = self._host.tool(), []
        for row, name in zip(source.rows, names(source.rows, self._names.value or None, {}), strict=True):
            tool, entry = self._entry(row, name)
            entries.append(entry)
        return plan_entries(tool, entries)

    def _entry(self, row: Row, name: str) -> tuple[Tool[..., Any], Entry[Any]]:
        try:
            tool, values = self._host.call(self._values(row), self._output.value)
        except InvalidInput as error:
            return self._host.tool(), Entry(row, name, {}, error=error)
        return tool, Entry(Row(row.number, values, tuple(values)), name, values)

    def _show(self, progress: Progress) -> None:
        self.last = progress
        self._status.value = status_html(progress)
        self._cancel.disabled = not progress.is_running
        self._create.disabled = progress.is_running

    def _show_rows(self) -> None:
        count = len(self._source.rows) if self._source else 0
        self._create.description = f"Create {count} results" if count != 1 else "Create 1 result"
        self._cancel.disabled = True
        for widget in self._only_with_rows:
            widget.layout.display = None if count else "none"

    def _layout(self) -> w.VBox:
        about = w.HTML(f"<style>{asset('many/many.css')}</style><div class='mediakit-help'>{HELP}</div>")
        upload = w.VBox([self._upload, DropZone(self._upload, "or drop a table here")])
        options = w.Box([_field(self._names), _field(self._output)])
        buttons = w.Box([self._create, self._cancel])
        self._only_with_rows = [self._heading, self._columns.widget, self._pager.widget, options, buttons]
        for widget, role in (
            (upload, "field"),
            (options, "fields"),
            (buttons, "buttons"),
            (self._status, "many-status"),
        ):
            widget.add_class(f"mediakit-{role}")
        widget = w.VBox([about, upload, *self._only_with_rows, self._status])
        widget.add_class("mediakit-many")
        return widget


def _field(control: w.DOMWidget) -> w.VBox:
    field = w.VBox([control])
    field.add_class("mediakit-field")
    return field
