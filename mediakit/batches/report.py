"""Failed rows of a batch, and the report of all rows as a table."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from mediakit.batches.calls import notes_of
from mediakit.batches.entries import Entry
from mediakit.batches.records import Record
from mediakit.errors import MediakitError
from mediakit.results.result import Result

if TYPE_CHECKING:
    import pandas as pd

NOT_RUN = "not run"
"""The note of a row that an interrupted batch did not reach."""

COLUMNS = ["row", "name", "file", "size_bytes", "notes", "error"]

CELL = "padding:3px 14px 3px 0;text-align:left;vertical-align:top;background:none;overflow-wrap:anywhere"
HEAD = f"{CELL};white-space:nowrap;font-weight:500;opacity:.7"


@dataclass(frozen=True)
class BatchError:
    """A failed row."""

    row: int
    """Number of the row, from 1."""
    name: str
    """Name of the missing result."""
    values: Mapping[str, Any]
    """The values of the row by column."""
    error: MediakitError

    def __str__(self) -> str:
        return f"row {self.row}, {self.name}: {self.error}"


class Report(Sequence[dict[str, Any]]):
    """One dictionary per row with `row`, `name`, `file`, `size_bytes`, `notes` and `error`; displays as a table."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows = list(rows)

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> "Report": ...
    def __getitem__(self, index: int | slice) -> "dict[str, Any] | Report":
        """Return a row of the report by index, or a report of a slice."""
        return Report(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def to_pandas(self) -> "pd.DataFrame":
        """Return the report as a DataFrame; requires pandas."""
        import pandas as pd

        return pd.DataFrame(self._rows, columns=COLUMNS)

    def __repr__(self) -> str:
        return "\n".join("  ".join(map(_cell, row.values())) for row in self._rows) or "no rows"

    def _repr_html_(self) -> str:
        return table_html(COLUMNS, [list(map(_cell, row.values())) for row in self._rows])


def report_row(entry: Entry[Any]) -> dict[str, Any]:
    """Return the outcome of a row by column of the report."""
    if entry.record:
        return recorded_row(entry.record)
    result: Result | None = entry.result
    notes = NOT_RUN if entry.is_pending else _joined(notes_of(result)) if result else ""
    size = len(result.file) if result else None
    error = str(entry.error) if entry.error else None
    return dict(zip(COLUMNS, [entry.row.number, entry.name, None, size, notes, error], strict=True))


def recorded_row(record: Record) -> dict[str, Any]:
    """Return the outcome of a row in a manifest by column of the report; the file is a path within the target."""
    notes = "" if record.error else _joined(record.notes)
    size = record.size_bytes if record.file else None
    return dict(zip(COLUMNS, [record.row, record.name, record.file, size, notes, record.error], strict=True))


def _joined(notes: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{name}: {', '.join(map(str, found))}" for name, found in notes.items())


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def table_html(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as HTML."""

    def line(tag: str, style: str, cells: Sequence[str]) -> str:
        return "".join(["<tr>", *(f'<{tag} style="{style}">{html.escape(cell)}</{tag}>' for cell in cells), "</tr>"])

    body = "".join(line("td", CELL, row) for row in rows)
    return f'<table style="margin:4px 0 12px;font-size:12px">{line("th", HEAD, head)}{body}</table>'
