"""The result of a batch: results by name, failed rows, and a report of all rows."""

import html
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from mediakit.batches.job import Entry
from mediakit.batches.names import file_name
from mediakit.core.messages import quote
from mediakit.errors import InvalidInput, MediakitError
from mediakit.results.gallery import Gallery
from mediakit.results.result import Result

if TYPE_CHECKING:
    import os

    import pandas as pd

R = TypeVar("R", bound=Result)

MAX_LISTED_ERRORS = 10
"""Number of errors that are displayed; the report contains all of them."""

NOTES = ("warnings", "fitted", "defaults_used")
"""Lists of the meta that the report includes, because they may need attention."""

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a zip archive, so that equal results give equal archives."""

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
        return _table(COLUMNS, [list(map(_cell, row.values())) for row in self._rows])


COLUMNS = ["row", "name", "file", "size_bytes", "notes", "error"]


class BatchResult(Gallery[R], Generic[R]):
    """Results by name; the last line of a cell displays them side by side, with the failed rows below."""

    def __init__(self, entries: Sequence[Entry[R]]) -> None:
        super().__init__({entry.name: entry.result for entry in entries if entry.result is not None})
        self._entries = tuple(entries)

    @property
    def results(self) -> list[R]:
        """The results without names, in the order of the rows."""
        return list(self.values())

    @property
    def errors(self) -> list[BatchError]:
        """The failed rows in order."""
        return [
            BatchError(entry.row.number, entry.name, entry.row.values, entry.error)
            for entry in self._entries
            if entry.error is not None
        ]

    @property
    def report(self) -> Report:
        """The outcome of every row."""
        return Report([_report_row(entry) for entry in self._entries])

    def raise_errors(self) -> None:
        """Raise the error of the first failed row; do nothing if no row failed.

        Raises:
            MediakitError: A row failed; `.errors` contains all errors.
        """
        for failed in self.errors[:1]:
            others = len(self.errors) - 1
            more = f" {others} more rows failed; see .errors." if others else ""
            failed.error.add_note(f"Row {failed.row}, {quote(failed.name)}.{more}")
            raise failed.error

    def save(self, directory: "str | os.PathLike[str]") -> list[Path]:
        """Write every result to a file in a directory and return the paths; existing files are replaced.

        Raises:
            InvalidInput: The suffix of a name does not match the format of the result.
        """
        return [result.save(Path(directory) / file_name(name, result)) for name, result in self.items()]

    def zip(self, path: "str | os.PathLike[str]") -> Path:
        """Write all results to a zip archive and return its path; a path without a suffix gets `.zip`.

        Raises:
            InvalidInput: The path is a directory.
        """
        target = Path(path)
        if target.is_dir():
            raise InvalidInput(f"path: must be a file name, but {target} is a directory.")
        target = target if target.suffix else target.with_suffix(".zip")
        target.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, result in self.items():
                archive.writestr(zipfile.ZipInfo(file_name(name, result), ZIP_DATE), result.file)
        return target

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self._errors_html()

    def _errors_html(self) -> str:
        errors = self.errors
        if not errors:
            return ""
        rows = [[str(each.row), each.name, str(each.error)] for each in errors[:MAX_LISTED_ERRORS]]
        more = (
            f"<p>… and {len(errors) - MAX_LISTED_ERRORS} more in .errors</p>" if len(errors) > MAX_LISTED_ERRORS else ""
        )
        title = "1 row failed" if len(errors) == 1 else f"{len(errors)} rows failed"
        table = _table(["row", "name", "error"], rows)
        return f'<div style="font-size:12px;line-height:1.45"><b>{title}</b>{table}{more}</div>'

    def __repr__(self) -> str:
        errors = self.errors
        lines = [
            f"<BatchResult: {tally(len(self), len(errors))}>",
            *(f"  {each}" for each in errors[:MAX_LISTED_ERRORS]),
        ]
        return "\n".join(
            [
                *lines,
                *([f"  … and {len(errors) - MAX_LISTED_ERRORS} more in .errors"] if errors[MAX_LISTED_ERRORS:] else []),
            ]
        )


def tally(created: int, failed: int) -> str:
    """Return the numbers of created results and failed rows as text."""
    return f"{created} created" + (f", {failed} failed" if failed else "")


def _report_row(entry: Entry[Any]) -> dict[str, Any]:
    result: Result | None = entry.result
    lists = {name: result.meta.get(name) for name in NOTES} if result else {}
    notes = "; ".join(f"{name}: {', '.join(map(str, found))}" for name, found in lists.items() if found)
    size = len(result.file) if result else None
    error = str(entry.error) if entry.error else None
    values = [entry.row.number, entry.name, str(entry.path) if entry.path else None, size, notes, error]
    return dict(zip(COLUMNS, values, strict=True))


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(tag: str, style: str, cells: Sequence[str]) -> str:
        return "".join(["<tr>", *(f'<{tag} style="{style}">{html.escape(cell)}</{tag}>' for cell in cells), "</tr>"])

    body = "".join(line("td", CELL, row) for row in rows)
    return f'<table style="margin:4px 0 12px;font-size:12px">{line("th", HEAD, head)}{body}</table>'
