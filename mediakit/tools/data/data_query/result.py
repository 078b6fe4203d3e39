"""`QueryResult`: the rows of a query."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field
from pydantic_core import to_json

from mediakit.core.tool import Wire
from mediakit.display.tables import MAX_SHOWN_ROWS, ShownColumn, table_html
from mediakit.engines.sql.model import QueryColumn, QueryTable
from mediakit.engines.sql.values import column_type
from mediakit.engines.tables.frames import frame
from mediakit.engines.tables.model import Column, Table
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult
from mediakit.results.item import field
from mediakit.results.result import Bundle

COLUMNS = [{"name": "city", "type": "VARCHAR"}, {"name": "total", "type": "DECIMAL(38,2)"}]


class QueryResult(DataResult, kw_only=True):
    """The rows of a query. Iterate over it, or use `len()`, for the rows; other formats than json are a file, too."""

    _wire = Wire(outputs=("json", "binary", "url"), is_data=True, sends_file=True)

    columns: Annotated[list[QueryColumn], Field(examples=[COLUMNS])]
    rows: Annotated[list[dict[str, Any]], Field(examples=[[{"city": "Vigo", "total": 415.25}]])] = field(
        metadata={"json": True}
    )
    """The rows by column name. Numbers that a double cannot hold are text; dates are ISO 8601."""
    row_count: Annotated[int, Field(examples=[1])]
    truncated: Annotated[bool, Field(examples=[False])]
    """Whether there are more rows than `limit`."""
    tables: Annotated[list[QueryTable], Field(examples=[[{"name": "sales", "rows": 8, "columns": COLUMNS[:1]}]])]
    """The tables: name in SQL, number of rows, and columns."""
    made: FileResult | None = None
    """The file, if one was made."""
    elapsed_ms: Annotated[int, Field(examples=[3])] = field(compare=False)
    """Duration of the query in milliseconds."""

    @property
    def filename(self) -> str:
        """The name of the file; empty if none was made."""
        return "" if self.made is None else self.made.filename

    def _members(self) -> Mapping[str, Any]:
        return {name: value for name, value in super()._members().items() if name != "elapsed_ms"}

    def _rows(self) -> list[dict[str, Any]]:
        return self.rows

    def _frame(self) -> Any:
        return frame(
            Table(
                [
                    Column(one["name"], column_type(one["type"]), [row[one["name"]] for row in self.rows])
                    for one in self.columns
                ]
            )
        )

    def _facts(self) -> str:
        return f"{_counted(self.row_count, 'row')} × {_counted(len(self.columns), 'column')}"

    def __len__(self) -> int:
        return self.row_count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def _bundle(self) -> Bundle:
        columns = [
            ShownColumn(one["name"], one["type"], column_type(one["type"]) in ("integer", "number"))
            for one in self.columns
        ]
        rows = [[_shown(row[one.name]) for one in columns] for row in self.rows[:MAX_SHOWN_ROWS]]
        sources = ", ".join(f"{one['name']} ({_counted(one['rows'], 'row')})" for one in self.tables)
        more = "more rows than the limit" if self.truncated else ""
        caption = " · ".join(filter(None, (self._facts(), more, f"from {sources}", f"{self.elapsed_ms} ms")))
        return {"text/html": table_html(columns, rows, caption, self.row_count)}, {}

    def __repr__(self) -> str:
        facts = ", ".join(filter(None, (self._facts(), "truncated" if self.truncated else "", self.filename)))
        return f"<{type(self).__name__} {facts}>"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _shown(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else to_json(value).decode()
