"""The tool `data_diff` and its result."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, cast, get_args

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core.media import extension_of
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import TABLE, run_guarded
from mediakit.engines.tables.model import COLUMN_TYPES, Column, ColumnType, Table
from mediakit.engines.tables.python_tables import adapt_tables, frame
from mediakit.engines.tables.writers import MEDIA_TYPES
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.results.data import MadeData
from mediakit.results.files import FileResult
from mediakit.results.item import field
from mediakit.results.result import Bundle
from mediakit.samples import SALES, SALES_REVISED
from mediakit.tools.data.data_diff.cells import summary as summary_of
from mediakit.tools.data.data_diff.comparison import Compared
from mediakit.tools.data.data_diff.report import report_of, sentence, shown
from mediakit.tools.data.data_diff.request import DataDiffRequest, Format
from mediakit.tools.data.data_diff.rows import row_name

if TYPE_CHECKING:
    import pandas as pd

MAX_SHOWN_ROWS = 20
MAX_SHOWN_COLUMNS = 30

_CELL_TYPES: Mapping[str, ColumnType] = {
    "row": "integer",
    "row2": "integer",
    "column": "text",
    "from": "json",
    "to": "json",
}
_TREE_TYPES: Mapping[str, ColumnType] = {"path": "text", "path2": "text", "from": "json", "to": "json"}


Count = Annotated[int, Field(ge=0)]
RowNumber = Annotated[int, Field(ge=1)]
Row = dict[str, Any]


class Summary(TypedDict):
    """Numbers of rows (of values for trees), columns and cells."""

    added: Count
    removed: Count
    changed: Count
    moved: Count
    unchanged: Count
    columns_added: Count
    columns_removed: Count
    columns_renamed: Count
    cells_changed: Count


TypeChange = TypedDict("TypeChange", {"column": str, "from": ColumnType, "to": ColumnType})
Renamed = TypedDict("Renamed", {"from": str, "to": str})


class ColumnChanges(TypedDict):
    """What differs between the columns."""

    added: list[str]
    removed: list[str]
    renamed: list[Renamed]
    type_changed: list[TypeChange]
    """Columns read as another type, which alone does not count as a difference."""
    moved: list[str]
    """Columns in another order."""


class DuplicateKey(TypedDict):
    """A key of several rows."""

    key: Row | None
    """Value by column; null without a key."""
    rows: list[RowNumber]
    rows2: list[RowNumber]


CHANGED_ROW = {
    "type": "object",
    "properties": {
        "key": {"type": ["object", "null"], "description": "Value by column; null without a key."},
        "row": {"type": "integer", "description": "Row of the old table, from 1."},
        "row2": {"type": "integer", "description": "Row of the new table, from 1."},
        "changes": {
            "type": "object",
            "additionalProperties": {"type": "object", "properties": {"from": {}, "to": {}}},
            "description": "Old and new value by column.",
        },
        "path": {"type": "string", "description": "Place in the old tree."},
        "path2": {"type": "string", "description": "Place in the new tree."},
        "from": {"description": "Old value in a tree."},
        "to": {"description": "New value in a tree."},
    },
}
CHANGED_EXAMPLE = {"key": {"id": 2}, "row": 2, "row2": 2, "changes": {"city": {"from": "Oslo", "to": "Bergen"}}}


class DiffResult(MadeData):
    """What differs between two tables or documents. `len()` is the number of differences; iterate for those listed.

    There is no truth value, because an empty list of differences and a difference are easily confused: use `same`.
    """

    same: Annotated[bool, Field(examples=[False])]
    """Whether nothing differs that is not ignored."""
    mode: Literal["table", "tree"]
    """How the inputs were compared."""
    summary: Annotated[Summary, Field(examples=[summary_of(changed=1, unchanged=7, cells_changed=1)])]
    """Numbers of rows (of values for trees), columns and cells. Rows that moved are counted even if their order is
    ignored."""
    added_rows: Annotated[list[Row], Field(alias="added", examples=[[]])] = field(metadata={"member": "added"})
    """Rows of the new table by column, and their number as `row`, from 1 (`_row` if a column has this name). For trees:
    `path` and `value`."""
    removed_rows: Annotated[list[Row], Field(alias="removed", examples=[[]])] = field(metadata={"member": "removed"})
    """Rows of the old table, in the same form."""
    changed_rows: Annotated[
        list[Row],
        Field(alias="changed", json_schema_extra={"items": CHANGED_ROW}, examples=[[CHANGED_EXAMPLE]]),
    ] = field(metadata={"member": "changed"})
    """Rows in both tables of which cells differ; for trees, values that differ."""
    columns: Annotated[
        ColumnChanges,
        Field(examples=[{"added": [], "removed": [], "renamed": [], "type_changed": [], "moved": []}]),
    ]
    """What differs between the columns."""
    key: Annotated[list[str] | None, Field(examples=[["id"]])]
    """Columns by which rows were matched; null if they were matched by their content."""
    key_found: Annotated[bool, Field(examples=[True])]
    """Whether the key was found, not chosen."""
    duplicate_keys: Annotated[list[DuplicateKey], Field(examples=[[]])]
    """Keys of several rows, and these rows; they are matched by similarity."""
    truncated: Annotated[bool, Field(examples=[False])]
    """Whether there are more differences than `max_changes`."""
    made: FileResult | None = None
    """The file, if one was made."""

    def _by_member(self) -> dict[str, Any]:
        """Return the fields by the name of their member, without copying the rows."""
        values = vars(self)
        renamed = {name: values[f"{name}_rows"] for name in ("added", "removed", "changed")}
        return {**values, **renamed}

    @property
    def added(self) -> "pd.DataFrame":
        """The rows that only the new table has, as a DataFrame with their numbers as `row`.

        Raises:
            ImportError: Neither pandas nor Polars is installed.
        """
        return self._rows_frame("added", "columns2")

    @property
    def removed(self) -> "pd.DataFrame":
        """The rows that only the old table has, as a DataFrame with their numbers as `row`.

        Raises:
            ImportError: Neither pandas nor Polars is installed.
        """
        return self._rows_frame("removed", "columns")

    @property
    def changed(self) -> "pd.DataFrame":
        """The cells that differ, as a DataFrame: the key, `row`, `row2`, `column`, `from` and `to`.

        Raises:
            ImportError: Neither pandas nor Polars is installed.
        """
        if self.mode == "tree":
            return _frame(_TREE_TYPES, self.changed_rows)
        cells = [
            {**(row["key"] or {}), "row": row["row"], "row2": row["row2"], "column": name, **change}
            for row in self.changed_rows
            for name, change in row["changes"].items()
        ]
        types = {column["name"]: column["type"] for column in self.meta["columns"]}
        return _frame({**{name: types[name] for name in self.key or ()}, **_CELL_TYPES}, cells)

    def _rows_frame(self, name: str, columns: str) -> "pd.DataFrame":
        rows = vars(self)[f"{name}_rows"]
        if self.mode == "tree":
            return _frame({"path": "text", "value": "json"}, rows)
        types: dict[str, ColumnType] = {column["name"]: column["type"] for column in self.meta[columns]}
        if rows:
            types = {each: types.get(each, "integer") for each in rows[0]}
        return _frame({**({} if rows else {row_name(list(types)): "integer"}), **types}, rows)

    def _rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each cell that differs: `change`, `row` and `row2`, `column`, `from` and `to`.

        Those of trees have `path` and `path2` in place of row and column.
        """
        found = []
        place, place2 = ("path", "path2") if self.mode == "tree" else ("row", "row2")
        for row in report_of(self._by_member(), self.meta).rows:
            for name, cell in row.cells.items():
                if row.change != "changed" or cell.is_changed:
                    whole = {"added": (None, cell.new), "removed": (cell.new, None)}
                    old, new = whole.get(row.change, (cell.old, cell.new))
                    column = {} if self.mode == "tree" else {"column": name}
                    places = {place: row.place, place2: row.place2}
                    found.append({"change": row.change, **places, **column, "from": old, "to": new})
        return found

    def _frame(self) -> Any:
        types = _TREE_TYPES if self.mode == "tree" else _CELL_TYPES
        return _frame({"change": "text", **types}, self._rows())

    @property
    def patch(self) -> list[dict[str, Any]]:
        """The operations of the JSON patch (RFC 6902), for results with `format="patch"`.

        Raises:
            InvalidInput: The result has another format.
        """
        from pydantic_core import from_json

        if self.mime_type != "application/json-patch+json":
            raise InvalidInput('patch: only results of format="patch" have one.')
        operations: list[dict[str, Any]] = from_json(self.content)
        return operations

    def assert_same(self) -> None:
        """Do nothing if nothing differs.

        Raises:
            AssertionError: Something differs; the message counts the differences and shows the first one.
        """
        if not self.same:
            first = next(iter(self), None)
            raise AssertionError(
                f"{sentence(self._by_member())}{f'; the first: {_described(first)}' if first else ''}."
            )

    def _facts(self) -> str:
        return sentence(self._by_member())

    def __len__(self) -> int:
        return self.summary["added"] + self.summary["removed"] + self.summary["changed"]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for change in ("removed", "changed", "added"):
            for row in vars(self)[f"{change}_rows"]:
                yield {"change": change, **row}

    def __bool__(self) -> NoReturn:
        raise TypeError("A DiffResult has no truth value; use .same, or len() for the number of differences.")

    def _bundle(self) -> Bundle:
        from mediakit.tools.data.data_diff.report import fragment

        values = self._by_member()
        shown_html = fragment(report_of(values, self.meta), values, self.meta, MAX_SHOWN_ROWS, MAX_SHOWN_COLUMNS)
        return {"text/html": shown_html}, {}


def _frame(types: Mapping[str, ColumnType], rows: Sequence[Mapping[str, Any]]) -> "pd.DataFrame":
    """Return rows as a DataFrame with columns of these types; objects and arrays are JSON text."""
    columns = (Column(name, kind, [_value(row[name], kind) for row in rows]) for name, kind in types.items())
    return cast("pd.DataFrame", frame(Table(list(columns))))


def _value(value: Any, kind: ColumnType) -> Any:
    if isinstance(value, dict | list):
        return shown(value)
    return float(value) if kind == "number" and isinstance(value, str) else value


def _described(difference: Mapping[str, Any]) -> str:
    """Return a difference in words."""
    change = difference["change"]
    if "path" in difference:
        if change == "changed":
            return f"{difference['path']} {shown(difference['from'])[:80]} → {shown(difference['to'])[:80]}"
        return f"{difference['path']} {change}"
    if change != "changed":
        return f"row {next(value for name, value in difference.items() if name.strip('_') == 'row')} {change}"
    name, cell = next(iter(difference["changes"].items()))
    place = ", ".join(f"{each} {value}" for each, value in (difference["key"] or {}).items())
    return f"{place or 'row ' + str(difference['row'])}: {name} {shown(cell['from'])[:80]} → {shown(cell['to'])[:80]}"


FORMATS = {name: MEDIA_TYPES.get(name, "application/json-patch+json") for name in get_args(Format)}

_KIND: Mapping[str, Any] = {"type": "string", "enum": list(COLUMN_TYPES)}
_COLUMNS: Mapping[str, Any] = {
    "type": ["array", "null"],
    "items": {"type": "object", "properties": {"name": {"type": "string"}, "type": _KIND}},
    "description": "Name and type of each column; null for trees.",
    "examples": [[{"name": "id", "type": "integer"}, {"name": "city", "type": "text"}]],
}
_TEXT: Mapping[str, Any] = {"type": ["string", "null"]}

META: Mapping[str, Mapping[str, Any]] = {
    "rows": {"type": ["integer", "null"], "description": "Rows of the old table; null for trees.", "examples": [8]},
    "rows2": {"type": ["integer", "null"], "description": "Rows of the new table.", "examples": [8]},
    "columns": _COLUMNS,
    "columns2": {**_COLUMNS, "description": "The same for the new table."},
    "input_format": {"type": "string", "examples": ["csv"]},
    "input_format2": {"type": "string", "examples": ["excel"]},
    "encoding": {**_TEXT, "examples": ["utf-8"]},
    "encoding2": {**_TEXT, "examples": [None]},
    "sheet": {**_TEXT, "examples": [None]},
    "sheet2": {**_TEXT, "examples": ["Sheet1"]},
    "warnings": {"type": "array", "items": {"type": "string"}, "examples": [[]]},
}


@tool(
    DataDiffRequest,
    tag="Data",
    produces=FORMATS,
    meta=META,
    errors=[NotConvertible],
    adapt=partial(adapt_tables, suffixes=("", "2")),
    examples=[
        Example("Two tables, by the key that both have", {"file": SALES, "file2": SALES_REVISED}),
        Example(
            "A workbook for people, by a chosen key, without a column",
            {"file": SALES, "file2": SALES_REVISED, "key": ["order"], "ignore": ["carrier"], "format": "xlsx"},
        ),
        Example(
            "Two JSON documents, with a tolerance",
            {
                "text": '{"name": "lake", "depth": 41.2, "tags": ["cold"]}',
                "text2": '{"name": "lake", "depth": 41.25, "tags": ["cold", "deep"]}',
                "tolerance": 0.1,
            },
        ),
        Example(
            "The JSON patch that turns one document into the other",
            {"text": '{"a": 1, "b": [1, 2]}', "text2": '{"a": 1, "b": [2]}', "format": "patch"},
        ),
    ],
)
async def data_diff(request: DataDiffRequest) -> DiffResult:
    """Compare two tables, or two JSON, YAML or TOML documents.

    The inputs may be of different kinds, such as CSV and Excel: values are compared as they are read, so 1.50 equals
    1.5 and 31.12.2024 equals 2024-12-31, but 01 is not 1; with `types` text everything is compared as written. Rows are
    matched by a key, which is found if it is not set, and never lost: rows that share a key, or have none, are matched
    by their content and similarity. CSV, XLSX, HTML and Markdown are reports for people, in which text never becomes a
    formula; a patch turns the old document into the new one (a table counts as an array of objects).

    Raises:
        InvalidInput: An input cannot be read, or an option does not fit it.
        NotConvertible: The comparison took longer than 10 seconds.
    """
    second, work = request.sides[1], "mediakit.tools.data.data_diff.comparison:compare"
    compared = await run_guarded(work, request, returns=Compared, field=second.name, guard=TABLE)
    made = None
    if compared.content is not None:
        media = FORMATS[request.format]
        made = FileResult(compared.content, media, f"{second.source.stem}-diff.{extension_of(media)}")
    meta = {**({} if made is None else {"size_bytes": len(made.content)}), **compared.meta}
    rows = {f"{name}_rows": compared.fields.pop(name) for name in ("added", "removed", "changed")}
    return DiffResult(**compared.fields, **rows, made=made, meta=meta)
