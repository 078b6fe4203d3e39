"""What a batch gives back: the results by name, the rows that failed, and a report of all."""

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

LISTED = 10
"""Failures that are listed; the report has all."""

NOTED = ("warnings", "fitted", "defaults_used")
"""Lists of a result's meta that are worth a look before it is sent away."""

ZIPPED = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that equal results give equal bytes."""

CELL = "padding:3px 14px 3px 0;text-align:left;vertical-align:top;background:none;overflow-wrap:anywhere"
HEAD = f"{CELL};white-space:nowrap;font-weight:500;opacity:.7"


@dataclass(frozen=True)
class BatchError:
    """A row that gave no result."""

    row: int
    """Its place, from 1."""
    name: str
    """What its result would have been called."""
    values: Mapping[str, Any]
    """The row, by column."""
    error: MediakitError

    def __str__(self) -> str:
        return f"row {self.row}, {self.name}: {self.error}"


class Report(Sequence[dict[str, Any]]):
    """A dictionary a row: `row`, `name`, `file`, `size_bytes`, `notes`, `error`; a table where it is shown."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._rows = list(rows)

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> "Report": ...
    def __getitem__(self, index: int | slice) -> "dict[str, Any] | Report":
        """Give a row of the report by its place, from 0."""
        return Report(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def to_pandas(self) -> "pd.DataFrame":
        """Give the report as a DataFrame; needs pandas."""
        import pandas as pd

        return pd.DataFrame(self._rows, columns=COLUMNS)

    def __repr__(self) -> str:
        return "\n".join("  ".join(map(_cell, row.values())) for row in self._rows) or "no rows"

    def _repr_html_(self) -> str:
        return _table(COLUMNS, [list(map(_cell, row.values())) for row in self._rows])


COLUMNS = ["row", "name", "file", "size_bytes", "notes", "error"]


class BatchResult(Gallery[R], Generic[R]):
    """Results by name; the last line of a cell shows them side by side, and the rows that failed below."""

    def __init__(self, entries: Sequence[Entry[R]]) -> None:
        super().__init__({entry.name: entry.result for entry in entries if entry.result is not None})
        self._entries = tuple(entries)

    @property
    def results(self) -> list[R]:
        """The results alone, in the order of their rows."""
        return list(self.values())

    @property
    def errors(self) -> list[BatchError]:
        """The rows that gave none, in their order."""
        return [
            BatchError(entry.row.number, entry.name, entry.row.values, entry.error)
            for entry in self._entries
            if entry.error is not None
        ]

    @property
    def report(self) -> Report:
        """What became of each row."""
        return Report([_reported(entry) for entry in self._entries])

    def raise_errors(self) -> None:
        """Raise the failure of the first row that failed; do nothing where all went well.

        Raises:
            MediakitError: A row failed; `.errors` has all of them.
        """
        for failure in self.errors[:1]:
            others = len(self.errors) - 1
            more = f" {others} more failed; see .errors." if others else ""
            failure.error.add_note(f"Row {failure.row}, {quote(failure.name)}.{more}")
            raise failure.error

    def save(self, folder: "str | os.PathLike[str]") -> list[Path]:
        """Write every result into a folder, under its name, and give the paths; files of these names are replaced.

        Raises:
            InvalidInput: A name promises another format than its file has.
        """
        return [result.save(Path(folder) / file_name(name, result)) for name, result in self.items()]

    def zip(self, path: "str | os.PathLike[str]") -> Path:
        """Write every result into one archive, and give its path; without a suffix it gets `.zip`.

        Raises:
            InvalidInput: The path is a folder.
        """
        target = Path(path)
        if target.is_dir():
            raise InvalidInput(f"path: {target} is a folder; add a file name.")
        target = target if target.suffix else target.with_suffix(".zip")
        target.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, result in self.items():
                archive.writestr(zipfile.ZipInfo(file_name(name, result), ZIPPED), result.file)
        return target

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self._failures()

    def _failures(self) -> str:
        errors = self.errors
        if not errors:
            return ""
        rows = [[str(each.row), each.name, str(each.error)] for each in errors[:LISTED]]
        more = f"<p>… and {len(errors) - LISTED} more in .errors</p>" if len(errors) > LISTED else ""
        title = "1 row failed" if len(errors) == 1 else f"{len(errors)} rows failed"
        table = _table(["row", "name", "error"], rows)
        return f'<div style="font-size:12px;line-height:1.45"><b>{title}</b>{table}{more}</div>'

    def __repr__(self) -> str:
        errors = self.errors
        lines = [f"<BatchResult: {tally(len(self), len(errors))}>", *(f"  {each}" for each in errors[:LISTED])]
        return "\n".join([*lines, *([f"  … and {len(errors) - LISTED} more in .errors"] if errors[LISTED:] else [])])


def tally(made: int, failed: int) -> str:
    """Say how many rows were made, and how many were not."""
    return f"{made} made" + (f", {failed} failed" if failed else "")


def _reported(entry: Entry[Any]) -> dict[str, Any]:
    result: Result | None = entry.result
    lists = {name: result.meta.get(name) for name in NOTED} if result else {}
    notes = "; ".join(f"{name}: {', '.join(map(str, found))}" for name, found in lists.items() if found)
    size = len(result.file) if result else None
    error = str(entry.error) if entry.error else None
    shown = [entry.row.number, entry.name, str(entry.path) if entry.path else None, size, notes, error]
    return dict(zip(COLUMNS, shown, strict=True))


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(tag: str, style: str, cells: Sequence[str]) -> str:
        return "".join(["<tr>", *(f'<{tag} style="{style}">{html.escape(cell)}</{tag}>' for cell in cells), "</tr>"])

    body = "".join(line("td", CELL, row) for row in rows)
    return f'<table style="margin:4px 0 12px;font-size:12px">{line("th", HEAD, head)}{body}</table>'
