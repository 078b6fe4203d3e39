"""The columns of a table that was read: their order, types and look, and their names for SQL."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Any

import anywidget
from traitlets import Any as AnyTrait
from traitlets import Dict, Int, List, Unicode

from mediakit.core.inputs import local_file
from mediakit.core.parameters import Parameter
from mediakit.core.request import build, request
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.model import COLUMN_TYPES, ReadOptions, Table
from mediakit.engines.tables.reading import Source, as_tables, read_source
from mediakit.engines.tables.request import Rows, TableFile, TableOptions, TableText
from mediakit.errors import MediakitError
from mediakit.widgets.inputs.base import Input, TextInput, heading, script, styled, vbox

READING = tuple(TableOptions.__dataclass_fields__)
"""Fields that say how a table is read."""

SOURCES = ("file", "text", "rows")


@request
class TableRequest(TableOptions):
    """One table, and how it is read."""

    file: TableFile | None = None
    """The table as a file."""
    _: KW_ONLY
    text: TableText | None = None
    """The table as text."""
    rows: Rows | None = None
    """The table as rows."""


def reading_fields(names: Collection[str], suffix: str = "") -> dict[str, str]:
    """Return the fields that a table depends on, by their names in a request; the suffix is that of its own fields."""
    of_table = {name: f"{name}{suffix}" for name in SOURCES if f"{name}{suffix}" in names}
    return of_table | {name: name for name in READING if name in names}


async def load_table(values: Mapping[str, Any], most: int) -> Table | None:
    """Return at most `most` rows of a table; None if there is none, or it cannot be read."""
    given = {name: value for name, value in values.items() if value is not None}
    if given.keys().isdisjoint(SOURCES):
        return None
    try:
        if "file" in given:
            given["file"] = local_file(given["file"])
        wanted = build(TableRequest, given)
        source = wanted.table_source(wanted.file, wanted.text, wanted.rows)
        options = wanted.read_options(source.field, max_rows=most)
        return await run_guarded(first_rows, source, options, field=source.field, guard=TABLE)
    except (MediakitError, ValueError):  # the preview shows the error of the tool
        return None


def first_rows(source: Source, options: ReadOptions) -> Table:
    """Return the table of a source; call it in a worker."""
    return as_tables(read_source(source, options), options).table


class ColumnsEditor(anywidget.AnyWidget):
    """A row for each column of the table, with its options."""

    _esm = script("columns_editor.js")

    value = List(Dict()).tag(sync=True)
    """The columns to show with their options, in order; empty for all columns without options."""
    names = List(Unicode()).tag(sync=True)
    """The columns of the table."""
    types = Dict().tag(sync=True)
    """The type of each column by name."""


class ColumnsInput(Input):
    """Columns as the field takes them: names, or objects with a name and options."""

    wide = True

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter, styled(ColumnsEditor(), "columns-editor"))
        self.caption = heading(parameter.name)

    def read(self) -> Any:
        """Return the columns; None for all columns without options."""
        return [each["name"] if len(each) == 1 else dict(each) for each in self.control.value] or None

    def fill(self, value: Sequence[Any]) -> None:
        """Show columns; a text is the name of one."""
        self.control.value = [{"name": each} if isinstance(each, str) else dict(each) for each in value]

    def show_table(self, table: Table | None, *, is_new: bool) -> None:
        """Show the columns of a table. Chosen columns that a new table does not have are removed."""
        with self.control.hold_sync():
            self.control.names = table.names if table else []
            self.control.types = {column.name: column.type for column in table.columns} if table else {}
            if is_new and table:
                self.control.value = [each for each in self.control.value if each["name"] in self.control.names]


AUTO = "auto"
MAX_SHOWN_ROWS = 6
MAX_SHOWN_COLUMNS = 60
MAX_SHOWN_CHARACTERS = 60


class TypesTable(anywidget.AnyWidget):
    """The first rows of a table, and the type of each column."""

    _esm = script("types_table.js")

    value = AnyTrait(AUTO).tag(sync=True)
    """`auto`, `text`, or types by name of the column."""
    label = Unicode().tag(sync=True)
    """Accessible name of the table."""
    columns = List(Dict()).tag(sync=True)
    """Name, detected type and type of each column that is shown."""
    rows = List(List(Unicode())).tag(sync=True)
    """Texts of the first rows."""
    hidden_columns = Int().tag(sync=True)
    """Number of columns that are not shown."""
    choices = List([name for name in COLUMN_TYPES if name != "json"]).tag(sync=True)


class TypesInput(Input):
    """Types as the field takes them, chosen above the columns."""

    wide = True

    def __init__(self, parameter: Parameter, label: str = "First rows of the table") -> None:
        super().__init__(parameter, styled(TypesTable(label=label), "types-table"))
        self.caption = heading(parameter.name)

    def read(self) -> Any:
        """Return the types; None if all are detected."""
        return None if self.control.value in (AUTO, {}) else self.control.value

    def fill(self, value: Any) -> None:
        """Show types."""
        self.control.value = value if isinstance(value, str) else dict(value)

    def show_table(self, table: Table | None, detected: Table | None) -> None:
        """Show the first rows of a table; with detected types, if its cells do not have the chosen ones."""
        shown = table or detected
        columns = shown.columns[:MAX_SHOWN_COLUMNS] if shown else []
        kinds = {column.name: column.type for column in (detected or shown).columns} if shown else {}
        with self.control.hold_sync():
            self.control.columns = [
                {"name": column.name, "detected": kinds.get(column.name, column.type), "type": column.type}
                for column in columns
            ]
            self.control.rows = [
                [_text(column.values[row]) for column in columns]
                for row in range(min(MAX_SHOWN_ROWS, len(shown) if shown else 0))
            ]
            self.control.hidden_columns = len(shown.columns) - len(columns) if shown else 0


def _text(value: Any) -> str:
    if value is None:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[: MAX_SHOWN_CHARACTERS - 1]}…"


class SqlNames(anywidget.AnyWidget):
    """Buttons with the names that the query can use."""

    _esm = script("sql_names.js")

    tables = List(Dict()).tag(sync=True)
    """Name, rows and columns (name and type) of each table."""
    runs = Int().tag(sync=True)
    """Increases each time the user runs the query with the keyboard."""


class SqlInput(TextInput):
    """A query in a text area with a font of fixed width."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.wide = True
        self.control.rows = 6
        self.names = styled(SqlNames(), "sql-names")
        """The names of tables and columns; they are updated when the tables change."""
        self.widget = vbox([self.control, self.names], "sql")
