"""Runs the calls of a plan while showing their progress."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from mediakit.batches.plan import Plan
from mediakit.batches.progress import Progress, progress
from mediakit.batches.targets import Target, failure_message
from mediakit.batches.work import Work
from mediakit.core.runtime import runtime
from mediakit.errors import InvalidInput

MIN_SECONDS = 2.0
"""Time after which the time left can be estimated."""

MINUTE, HOUR = 60, 3600
LONG_SECONDS = 90
"""From this time on, the time left is shown in minutes; from as many minutes on, in hours."""


def run(plan: Plan[Any]) -> None:
    """Run all calls and wait for them. An interrupt cancels running calls."""
    with _opened(plan), _ProgressDisplay(plan) as display:
        job = plan.job()
        try:
            runtime.run(job.start())
            while runtime.run(job.is_running()):
                display.update()
        finally:
            runtime.run(job.stop())
        if plan.target:
            display.show_writing(plan.target)
            plan.target.finish()


async def run_async(plan: Plan[Any]) -> None:
    """Run all calls on the running event loop."""
    with _opened(plan), _ProgressDisplay(plan) as display:
        job = plan.job()
        try:
            await job.start()
            while await job.is_running():
                display.update()
        finally:
            await job.stop()
        if plan.target:
            display.show_writing(plan.target)
            await asyncio.to_thread(plan.target.finish)


@contextmanager
def _opened(plan: Plan[Any]) -> Iterator[None]:
    """Open the target of a plan; close it if the batch ends early.

    Raises:
        InvalidInput: The target cannot be written any more, for example because the disk is full.
    """
    target = plan.target
    if target is None:
        yield
        return
    target.open()
    try:
        yield
    except OSError as error:
        target.abandon()
        raise InvalidInput(failure_message(error, target.location, plan.work.created)) from error
    except BaseException:
        target.abandon()
        raise


def time_left(seconds: float, done: int, total: int) -> str:
    """Return the estimated time left in words; empty if it cannot be estimated yet.

    Args:
        seconds: Time since the start.
        done: Number of rows that were finished in this time.
        total: Number of rows to run in all.
    """
    if seconds < MIN_SECONDS or not 0 < done < total:
        return ""
    left = seconds / done * (total - done)
    if left < LONG_SECONDS:
        return f"about {max(1, round(left))} s left"
    if left < LONG_SECONDS * MINUTE:
        return f"about {round(left / MINUTE)} min left"
    return f"about {round(left / HOUR)} h left"


def throughput(seconds: float, done: int) -> str:
    """Return how many rows are done in a second or a minute; empty if it is not known yet."""
    if seconds < MIN_SECONDS or not done:
        return ""
    rate = done / seconds
    if rate >= 1:
        return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
    return f"{rate * MINUTE:.0f}/min"


def tally(created: int, failed: int, unchanged: int = 0) -> str:
    """Return the numbers of created results, of files that were made before, and of failed rows as text."""
    parts = [f"{created - unchanged:,} created", f"{unchanged:,} unchanged" if unchanged else ""]
    return ", ".join(filter(None, [*parts, f"{failed:,} failed" if failed else ""]))


def row_count(count: int) -> str:
    """Return a number of rows as text."""
    return "1 row" if count == 1 else f"{count:,} rows"


class _ProgressDisplay:
    """Shows the progress of the rows and, at the end, a summary."""

    def __init__(self, plan: Plan[Any]) -> None:
        self._work: Work[Any] = plan.work
        self._saved_in = f", saved in {plan.target.location}" if plan.target else ""
        self._progress: Progress = progress(plan.tool.name, plan.work.total)
        self._start = time.monotonic()

    def __enter__(self) -> Self:
        self.update()
        return self

    def update(self) -> None:
        """Show the current progress."""
        work, seconds = self._work, time.monotonic() - self._start
        made = work.done - work.unchanged
        done = f"{work.done:,} of {work.total:,}" if work.total is not None else row_count(work.done)
        failed = f"{work.failed:,} failed" if work.failed else ""
        left = time_left(seconds, made, (work.total or 0) - work.unchanged)
        self._progress.show(work.done, ", ".join(filter(None, [done, failed, throughput(seconds, made), left])))

    def show_writing(self, target: Target) -> None:
        """Show that the rows are done and the files of the target are written."""
        self._progress.show(self._work.done, f"{row_count(self._work.done)}, writing {target.location}")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        work = self._work
        if kind is None:
            self._progress.end(tally(work.created, work.failed, work.unchanged) + self._saved_in)
            return
        of = f" of {work.total:,}" if work.total is not None else ""
        saved = self._saved_in if work.created else ""
        self._progress.end(f"stopped after {work.created:,}{of}{saved}{self._advice(kind)}")

    def _advice(self, kind: type[BaseException]) -> str:
        """Return what to do after an error or an interrupt; empty if the message of the error says it."""
        if issubclass(kind, InvalidInput):
            return ""
        return "; run it again to continue" if self._saved_in else "; the partial result is mediakit.last_batch"
