"""The result of a batch: results by name, failed rows, and a report of all rows."""

import html
import json
from collections import UserList
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import pybase64

from mediakit.batches.names import file_name
from mediakit.batches.plan import Plan
from mediakit.batches.run import row_count, run, run_async, tally
from mediakit.batches.targets.combined import write_zip
from mediakit.batches.targets.journal import Record, notes_text
from mediakit.batches.work import Entry, record_of
from mediakit.core.media import type_of
from mediakit.core.messages import quote
from mediakit.core.tool import AsyncToolClient
from mediakit.errors import InvalidInput, MediakitError
from mediakit.results.data import Data, data_frame, parse, rows_of
from mediakit.results.files import FileResult
from mediakit.results.result import MAX_SHOWN, Gallery, Result, card

if TYPE_CHECKING:
    import os

    import pandas as pd

    from mediakit.display.images import Card


MAX_LISTED_ERRORS = 10
"""Number of errors that are displayed; the report contains all of them."""

MAX_LISTED_KEYS = 12
"""Number of keys with example text that are displayed."""

TOO_MANY = 2000
"""Results whose meta is read for the notes below the gallery."""

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


class Report(UserList[dict[str, Any]]):
    """One dictionary per row with `row`, `name`, `file`, `size_bytes`, `notes` and `error`; displays as a table."""

    def to_pandas(self) -> "pd.DataFrame":
        """Return the report as a DataFrame; requires pandas."""
        import pandas as pd

        return pd.DataFrame(self.data, columns=COLUMNS)

    def __repr__(self) -> str:
        return "\n".join("  ".join(map(_cell, row.values())) for row in self) or "no rows"

    def _repr_html_(self) -> str:
        return table_html(COLUMNS, [list(map(_cell, row.values())) for row in self])


def report_row(entry: Entry[Any]) -> dict[str, Any]:
    """Return the outcome of a row by column of the report."""
    if entry.is_pending:
        return dict(zip(COLUMNS, (entry.row.number, entry.name, None, None, NOT_RUN, None), strict=True))
    row = recorded_row(record_of(entry))
    return row if entry.result is None else row | {"size_bytes": len(entry.result.file)}


def recorded_row(record: Record) -> dict[str, Any]:
    """Return the outcome of a row in a manifest by column of the report; the file is a path within the target."""
    notes = "" if record.error else notes_text(record.notes)
    size = record.size_bytes if record.file else None
    return dict(zip(COLUMNS, (record.row, record.name, record.file, size, notes, record.error), strict=True))


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def table_html(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as HTML."""

    def line(tag: str, style: str, cells: Sequence[str]) -> str:
        return "".join(["<tr>", *(f'<{tag} style="{style}">{html.escape(cell)}</{tag}>' for cell in cells), "</tr>"])

    body = "".join(line("td", CELL, row) for row in rows)
    return f'<table style="margin:4px 0 12px;font-size:12px">{line("th", HEAD, head)}{body}</table>'


R = TypeVar("R", bound=Result)


class _Results(Mapping[str, R], Generic[R]):
    """The results of a batch: those of entries in memory, or those of a streamed batch, which its manifest lists."""

    def __init__(self, plan: Plan[R]) -> None:
        self._plan = plan
        self._is_streamed = plan.work.is_streamed
        self._entries = {} if self._is_streamed else {each.name: each for each in plan.entries if each.is_created}

    def _records(self) -> Iterator[Record]:
        """Return the records of the files of a streamed batch."""
        manifest = self._plan.target.manifest if self._plan.target else None
        return (record for record in manifest.records() if record.file) if manifest else iter(())

    @cached_property
    def _first(self) -> Mapping[str, Record]:
        """The records that a notebook shows; those of a million rows are read only to find one of them."""
        return {record.name: record for record in islice(self._records(), MAX_SHOWN)}

    @cached_property
    def _all(self) -> Mapping[str, Record]:
        return {record.name: record for record in self._records()}

    def record(self, name: str) -> Record | None:
        """Return the record of a saved file; None if the result is in memory."""
        return self._first.get(name) or self._all[name] if self._is_streamed else self._entries[name].record

    def __getitem__(self, name: str) -> R:
        entry = self._entries.get(name)
        if entry and entry.result is not None:
            return entry.result
        if (record := self.record(name)) is None:
            raise KeyError(name)
        result = self._load(record)
        if entry:
            result.attach_call(self._plan.tool, self._plan.tool.build(**entry.values))
        return result

    def __iter__(self) -> Iterator[str]:
        return (record.name for record in self._records()) if self._is_streamed else iter(self._entries)

    def __len__(self) -> int:
        return self._plan.work.created if self._is_streamed else len(self._entries)

    def _load(self, record: Record) -> R:
        """Return the result of a saved file.

        A file that data was saved as, such as a table, is a `FileResult`; the data is not read again.
        """
        content = self._plan.target.read(record.file or "") if self._plan.target else b""
        if record.member:
            head = {record.member: pybase64.b64encode(content).decode(), "mime_type": record.mime_type}
            return cast("R", parse(self._plan.tool, {**head, **record.fields, "meta": record.meta}))
        if record.mime_type == "application/json" and isinstance(body := json.loads(content), dict) and "meta" in body:
            return cast("R", parse(self._plan.tool, body))
        name = (record.file or record.name).rpartition("/")[2]
        return cast("R", FileResult(content, record.mime_type, name, record.meta))


class BatchResult(Gallery[R], Generic[R]):
    """Results by name; the last line of a cell displays them side by side, with the failed rows below.

    The results of a batch with `to` are read from their files when they are used.
    """

    def __init__(self, plan: Plan[R] | None = None) -> None:
        super().__init__(_Results(plan) if plan else {})
        self._plan = plan
        self._entries = tuple(plan.entries) if plan else ()
        self._cards: dict[str, Card] = {}
        work = plan.work if plan else None
        self._counts = (work.created, work.failed, work.unchanged) if work else (0, 0, 0)
        self._pending = work.total - work.done if work and work.total is not None else 0
        self._target = plan.target if plan else None

    @property
    def errors(self) -> list[BatchError]:
        """The failed rows in order; the first 1,000 of a batch that is longer than 2,000 rows and has `to`."""
        return [
            BatchError(entry.row.number, entry.name, entry.row.values, entry.error)
            for entry in self._entries
            if entry.error is not None
        ]

    @property
    def failed_count(self) -> int:
        """Number of failed rows."""
        return self._counts[1]

    @property
    def unchanged_count(self) -> int:
        """Number of rows whose file or result an earlier run had made, or the call before `retry`."""
        return self._counts[2]

    @property
    def summary(self) -> str:
        """The numbers of created, unchanged and failed rows, and where the files are."""
        return tally(*self._counts) + (f", saved in {self._target.location}" if self._target else "")

    @property
    def report(self) -> Report:
        """The outcome of every row."""
        if self._plan and self._plan.work.is_streamed and self._target:
            return Report(list(map(recorded_row, self._target.manifest.records())))
        return Report([report_row(entry) for entry in self._entries])

    def to_frame(self) -> "pd.DataFrame":
        """Return the data of all results as a DataFrame of pandas, or of Polars if pandas is not installed.

        The first column, `result`, has the name of the result. A result that is a table or a list has a row for each of
        its rows, and any other result one row. Failed rows are not part of it.

        Raises:
            InvalidInput: The results are files.
            ImportError: Neither pandas nor Polars is installed.
        """
        records = [{"result": name, **record} for name, result in self.items() for record in _records(result)]
        frame: pd.DataFrame = data_frame(records)
        return frame

    def raise_errors(self) -> None:
        """Raise the error of the first failed row; do nothing if no row failed.

        Raises:
            MediakitError: A row failed; `.errors` contains all errors.
        """
        for failed in self.errors[:1]:
            others = self.failed_count - 1
            more = f" {others} more rows failed; see .errors." if others else ""
            failed.error.add_note(f"Row {failed.row}, {quote(failed.name)}.{more}")
            raise failed.error

    def retry(self, **options: Any) -> "BatchResult[R]":
        """Call the tool again for every row that failed or was not run; return a result with all rows.

        Args:
            options: Fields and template keys that replace the values of these rows.

        Raises:
            InvalidInput: An option is neither a field nor a template key, or the tool requires `aretry`.
        """
        plan = self._retried(options)
        if isinstance(plan.options.client, AsyncToolClient):
            raise InvalidInput("tool: a tool of an AsyncClient must be awaited; use await result.aretry(...).")
        try:
            run(plan)
        finally:
            result = finished(plan)
        return result

    async def aretry(self, **options: Any) -> "BatchResult[R]":
        """Return the result of `retry` without blocking the running event loop."""
        plan = self._retried(options)
        try:
            await run_async(plan)
        finally:
            result = finished(plan)
        return result

    def _retried(self, options: dict[str, Any]) -> Plan[R]:
        if self._plan is None:
            raise InvalidInput("result: has no rows to retry.")
        return self._plan.retried(options)

    def save(self, directory: "str | os.PathLike[str]") -> list[Path]:
        """Write every result to a file in a directory and return the paths; existing files are replaced.

        Raises:
            InvalidInput: The directory has the name of a file, or the suffix of a name does not match the format of its
                result.
        """
        if type_of(PurePath(directory)) and not Path(directory).is_dir():
            others = ".zip(path) writes an archive, and a batch with `to` writes one file"
            raise InvalidInput(f"directory: must be a folder, got {quote(str(directory))}; {others}.")
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
        write_zip(target, self)
        return target

    def _card(self, name: str) -> "Card":
        """Return what is shown of a result: as its worker made it, or made now and kept."""
        from mediakit.display.images import Card

        if name not in self._cards:
            record = self._results.record(name) if isinstance(self._results, _Results) else None
            try:
                self._cards[name] = Card.from_dict(record.card) if record and record.card else card(self[name])
            except (OSError, ValueError):  # the file was removed, or is part of a PDF or of a contact sheet
                self._cards[name] = Card("", "", b"")
        return self._cards[name]

    def _repr_html_(self) -> str:
        notes = "".join(f"<div>{html.escape(note)}</div>" for note in self._notes())
        below = f'<div style="font-size:12px;line-height:1.45;margin:4px 0">{notes}</div>' if notes else ""
        if self.failed_count:
            rows = [[str(each.row), each.name, str(each.error)] for each in self.errors[:MAX_LISTED_ERRORS]]
            more = self.failed_count - len(rows)
            hint = f"<p>… and {more:,} more in .errors</p>" if more else ""
            shown = f"<b>{row_count(self.failed_count)} failed</b>{table_html(['row', 'name', 'error'], rows)}{hint}"
            below += f'<div style="font-size:12px;line-height:1.45">{shown}</div>'
        return super()._repr_html_() + below

    def __repr__(self) -> str:
        not_run = f", {self._pending:,} not run" if self._pending else ""
        listed = self.errors[:MAX_LISTED_ERRORS]
        more = self.failed_count - len(listed)
        below = [*self._notes(), *listed, *([f"… and {more:,} more in .errors"] if more else [])]
        return "\n  ".join([f"<BatchResult: {tally(*self._counts)}{not_run}>", *map(str, below)])

    def _notes(self) -> list[str]:
        """Return what to know about all rows: where they are, example text in results, and rows that were not run."""
        if self._plan and self._plan.work.is_streamed and self._target:  # the files are not read
            metas = [record.meta for record in islice(self._target.manifest.records(), TOO_MANY)]
        else:
            made = [entry.result or entry.record for entry in self._entries if entry.is_created]
            metas = [each.meta for each in made if each]
        used = [keys for meta in metas if (keys := meta.get("defaults_used"))]
        names = list(dict.fromkeys(key for keys in used for key in keys))
        listed = ", ".join(names[:MAX_LISTED_KEYS])
        more = f" and {len(names) - MAX_LISTED_KEYS} more" if names[MAX_LISTED_KEYS:] else ""
        return [
            *([f"Saved in {self._target.location}"] if self._target else []),
            *([f"Example text in {row_count(len(used))}: {listed}{more}"] if used else []),
            *([f"{row_count(self._pending)} not run; .retry() runs them"] if self._pending else []),
        ]


def _records(result: Any) -> Sequence[Mapping[str, Any]]:
    """Return the rows of a result, or its fields as one row."""
    if not isinstance(result, Data):
        raise InvalidInput(
            "to_frame: the results are files; .report.to_pandas() lists them, and .save(folder) writes them."
        )
    if (rows := rows_of(result)) is None:
        return [{name: value for name, value in result.to_dict().items() if name != "meta"}]
    return rows or [{}]


latest = SimpleNamespace(result=BatchResult[Any]())
"""The result of the last batch, which stays available after an interrupt."""


def finished(plan: Plan[R]) -> BatchResult[R]:
    """Return the result of a plan that has run or was interrupted, and keep it as `mediakit.last_batch`."""
    latest.result = result = BatchResult(plan)
    return result
