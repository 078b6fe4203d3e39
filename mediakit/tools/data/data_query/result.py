"""`QueryResult`: the rows of a query."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from pydantic_core import from_json, to_json

from mediakit.display.tables import MAX_SHOWN_ROWS, ShownColumn, table_html
from mediakit.engines.sql.values import column_type
from mediakit.engines.tables.frames import frame
from mediakit.engines.tables.model import Column, Table
from mediakit.results.legacy import LegacyDataFile
from mediakit.results.result import Result
from mediakit.tools.data.data_query.response_schema import ELAPSED, SCHEMA

if TYPE_CHECKING:
    import pandas as pd


class QueryResult(LegacyDataFile):
    """The rows of a query. Iterate over it, or use `len()`, for the rows; other formats than json are a file, too."""

    columns: list[dict[str, str]]
    """Name and SQL type of each column."""
    row_count: int
    truncated: bool
    """Whether there are more rows than `limit`."""
    tables: list[dict[str, Any]]
    """Name in SQL, number of rows, and columns of each table."""
    elapsed_ms: int
    """Duration of the query in milliseconds. Equal results may differ in it."""

    def __init__(
        self,
        fields: Mapping[str, Any],
        rows: bytes | list[dict[str, Any]],
        made: Result | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(made, meta)
        self.columns = fields["columns"]
        self.row_count = fields["row_count"]
        self.truncated = fields["truncated"]
        self.tables = fields["tables"]
        self.elapsed_ms = fields["elapsed_ms"]
        self._rows = rows

    @property
    def rows(self) -> list[dict[str, Any]]:  # type: ignore[override]  # the contract names it as data
        """The rows by column name. Dates are ISO 8601 text; numbers that a float cannot hold exactly are text."""
        if isinstance(self._rows, bytes):
            self._rows = from_json(self._rows)
        rows: list[dict[str, Any]] = self._rows  # type: ignore[assignment]
        return rows

    def data_fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response, without the duration and the file."""
        return {name: getattr(self, name) for name in SCHEMA}

    @classmethod
    def data_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the fields, by name."""
        return {**SCHEMA, **ELAPSED}

    @classmethod
    def from_data(cls, body: Mapping[str, Any], made: Result | None, meta: Mapping[str, Any]) -> Self:
        """Return the result with the fields of a server's response."""
        return cls(body, body["rows"], made, meta)

    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Return the JSON body of the HTTP response; `usage` is added to the meta."""
        fields = {"success": True, **self.response(), "elapsed_ms": self.elapsed_ms}
        return to_json({**fields, "meta": {**self.meta, **(usage or {})}})

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows as a DataFrame of pandas, or of Polars if pandas is not installed.

        Raises:
            ImportError: Neither is installed.
        """
        rows = self.rows
        columns = [
            Column(one["name"], column_type(one["type"]), [row[one["name"]] for row in rows]) for one in self.columns
        ]
        made: pd.DataFrame = frame(Table(columns))
        return made

    @property
    def extent(self) -> str:
        """The size of the result, such as `250 rows × 9 columns`."""
        return f"{_counted(self.row_count, 'row')} × {_counted(len(self.columns), 'column')}"

    def __len__(self) -> int:
        return self.row_count

    def __bool__(self) -> bool:
        return True  # a result without rows is a result, too

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        columns = [ShownColumn(one["name"], one["type"], _is_number(one["type"])) for one in self.columns]
        names = [one["name"] for one in self.columns]
        rows = [[_shown(row[name]) for name in names] for row in self.rows[:MAX_SHOWN_ROWS]]
        sources = ", ".join(f"{one['name']} ({_counted(one['rows'], 'row')})" for one in self.tables)
        more = "more rows than the limit" if self.truncated else ""
        caption = " · ".join(filter(None, (self.extent, more, f"from {sources}", f"{self.elapsed_ms} ms")))
        return {"text/plain": repr(self), "text/html": table_html(columns, rows, caption, self.row_count)}, {}

    def __repr__(self) -> str:
        facts = ", ".join(filter(None, (self.extent, "truncated" if self.truncated else "", self.filename)))
        return f"<{type(self).__name__} {facts}>"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _is_number(sql_type: str) -> bool:
    return column_type(sql_type) in ("integer", "number")


def _shown(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return to_json(value).decode()
