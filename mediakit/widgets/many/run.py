"""The batch of a form: the worst row, names, progress, errors, and one file with all results."""

from __future__ import annotations

import asyncio
import html
import io
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mediakit.core.inputs import MAX_FILES, FileBytes
from mediakit.core.messages import readable_size
from mediakit.core.runtime import runtime
from mediakit.errors import MediakitError
from mediakit.results.files import FileResult
from mediakit.tools.pdf.pdf_merge import pdf_merge
from mediakit.widgets.forms.output import download_link
from mediakit.widgets.inputs.rows import Source

if TYPE_CHECKING:
    from mediakit.batches import BatchResult
    from mediakit.batches.plan import Plan
    from mediakit.batches.work import Entry

MAX_CANDIDATES = 24
"""Number of rows whose texts are compared with their limits."""


def worst_row(rows: Sequence[Mapping[str, str]], misfits: Callable[[int], int]) -> int:
    """Return the index of the row with the most texts that may not fit; of several, that with the longest texts.

    Only rows with the longest text of a column or the longest texts in all are compared. `misfits` returns how many
    texts of a row may be made smaller or truncated.
    """
    if not rows:
        return 0
    lengths = [sum(map(len, row.values())) for row in rows]
    keys = dict.fromkeys(key for row in rows for key in row)
    longest = [max(range(len(rows)), key=lambda index: len(rows[index].get(key, ""))) for key in keys]
    by_length = sorted(range(len(rows)), key=lambda index: -lengths[index])
    candidates = list(dict.fromkeys([by_length[0], *longest, *by_length[1:]]))[:MAX_CANDIDATES]
    return max(candidates, key=lambda index: (misfits(index), lengths[index], -index))


MAX_NAME_LENGTH = 60


def default_pattern(source: Source, main: Sequence[str], mapped: Collection[str]) -> str:
    """Return a pattern with the first column of suitable names, of a main key or else not mapped, or `{row}`."""
    others = [column for column in source.columns if column not in mapped]
    suitable = (column for column in [*main, *others] if _is_suitable(column, source))
    return f"{{{next(suitable, 'row')}}}"


def _is_suitable(column: str, source: Source) -> bool:
    """Return whether a column can be in a pattern, and all its values are short and not addresses."""
    texts = [str(row.values.get(column, "")) for row in source.rows]
    return bool(re.fullmatch(r"[\w -]+", column)) and all(
        len(text) <= MAX_NAME_LENGTH and "/" not in text for text in texts
    )


ZIP, PDF = "ZIP archive", "One PDF"
OUTPUTS = (ZIP, PDF)


async def combined(results: BatchResult[Any], output: str, name: str) -> FileResult:
    """Return the results as a ZIP archive, or merged into one PDF with a bookmark for each result.

    Raises:
        InvalidInput: A result cannot be part of a PDF, or the PDF would have more than 500 pages.
    """
    from mediakit.batches.targets.combined import write_zip

    if output == ZIP:
        buffer = io.BytesIO()
        write_zip(buffer, results)
        return FileResult(buffer.getvalue(), "application/zip", f"{name}.zip", {"files": len(results)})
    files = [FileBytes.named(result.file, f"{key}.{result._saved().extension}") for key, result in results.items()]
    # The tool merges a limited number of files, so parts are merged first.
    parts = [files[start : start + MAX_FILES] for start in range(0, len(files), MAX_FILES)]
    merged = [(await pdf_merge.aio(files=part)).content for part in parts]
    while len(merged) > 1:
        groups = [merged[start : start + MAX_FILES] for start in range(0, len(merged), MAX_FILES)]
        merged = [(await pdf_merge.aio(files=group, bookmarks="keep")).content for group in groups]
    return FileResult(merged[0], "application/pdf", f"{name}.pdf", {"files": len(results)})


@dataclass(frozen=True)
class Progress:
    """The state of a running or finished batch."""

    done: int
    total: int
    text: str
    errors: Sequence[str] = ()
    file: FileResult | None = None
    """The file to download, when the batch has finished."""
    is_running: bool = True


class Creation:
    """Runs a plan on the background event loop, shows its progress and combines the results to one file."""

    def __init__(self, show: Callable[[Progress], None]) -> None:
        self._show = show
        self._task: asyncio.Task[None] | None = None
        self.results: BatchResult[Any] | None = None

    def start(self, plan: Plan[Any], output: str, stem: str) -> None:
        """Start to run a plan; the running batch is cancelled."""
        runtime.run(self._start(plan, output, stem))

    def cancel(self) -> None:
        """Cancel the running batch; its finished results stay available."""
        runtime.run(self._end(cancel=True))

    def wait(self) -> None:
        """Wait until the batch has finished."""
        runtime.run(self._end(cancel=False))

    async def _start(self, plan: Plan[Any], output: str, stem: str) -> None:
        await self._end(cancel=True)
        self._task = asyncio.create_task(self._run(plan, output, stem))

    async def _end(self, *, cancel: bool) -> None:
        if self._task and not self._task.done():
            if cancel:
                self._task.cancel()
            await asyncio.wait({self._task})

    async def _run(self, plan: Plan[Any], output: str, stem: str) -> None:
        from mediakit.batches.result import finished
        from mediakit.batches.run import Job, tally

        job, start, total = Job(plan.work, plan.runner()), time.monotonic(), len(plan.entries)
        is_stopped = True
        try:
            self._show_progress(plan, start)
            await job.start()
            while await job.is_running():
                self._show_progress(plan, start)
            is_stopped = False
        finally:
            await job.stop()
            self.results = finished(plan)
            if is_stopped:
                created = plan.work.created
                text = f"Stopped after {created} of {total}. form.batch has the results."
                self._show(Progress(created, total, text, _errors(plan.entries), is_running=False))
        created, failed, errors, file = plan.work.created, plan.work.failed, _errors(plan.entries), None
        if created:
            self._show(Progress(created, total, f"{tally(created, failed)}, writing the file…", errors))
            try:
                file = await combined(self.results, output, stem)
            except MediakitError as error:
                errors = [*errors, str(error)]
        self._show(Progress(created + failed, total, tally(created, failed), errors, file, is_running=False))

    def _show_progress(self, plan: Plan[Any], start: float) -> None:
        from mediakit.batches.run import time_left

        created, failed = plan.work.created, plan.work.failed
        done, total = created + failed, len(plan.entries)
        left = time_left(time.monotonic() - start, done, total)
        parts = [f"{done} of {total}", f"{failed} failed" if failed else "", left]
        self._show(Progress(done, total, ", ".join(filter(None, parts)), _errors(plan.entries)))


def _errors(entries: Sequence[Entry[Any]]) -> list[str]:
    failed = [(str(entry.row.number), entry) for entry in entries if entry.error]
    names = [row if entry.name.lstrip("0") == row else f"{row}, {entry.name}" for row, entry in failed]
    return [f"Row {name}: {entry.error}" for name, (_, entry) in zip(names, failed, strict=True)]


MAX_LINK_BYTES = 20_000_000
"""Larger files are not embedded in the form; the form shows how to save them from Python."""

MAX_LISTED_ERRORS = 20


def status_html(progress: Progress) -> str:
    """Return the state of a batch as HTML."""
    bar = ""
    if progress.is_running:
        bar = f'<progress aria-label="Progress" max="{progress.total}" value="{progress.done}"></progress>'
    text = f"<div role='status'>{bar}<span>{html.escape(progress.text)}</span></div>"
    link = ""
    if file := progress.file:
        shown = download_link(file, file.filename, "batch_file", MAX_LINK_BYTES)
        link = f"<div>{shown} {readable_size(len(file.content))}</div>"
    listed = "".join(f"<li>{html.escape(error)}</li>" for error in progress.errors[:MAX_LISTED_ERRORS])
    more = len(progress.errors) - MAX_LISTED_ERRORS
    listed += f"<li>… and {more} more in form.batch.errors</li>" if more > 0 else ""
    return text + link + (f"<ul class='mediakit-row-errors'>{listed}</ul>" if listed else "")
