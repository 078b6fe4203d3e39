"""`SampleResult`: the rows of a made-up table."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from mediakit.display.tables import MAX_SHOWN_ROWS, ShownColumn, table_html
from mediakit.engines.tables.frames import frame
from mediakit.engines.tables.model import Column, Table
from mediakit.engines.tables.writers.fragments import as_text
from mediakit.results.legacy import LegacyDataFile
from mediakit.results.result import Result
from mediakit.tools.data.data_sample.response_schema import SCHEMA

if TYPE_CHECKING:
    import pandas as pd


class SampleResult(LegacyDataFile):
    """Made-up rows. Iterate over it, or use `len()`, for the rows; other formats than json are a file, too."""

    def __init__(
        self, rows: list[dict[str, Any]], made: Result | None = None, meta: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(made, meta)
        self._rows = rows

    @property
    def rows(self) -> list[dict[str, Any]]:  # type: ignore[override]  # the contract names it as data
        """The rows by the name of the field. Dates and times are ISO 8601 text."""
        return self._rows

    @property
    def columns(self) -> list[dict[str, str]]:
        """Name, type and kind of each column."""
        columns: list[dict[str, str]] = self.meta["columns"]
        return columns

    @property
    def seed(self) -> int:
        """The seed, with which the same rows are made again."""
        seed: int = self.meta["seed"]
        return seed

    def data_fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response, without the file."""
        return {"rows": self._rows}

    @classmethod
    def data_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the fields, by name."""
        return SCHEMA

    @classmethod
    def from_data(cls, body: Mapping[str, Any], made: Result | None, meta: Mapping[str, Any]) -> Self:
        """Return the result with the fields of a server's response."""
        return cls(body["rows"], made, meta)

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows as a DataFrame of pandas, or of Polars if pandas is not installed.

        Raises:
            ImportError: Neither is installed.
        """
        made: pd.DataFrame = frame(self._table(len(self._rows)))
        return made

    @property
    def extent(self) -> str:
        """The size of the table, such as `250 rows × 9 columns`."""
        return f"{_counted(len(self._rows), 'row')} × {_counted(len(self.columns), 'column')}"

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    def _table(self, count: int) -> Table:
        rows = self._rows[:count]
        return Table(
            [Column(one["name"], one["type"], [row[one["name"]] for row in rows]) for one in self.columns]  # type: ignore[arg-type]
        )

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        head = self._table(MAX_SHOWN_ROWS)
        columns = [ShownColumn(one.name, one.type, one.type in ("integer", "number")) for one in head.columns]
        cells = [
            [None if value is None else text for value, text in zip(one.values, as_text(one), strict=True)]
            for one in head.columns
        ]
        rows = [list(row) for row in zip(*cells, strict=True)]
        caption = " · ".join(filter(None, (self.filename, self.extent, f"seed {self.seed}")))
        return {"text/plain": repr(self), "text/html": table_html(columns, rows, caption, len(self))}, {}

    def __repr__(self) -> str:
        facts = ", ".join(filter(None, (self.extent, f"seed {self.seed}", self.filename)))
        return f"<{type(self).__name__} {facts}>"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
