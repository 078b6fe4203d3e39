"""A form with the tabs `One` and `Many`: one result, or one for each row of a table."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import ipywidgets as w

from mediakit.core import snippets
from mediakit.core.inputs import FileBytes
from mediakit.core.parameters import convert
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput, MediakitError
from mediakit.results.files import FileResult
from mediakit.results.result import Result
from mediakit.widgets.forms.form import Form
from mediakit.widgets.inputs.base import Input, alert, button, group, label, labeled, mark, markup, status, styled, vbox
from mediakit.widgets.inputs.files import DropZone, FileInput, FilesInput, FolderInput, uploaded
from mediakit.widgets.inputs.rows import ACCEPTED, CodeFile, ColumnsInput, Source, match_columns, read_source
from mediakit.widgets.many.run import OUTPUTS, PDF, Creation, Progress, default_pattern, status_html, worst_row

if TYPE_CHECKING:
    from mediakit.batches import BatchResult
    from mediakit.batches.plan import Plan
    from mediakit.batches.sources.rows import Row


class Pager:
    """The number of the current row, with buttons for the previous, the next and the longest row."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._count, self._longest, self.index = 0, 0, 0
        self._previous = self._step("Previous row", "chevron-left", -1)
        self._next = self._step("Next row", "chevron-right", 1)
        self._jump = button("Longest texts", lambda: self.show(self._longest))
        self._jump.tooltip = "Show the row whose texts fit worst"
        self._text = markup("", "pager-text")
        self.widget = group([self._previous, self._text, self._next, self._jump], "pager")

    def fill(self, count: int, longest: int) -> None:
        """Use the rows of a table, and show the row whose texts fit worst."""
        self._count, self._longest = count, longest
        self.show(longest)

    def show(self, index: int) -> None:
        """Show a row by index; the first row follows the last."""
        self.index = index % max(1, self._count)
        note = " · longest texts" if self.index == self._longest and self._count > 1 else ""
        self._text.value = status(f"Row {self.index + 1} of {self._count}{note}", "row")
        self._jump.disabled = self.index == self._longest
        for each in (self._previous, self._next):
            each.disabled = self._count < 2
        self._on_change()

    def _step(self, text: str, icon: str, step: int) -> w.Button:
        return styled(button(text, lambda: self.show(self.index + step), icon=icon, tooltip=text), "icon-button")


HELP = (
    "<div class='mediakit-help'>Choose or drop a table (CSV, TSV, XLSX, ODS, Parquet or JSON). Each row becomes one "
    "result. All other values are those of the tab One.</div>"
)


class ManyTab:
    """The widgets of the tab, whose rows fill in the fields of a form, and the batch that it runs."""

    def __init__(self, form: "ManyForm[Any]") -> None:
        self._form = form
        self.source: Source | None = None
        """The table; None if there is none."""
        self._upload = w.FileUpload(accept=ACCEPTED, multiple=False, description="Choose a table")
        self._heading = markup(label("Columns"))
        self.columns = ColumnsInput(self._on_columns)
        self._pager = Pager(form._on_row)
        self._names = w.Text(**labeled("file names"), continuous_update=True)
        self.output = w.Dropdown(options=OUTPUTS, **labeled("output"))
        self.creation = Creation(self._show)
        """The batch in the background."""
        self._create = button("Create", self.create, button_style="primary")
        self._cancel = button("Cancel", self.creation.cancel)
        self._status = markup("", "many-status")
        self.last: Progress | None = None
        """The last state of the batch."""
        self._upload.observe(lambda change: self._on_files(change["new"]), "value")
        self._folder = FolderInput("or table from folder", ACCEPTED, self._try)
        for control in (self._names, self.output):
            control.observe(lambda _: form._on_row(), "value")
        choose = group([self._upload, self._folder.widget], "file")
        upload = vbox([choose, DropZone(self._upload, "or drop a table here")], "field")
        options = group([vbox([each], "field") for each in (self._names, self.output)], "fields")
        buttons = group([self._create, self._cancel], "buttons")
        self._only_with_rows = [self._heading, self.columns.widget, self._pager.widget, options, buttons]
        self.widget = vbox([markup(HELP), upload, *self._only_with_rows, self._status], "many")
        self._show_rows()

    @property
    def row(self) -> dict[str, Any]:
        """The values of the current row by key; None for a missing value."""
        return self.values(self.source.rows[self._pager.index]) if self.source else {}

    def batch_options(self, known: Collection[str]) -> dict[str, Any]:
        """Return the arguments of `batch` for the results of `Create`; `known` are names of fields and keys."""
        from mediakit.batches.names import columns_of

        mapped = self.columns.mapped
        unused = [column for column in (self.source.columns if self.source else ()) if column not in mapped]
        in_name = columns_of(self._names.value)
        suffix = "pdf" if self.output.value == PDF else "zip"
        return {
            "name": self._names.value,
            "columns": {column: key for column, key in mapped.items() if column != key},
            "ignore": [column for column in unused if column in known or column not in in_name],
            "to": f"{self._form._download_name(None)}.{suffix}",
        }

    def use(self, value: Any) -> None:
        """Use the rows of a table, a list, a dictionary or a file."""
        self.source = read_source(value, (self._form._main_keys() or [*self._form._many_keys()])[0])
        self._status.value = ""
        self._heading.value = label(f"Columns of {self.source.name}" if self.source.name else "Columns")
        self.match()

    def match(self) -> None:
        """Match the columns with the keys of the form, and show the row whose texts fit worst."""
        if self.source is None:
            return
        keys, main = self._form._many_keys(), self._form._main_keys()
        mapped = match_columns(self.source.columns, keys, main)
        self.columns.fill(self.source.columns, list(keys), mapped)
        self._names.value = default_pattern(self.source, [each for each in mapped if mapped[each] in main], mapped)
        self._on_columns()

    def create(self) -> None:
        """Start to create the results of all rows."""
        try:
            plan = self._plan()
        except InvalidInput as error:
            self._status.value = alert(str(error))
            return
        self.creation.start(plan, self.output.value, self._form._download_name(None))

    def _on_files(self, files: Sequence[Mapping[str, Any]]) -> None:
        if files:
            self._try(uploaded(files[0]))

    def _try(self, table: FileBytes | Path) -> None:
        try:
            self.use(table)
        except MediakitError as error:
            self._status.value = alert(str(error))

    def _on_columns(self) -> None:
        rows = [self.values(row) for row in self.source.rows] if self.source else []
        texts = [{key: str(value) for key, value in row.items() if value is not None} for row in rows]
        self._show_rows()
        self._pager.fill(len(rows), worst_row(texts, lambda index: self._form._misfits(rows[index])))

    def values(self, row: "Row") -> dict[str, Any]:
        """Return the values of a row by key; None for a missing value."""
        columns = self.source.columns if self.source else ()
        mapped = self.columns.mapped
        return {mapped[column]: row.values.get(column) for column in columns if column in mapped}

    def _plan(self) -> "Plan[Any]":
        from mediakit.batches.names import names
        from mediakit.batches.plan import plan_entries
        from mediakit.batches.sources.rows import Row
        from mediakit.batches.work import Entry

        if (source := self.source) is None:
            raise InvalidInput("rows: choose a table first.")
        used = self.columns.mapped.values()
        if missing := [key for key in self._form._main_keys() if key not in used and not self._form._has_value(key)]:
            raise InvalidInput(f"{missing[0]}: choose a column, or fill it in on the tab One.")
        tool, entries = self._form.tool, list[Entry[Any]]()
        for row, name in zip(source.rows, names(source.rows, self._names.value or None, {}), strict=True):
            try:
                tool, values = self._form._many_call(self.values(row), self.output.value)
                entries.append(Entry(Row(row.number, values, tuple(values)), name, values))
            except InvalidInput as error:
                tool = self._form.tool
                entries.append(Entry(row, name, {}, error=error))
        return plan_entries(tool, entries)

    def _show(self, progress: Progress) -> None:
        self.last = progress
        self._status.value = status_html(progress)
        self._cancel.disabled = not progress.is_running
        self._create.disabled = progress.is_running

    def _show_rows(self) -> None:
        count = len(self.source.rows) if self.source else 0
        self._create.description = f"Create {count} results" if count != 1 else "Create 1 result"
        self._cancel.disabled = True
        for widget in self._only_with_rows:
            mark(widget, "gone", marked=not count)


R = TypeVar("R", bound=Result)


class ManyForm(Form[R], Generic[R]):
    """The form of a tool that can be called for every row of a table."""

    def __init__(self, tool: Tool[..., R], values: Mapping[str, Any]) -> None:
        self._row: ContextVar[Mapping[str, Any] | None] = ContextVar("row", default=None)
        self._many = ManyTab(self)
        super().__init__(tool, values)

    def use_rows(self, rows: Any) -> None:
        """Show the tab `Many` with the rows of a table, as `mediakit.batch` accepts them.

        Raises:
            InvalidInput: The rows cannot be read, or there are none.
        """
        self._many.use(rows)
        self._tabs.selected_index = 1

    @property
    def batch(self) -> "BatchResult[Any]":
        """The result of the last batch of the form; waits for a running batch."""
        from mediakit.batches import BatchResult

        self._many.creation.wait()
        return self._many.creation.results or BatchResult()

    @property
    def batch_file(self) -> FileResult:
        """The file with all results of the last batch.

        Raises:
            InvalidInput: No batch has finished.
        """
        self._many.creation.wait()
        if self._many.last is None or self._many.last.file is None:
            raise InvalidInput("batch: has not finished; press Create in the form first.")
        return self._many.last.file

    def _input_area(self) -> w.Widget:
        self._tabs = styled(w.Tab([self._box, self._many.widget], titles=("One", "Many")), "tabs")
        self._tabs.observe(lambda _: self._update.schedule(delay=0), "selected_index")
        return self._tabs

    def _arrange(self) -> None:
        super()._arrange()
        self._many.match()

    @property
    def _current_row(self) -> Mapping[str, Any]:
        """The values by key that replace those of the tab `One`."""
        if (row := self._row.get()) is not None:
            return row
        return self._many.row if self._is_many else {}

    def _read_fields(self) -> dict[str, Any]:
        values = super()._read_fields()
        for name, value in self._current_row.items():
            if (converted := self._convert(name, value)) is not None:
                values[name] = converted
            elif name in self._main_keys():
                values.pop(name, None)
        return values

    def _convert(self, name: str, value: Any) -> Any:
        """Return the value of a cell for a field; None to use the value of the tab `One`."""
        return None if value is None else convert(value, self.fields[name].input.parameter)

    def _snippet_values(self) -> dict[str, Any]:
        values = super()._snippet_values()
        fields = self._read_fields()
        return {**values, **{name: fields.get(name) for name in self._current_row if name in values}}

    @property
    def _is_many(self) -> bool:
        """Whether the tab `Many` is shown, with a table."""
        return self._many.source is not None and self._tabs.selected_index == 1

    def _inputs(self) -> Iterable[Input | CodeFile]:
        return [*super()._inputs(), *([CodeFile(self._batch_rows()[0])] if self._is_many else [])]

    def _python(self, values: Mapping[str, Any]) -> str:
        """Return the call as Python; the call of `batch` for the tab `Many`."""
        if not self._is_many:
            return super()._python(values)
        file, options = self._batch_rows()
        with self._using({}):
            tool, values = self._batch_call(self._many.output.value)
        rest = {name: value for name, value in values.items() if name not in self._many.columns.mapped.values()}
        return snippets.python_batch(tool, CodeFile(file).path, rest, options)

    def _batch_rows(self) -> tuple[Path | FileBytes, dict[str, Any]]:
        names = {alias for name, aliases in self._many_keys().items() for alias in (name, *aliases)}
        options = self._many.batch_options({*names, *(each.name for each in self.tool.parameters)})
        return self._many.source.file() if self._many.source else Path(), options

    def _batch_call(self, output: str) -> tuple[Tool[..., Any], dict[str, Any]]:  # noqa: ARG002
        """Return the tool of a batch, and its values for code without those of the rows."""
        return self.tool, self._snippet_values()

    def _many_keys(self) -> Mapping[str, Sequence[str]]:
        """Return the keys that a column can fill in, with their aliases."""
        return {
            name: field.input.parameter.aliases
            for name, field in self.fields.items()
            if not isinstance(field.input, FileInput | FilesInput)
        }

    def _main_keys(self) -> Sequence[str]:
        return [name for name, field in self.fields.items() if field.input.parameter.required]

    def _has_value(self, key: str) -> bool:
        """Return whether the tab `One` has a value for a key."""
        with self._using({}):
            return self._read_fields().get(key) is not None

    def _many_call(self, row: Mapping[str, Any], output: str) -> tuple[Tool[..., Any], dict[str, Any]]:  # noqa: ARG002
        with self._using(row):
            return self.tool, self.values

    def _misfits(self, row: Mapping[str, Any]) -> int:  # noqa: ARG002  # templates compare their texts
        """Return how many texts of a row do not fit."""
        return 0

    def _on_row(self) -> None:
        if hasattr(self, "_update"):
            self._update.schedule(delay=0)

    @contextmanager
    def _using(self, row: Mapping[str, Any]) -> Iterator[None]:
        """Use the values of a row in the block."""
        token = self._row.set(row)
        try:
            yield
        finally:
            self._row.reset(token)
