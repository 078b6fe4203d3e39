"""Creates the results of all rows in the background."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mediakit.batches import BatchResult
from mediakit.batches.plan import Plan
from mediakit.batches.result import finished
from mediakit.batches.run import Job, tally, time_left
from mediakit.batches.work import Entry
from mediakit.core.runtime import runtime
from mediakit.errors import MediakitError
from mediakit.results.files import FileResult
from mediakit.widgets.many.outputs import combined


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
    """Runs a plan on the background event loop and combines the results to one file.

    Args:
        show: Shows the progress; called on the background event loop.
    """

    def __init__(self, show: Callable[[Progress], None]) -> None:
        self._show = show
        self._task: asyncio.Task[None] | None = None
        self.results: BatchResult[Any] | None = None

    def start(self, plan: Plan[Any], output: str, stem: str) -> None:
        """Start to run a plan; the running batch is cancelled."""
        runtime.run(self._start(plan, output, stem))

    def cancel(self) -> None:
        """Cancel the running batch; its finished results stay available."""
        runtime.run(self._cancel())

    def wait(self) -> None:
        """Wait until the batch has finished."""
        runtime.run(self._wait())

    async def _wait(self) -> None:
        if self._task:
            await asyncio.wait({self._task})

    async def _start(self, plan: Plan[Any], output: str, stem: str) -> None:
        await self._cancel()
        self._task = asyncio.create_task(self._run(plan, output, stem))

    async def _cancel(self) -> None:
        if self._task and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _run(self, plan: Plan[Any], output: str, stem: str) -> None:
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
        await self._combine(self.results, plan, output, stem)

    async def _combine(self, results: BatchResult[Any], plan: Plan[Any], output: str, stem: str) -> None:
        created, failed = plan.work.created, plan.work.failed
        total, errors, file = len(plan.entries), _errors(plan.entries), None
        if created:
            self._show(Progress(created, total, f"{tally(created, failed)}, writing the file…", errors))
            try:
                file = await combined(results, output, stem)
            except MediakitError as error:
                errors = [*errors, str(error)]
        self._show(Progress(created + failed, total, tally(created, failed), errors, file, is_running=False))

    def _show_progress(self, plan: Plan[Any], start: float) -> None:
        created, failed = plan.work.created, plan.work.failed
        done, total = created + failed, len(plan.entries)
        left = time_left(time.monotonic() - start, done, total)
        parts = [f"{done} of {total}", f"{failed} failed" if failed else "", left]
        self._show(Progress(done, total, ", ".join(filter(None, parts)), _errors(plan.entries)))


def _errors(entries: Sequence[Entry[Any]]) -> list[str]:
    return [f"{_name(entry)}: {entry.error}" for entry in entries if entry.error]


def _name(entry: Entry[Any]) -> str:
    number = str(entry.row.number)
    return f"Row {number}" if entry.name.lstrip("0") == number else f"Row {number}, {entry.name}"
