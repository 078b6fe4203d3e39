"""The result of a batch: results by name, failed rows, and a report of all rows."""

import html
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mediakit.batches.archive import write_zip
from mediakit.batches.names import file_name
from mediakit.batches.plan import Plan
from mediakit.batches.report import BatchError, Report, recorded_row, report_row, table_html
from mediakit.batches.runs import row_count, run, run_async, tally
from mediakit.batches.saved import ListedResults, StreamedResults
from mediakit.core.messages import quote
from mediakit.errors import InvalidInput
from mediakit.results.data import Data, data_frame, rows_of
from mediakit.results.result import Gallery, Result

if TYPE_CHECKING:
    import os

    import pandas as pd

R = TypeVar("R", bound=Result)

MAX_LISTED_ERRORS = 10
"""Number of errors that are displayed; the report contains all of them."""

MAX_LISTED_KEYS = 12
"""Number of keys with example text that are displayed."""

TOO_MANY = 2000
"""Results whose meta is read for the notes below the gallery."""


class BatchResult(Gallery[R], Generic[R]):
    """Results by name; the last line of a cell displays them side by side, with the failed rows below.

    The results of a batch with `to` are read from their files when they are used.
    """

    def __init__(self, plan: Plan[R] | None = None) -> None:
        super().__init__(_results(plan) if plan else {})
        self._entries = tuple(plan.entries) if plan else ()
        self._plan = plan
        work = plan.work if plan else None
        self._counts = (work.created, work.failed, work.unchanged) if work else (0, 0, 0)

    @property
    def results(self) -> list[R]:
        """The results without names, in the order of the rows."""
        return list(self.values())

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
        created, failed, unchanged = self._counts
        target = self._plan.target if self._plan else None
        return tally(created, failed, unchanged) + (f", saved in {target.location}" if target else "")

    @property
    def report(self) -> Report:
        """The outcome of every row."""
        if self._plan and self._plan.work.is_streamed and self._plan.target:
            return Report(list(map(recorded_row, self._plan.target.manifest.records())))
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
        if plan.requires_await:
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
        write_zip(target, self)
        return target

    def _repr_html_(self) -> str:
        notes = "".join(f"<div>{html.escape(note)}</div>" for note in self._notes())
        below = f'<div style="font-size:12px;line-height:1.45;margin:4px 0">{notes}</div>' if notes else ""
        return super()._repr_html_() + below + self._errors_html()

    def _errors_html(self) -> str:
        if not self.failed_count:
            return ""
        rows = [[str(each.row), each.name, str(each.error)] for each in self.errors[:MAX_LISTED_ERRORS]]
        more = self.failed_count - len(rows)
        hint = f"<p>… and {more:,} more in .errors</p>" if more else ""
        title = f"{row_count(self.failed_count)} failed"
        table = table_html(["row", "name", "error"], rows)
        return f'<div style="font-size:12px;line-height:1.45"><b>{title}</b>{table}{hint}</div>'

    def __repr__(self) -> str:
        created, failed, unchanged = self._counts
        pending = self._pending_count()
        not_run = f", {pending:,} not run" if pending else ""
        listed = self.errors[:MAX_LISTED_ERRORS]
        more = failed - len(listed)
        lines = [
            f"<BatchResult: {tally(created, failed, unchanged)}{not_run}>",
            *(f"  {note}" for note in self._notes()),
            *(f"  {each}" for each in listed),
            *([f"  … and {more:,} more in .errors"] if more else []),
        ]
        return "\n".join(lines)

    def _notes(self) -> list[str]:
        """Return what to know about all rows: where they are, example text in results, and rows that were not run."""
        used = [keys for meta in self._metas() if (keys := meta.get("defaults_used"))]
        names = list(dict.fromkeys(key for keys in used for key in keys))
        listed = ", ".join(names[:MAX_LISTED_KEYS])
        more = f" and {len(names) - MAX_LISTED_KEYS} more" if names[MAX_LISTED_KEYS:] else ""
        target = self._plan.target if self._plan else None
        saved = [f"Saved in {target.location}"] if target else []
        notes = [*saved, f"Example text in {row_count(len(used))}: {listed}{more}"] if used else saved
        pending = self._pending_count()
        return [*notes, f"{row_count(pending)} not run; .retry() runs them"] if pending else notes

    def _metas(self) -> list[Mapping[str, Any]]:
        """Return the meta of results, without reading their files."""
        if self._plan and self._plan.work.is_streamed and self._plan.target:
            return [record.meta for record in islice(self._plan.target.manifest.records(), TOO_MANY)]
        made = [entry.result or entry.record for entry in self._entries if entry.is_created]
        return [each.meta for each in made if each]

    def _pending_count(self) -> int:
        if self._plan is None or self._plan.work.total is None:
            return 0
        created, failed, _ = self._counts
        return self._plan.work.total - created - failed


def _results(plan: Plan[R]) -> Mapping[str, R]:
    if plan.work.is_streamed and plan.target:
        return StreamedResults(plan.tool, plan.target, plan.work.created)
    return ListedResults(plan.tool, plan.entries, plan.target)


def _records(result: Any) -> Sequence[Mapping[str, Any]]:
    """Return the rows of a result, or its fields as one row."""
    if not isinstance(result, Data):
        raise InvalidInput(
            "to_frame: the results are files; .report.to_pandas() lists them, and .save(folder) writes them."
        )
    rows = rows_of(result)
    if rows is None:
        return [{name: value for name, value in result.to_dict().items() if name != "meta"}]
    return rows or [{}]


class _Latest:
    """The result of the last batch, which stays available after an interrupt."""

    def __init__(self) -> None:
        self.result: BatchResult[Any] = BatchResult()


latest = _Latest()


def finished(plan: Plan[R]) -> BatchResult[R]:
    """Return the result of a plan that has run or was interrupted, and keep it as `mediakit.last_batch`."""
    latest.result = result = BatchResult(plan)
    return result
