"""A form with the tabs `One` and `Many`: one result, or one for each row of a table."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

import ipywidgets as w

from mediakit.batches import BatchResult
from mediakit.core.parameters import convert
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput
from mediakit.results.files import FileResult
from mediakit.results.result import Result
from mediakit.widgets.file_input import FileInput
from mediakit.widgets.files_input import FilesInput
from mediakit.widgets.many.host import Host
from mediakit.widgets.many.many_tab import ManyTab
from mediakit.widgets.tool_form import Form

R = TypeVar("R", bound=Result)

TABS = ("One", "Many")


class ManyForm(Form[R], Generic[R]):
    """The form of a tool that can be called for every row of a table."""

    _tab: ManyTab | None = None
    """The tab `Many`; None until the form has its widgets."""

    def __init__(self, tool: Tool[..., R], values: Mapping[str, Any]) -> None:
        self._row: ContextVar[Mapping[str, Any] | None] = ContextVar("row", default=None)
        super().__init__(tool, values)

    def use_rows(self, rows: Any) -> None:
        """Show the tab `Many` with the rows of a table, as `mediakit.batch` accepts them.

        Raises:
            InvalidInput: The rows cannot be read, or there are none.
        """
        self._many.use(rows)
        self._tabs.selected_index = 1

    @property
    def batch(self) -> BatchResult[Any]:
        """The result of the last batch of the form; waits for a running batch."""
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

    @property
    def _many(self) -> ManyTab:
        if self._tab is None:
            self._tab = ManyTab(
                Host(
                    tool=lambda: self.tool,
                    keys=self._many_keys,
                    main_keys=self._main_keys,
                    has_value=self._has_value,
                    call=self._many_call,
                    misfits=self._misfits,
                    file_stem=self._file_stem,
                    on_row=self._on_row,
                )
            )
        return self._tab

    def _input_area(self) -> w.Widget:
        self._tabs = w.Tab([self._box, self._many.widget], titles=TABS)
        self._tabs.add_class("mediakit-tabs")
        self._tabs.observe(lambda _: self._update.schedule(delay=0), "selected_index")
        return self._tabs

    def _arrange(self) -> None:
        super()._arrange()
        if self._tab:
            self._tab.match()

    @property
    def _current_row(self) -> Mapping[str, Any]:
        """The values by key that replace those of the tab `One`."""
        if (row := self._row.get()) is not None:
            return row
        return self._tab.row if self._tab and self._tabs.selected_index == 1 else {}

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

    def _many_keys(self) -> Mapping[str, Sequence[str]]:
        """Return the keys that a column can fill in, with their aliases."""
        fields = {name: field.input for name, field in self.fields.items()}
        return {
            name: each.parameter.aliases
            for name, each in fields.items()
            if not isinstance(each, FileInput | FilesInput)
        }

    def _main_keys(self) -> Sequence[str]:
        """Return the required fields."""
        return [name for name, field in self.fields.items() if field.input.parameter.required]

    def _has_value(self, key: str) -> bool:
        """Return whether the tab `One` has a value for a key."""
        with self._using({}):
            return self._read_fields().get(key) is not None

    def _many_call(self, row: Mapping[str, Any], output: str) -> tuple[Tool[..., Any], dict[str, Any]]:  # noqa: ARG002
        """Return the tool and its values for a row."""
        with self._using(row):
            return self.tool, self.values

    def _misfits(self, row: Mapping[str, Any]) -> int:  # noqa: ARG002  # templates compare their texts
        """Return how many texts of a row do not fit."""
        return 0

    def _file_stem(self) -> str:
        """Return the name of the file with all results."""
        return self.tool.name

    def _on_row(self) -> None:
        """Show the preview of the current row."""
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
