"""`SampleResult`: the rows of a made-up table."""

from collections.abc import Iterator
from typing import Annotated, Any, cast

from pydantic import Field

from mediakit.core.tool import Wire
from mediakit.display.tables import MAX_SHOWN_ROWS, ShownColumn, table_html
from mediakit.engines.tables.frames import frame
from mediakit.engines.tables.model import Column, Table
from mediakit.engines.tables.writers.fragments import as_text
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult
from mediakit.results.item import field
from mediakit.results.result import Bundle

EXAMPLE = {"id": 1, "name": "Samantha Boyd", "email": "samantha.boyd@example.org"}


class SampleResult(DataResult):
    """Made-up rows. Iterate over it, or use `len()`, for the rows; other formats than json are a file, too."""

    _wire = Wire(outputs=("json", "binary", "url"), is_data=True, sends_file=True)

    rows: Annotated[list[dict[str, Any]], Field(examples=[[EXAMPLE]])] = field(metadata={"json": True})
    """The rows by the name of the field. Dates and times are ISO 8601."""
    made: FileResult | None = None
    """The file, if one was made."""

    @property
    def columns(self) -> list[dict[str, str]]:
        """Name, type and kind of each column."""
        return cast("list[dict[str, str]]", self.meta["columns"])

    @property
    def seed(self) -> int:
        """The seed, with which the same rows are made again."""
        return cast("int", self.meta["seed"])

    @property
    def filename(self) -> str:
        """The name of the file; empty if none was made."""
        return "" if self.made is None else self.made.filename

    def _rows(self) -> list[dict[str, Any]]:
        return self.rows

    def _frame(self) -> Any:
        return frame(self._table(len(self)))

    def _facts(self) -> str:
        return f"{_counted(len(self), 'row')} × {_counted(len(self.columns), 'column')}"

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def _table(self, count: int) -> Table:
        return Table(
            [
                Column(one["name"], cast("Any", one["type"]), [row[one["name"]] for row in self.rows[:count]])
                for one in self.columns
            ]
        )

    def _bundle(self) -> Bundle:
        head = self._table(MAX_SHOWN_ROWS).columns
        columns = [ShownColumn(one.name, one.type, one.type in ("integer", "number")) for one in head]
        cells = [
            [None if value is None else text for value, text in zip(one.values, as_text(one), strict=True)]
            for one in head
        ]
        rows = [list(row) for row in zip(*cells, strict=True)]
        caption = " · ".join(filter(None, (self.filename, self._facts(), f"seed {self.seed}")))
        return {"text/html": table_html(columns, rows, caption, len(self))}, {}

    def __repr__(self) -> str:
        facts = ", ".join(filter(None, (self._facts(), f"seed {self.seed}", self.filename)))
        return f"<{type(self).__name__} {facts}>"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
