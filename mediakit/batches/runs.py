"""Runs the calls of a plan while showing their progress."""

import time
from collections.abc import Sequence
from typing import Any, Self

from mediakit.batches.job import Entry
from mediakit.batches.plan import Plan
from mediakit.batches.progress import Progress, progress
from mediakit.core.runtime import runtime

MIN_SECONDS = 2.0
"""Time after which the time left can be estimated."""

MINUTE = 60
LONG_SECONDS = 90
"""From this time on, the time left is shown in minutes."""


def run(plan: Plan[Any]) -> None:
    """Run all calls and wait for them. An interrupt cancels running calls."""
    job = plan.job()
    with _ProgressDisplay(plan) as display:
        try:
            runtime.run(job.start())
            while runtime.run(job.is_running()):
                display.update()
        finally:
            runtime.run(job.stop())


async def run_async(plan: Plan[Any]) -> None:
    """Run all calls on the running event loop."""
    job = plan.job()
    with _ProgressDisplay(plan) as display:
        try:
            await job.start()
            while await job.is_running():
                display.update()
        finally:
            await job.stop()


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
    return f"about {round(left / MINUTE)} min left"


def counts(entries: Sequence[Entry[Any]]) -> tuple[int, int]:
    """Return the numbers of created results and of failed rows."""
    created = sum(entry.result is not None for entry in entries)
    return created, sum(entry.error is not None for entry in entries)


def tally(created: int, failed: int) -> str:
    """Return the numbers of created results and failed rows as text."""
    return f"{created} created" + (f", {failed} failed" if failed else "")


class _ProgressDisplay:
    """Shows the progress of the entries and, at the end, a summary."""

    def __init__(self, plan: Plan[Any]) -> None:
        self._entries = plan.entries
        self._saved_in = f", saved in {plan.directory}" if plan.directory else ""
        self._progress: Progress = progress(plan.tool.name, len(plan.entries))
        self._finished_before = sum(counts(plan.entries))
        self._start = time.monotonic()

    def __enter__(self) -> Self:
        self.update()
        return self

    def update(self) -> None:
        """Show the current progress."""
        created, failed = counts(self._entries)
        done, total = created + failed, len(self._entries)
        before = self._finished_before
        left = time_left(time.monotonic() - self._start, done - before, total - before)
        parts = [f"{done} of {total}", f"{failed} failed" if failed else "", left]
        self._progress.show(done, ", ".join(filter(None, parts)))

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        created, failed = counts(self._entries)
        if kind is None:
            self._progress.end(tally(created, failed) + self._saved_in)
        else:
            stopped = f"stopped after {created} of {len(self._entries)}{self._saved_in}"
            self._progress.end(f"{stopped}; the partial result is mediakit.last_batch")
