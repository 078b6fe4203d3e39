"""`DiffResult`: what differs between two tables or documents."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from mediakit.engines.tables.frames import frame
from mediakit.engines.tables.model import Column, ColumnType, Table
from mediakit.errors import InvalidInput
from mediakit.results.legacy import LegacyDataFile
from mediakit.results.result import Result
from mediakit.tools.data.data_diff.report import report_of, sentence, shown
from mediakit.tools.data.data_diff.response_schema import SCHEMA
from mediakit.tools.data.data_diff.row_names import row_name

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


class DiffResult(LegacyDataFile):
    """What differs between two tables or documents. `len()` is the number of differences; iterate for those listed.

    There is no truth value, because an empty list of differences and a difference are easily confused: use `same`.
    """

    same: bool
    """Whether nothing differs that is not ignored."""
    mode: str
    """`table` or `tree`."""
    summary: dict[str, int]
    """Numbers of rows `added`, `removed`, `changed`, `moved` and `unchanged`, of `columns_added`, `columns_removed` and
    `columns_renamed`, and of `cells_changed`."""
    columns: dict[str, Any]
    """Columns `added`, `removed`, `renamed`, `type_changed` and `moved`."""
    key: list[str] | None
    """The columns by which rows were matched; None if they were matched by their content."""
    key_found: bool
    """Whether the key was found rather than chosen."""
    duplicate_keys: list[dict[str, Any]]
    """Keys that several rows have, with the numbers of these rows."""
    truncated: bool
    """Whether there are more differences than those listed."""

    def __init__(
        self,
        fields: Mapping[str, Any],
        made: Result | None = None,
        meta: Mapping[str, Any] | None = None,
        *,
        alt: str = "",
    ) -> None:
        super().__init__(made, meta, alt=alt)
        self._fields = {name: fields[name] for name in SCHEMA}
        for name in SCHEMA.keys() - {"added", "removed", "changed"}:
            setattr(self, name, fields[name])

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
            return _frame(_TREE_TYPES, self._fields["changed"])
        cells = [
            {**(row["key"] or {}), "row": row["row"], "row2": row["row2"], "column": name, **change}
            for row in self._fields["changed"]
            for name, change in row["changes"].items()
        ]
        types = {column["name"]: column["type"] for column in self.meta["columns"]}
        return _frame({**{name: types[name] for name in self.key or ()}, **_CELL_TYPES}, cells)

    def _rows_frame(self, name: str, columns: str) -> "pd.DataFrame":
        rows = self._fields[name]
        if self.mode == "tree":
            return _frame({"path": "text", "value": "json"}, rows)
        types: dict[str, ColumnType] = {column["name"]: column["type"] for column in self.meta[columns]}
        if rows:
            types = {each: types.get(each, "integer") for each in rows[0]}
        return _frame({**({} if rows else {row_name(list(types)): "integer"}), **types}, rows)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each cell that differs: `change`, `row` and `row2`, `column`, `from` and `to`.

        Those of trees have `path` and `path2` in place of row and column.
        """
        if self.mode == "tree":
            return [
                *({"change": "removed", "path": row["path"], "path2": None, "from": row["value"], "to": None}
                  for row in self._fields["removed"]),
                *({"change": "changed", **row} for row in self._fields["changed"]),
                *({"change": "added", "path": None, "path2": row["path"], "from": None, "to": row["value"]}
                  for row in self._fields["added"]),
            ]  # fmt: skip
        found = []
        for row in report_of(self._fields, self.meta).rows:
            for name, cell in row.cells.items():
                if row.change != "changed" or cell.is_changed:
                    old, new = {"added": (None, cell.new), "removed": (cell.new, None)}.get(
                        row.change, (cell.old, cell.new)
                    )
                    places = {"row": row.place, "row2": row.place2}
                    found.append({"change": row.change, **places, "column": name, "from": old, "to": new})
        return found

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each cell of the differences listed, as a DataFrame of pandas, or of Polars.

        Raises:
            ImportError: Neither is installed.
        """
        types = _TREE_TYPES if self.mode == "tree" else _CELL_TYPES
        return _frame({"change": "text", **types}, self.rows())

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
            raise AssertionError(f"{sentence(self._fields)}{f'; the first: {_described(first)}' if first else ''}.")

    def data_fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response, without the file."""
        return dict(self._fields)

    @classmethod
    def data_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of each field."""
        return dict(SCHEMA)

    @classmethod
    def from_data(cls, body: Mapping[str, Any], made: Any, meta: Mapping[str, Any]) -> Self:
        """Return the result with the fields of a server's response."""
        try:
            return cls(body, made, meta)
        except KeyError as error:
            raise InvalidInput(f"The server's response does not describe differences: {error} is missing.") from None

    @property
    def extent(self) -> str:
        """The outcome, such as `2 rows added, 1 row changed`."""
        return sentence(self._fields)

    def __len__(self) -> int:
        return sum(self.summary[name] for name in ("added", "removed", "changed"))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for change in ("removed", "changed", "added"):
            for row in self._fields[change]:
                yield {"change": change, **row}

    def __bool__(self) -> bool:
        raise TypeError("A DiffResult has no truth value; use .same, or len() for the number of differences.")

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.tools.data.data_diff.report_html import fragment

        report = report_of(self._fields, self.meta)
        shown_html = fragment(report, self._fields, self.meta, MAX_SHOWN_ROWS, MAX_SHOWN_COLUMNS)
        return {"text/plain": repr(self), "text/html": shown_html}, {}

    def __repr__(self) -> str:
        return f"<DiffResult {self.extent}>"


def _frame(types: Mapping[str, ColumnType], rows: Sequence[Mapping[str, Any]]) -> "pd.DataFrame":
    """Return rows as a DataFrame with columns of these types; objects and arrays are JSON text."""
    made: pd.DataFrame = frame(
        Table([Column(name, kind, [_value(row[name], kind) for row in rows]) for name, kind in types.items()])
    )
    return made


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
