"""Runs the calls of a plan: concurrent calls that fail independently, with their progress shown by tqdm."""

import asyncio
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from mediakit.batches.plan import Plan
from mediakit.batches.runners import Runner
from mediakit.batches.targets import failure_message
from mediakit.batches.work import Entry, Work
from mediakit.core.runtime import runtime
from mediakit.display.images import CAPTION_STYLE
from mediakit.errors import InvalidInput

PROGRESS_INTERVAL_SECONDS = 0.1

MIN_SECONDS = 2.0
"""Time after which the time left can be estimated."""

MINUTE, HOUR = 60, 3600
LONG_SECONDS = 90
"""From this time on, the time left is shown in minutes; from as many minutes on, in hours."""


def run(plan: Plan[Any]) -> None:
    """Run all calls and wait for them. An interrupt cancels running calls."""
    with _opened(plan), _progress(plan) as progress:
        job = Job(plan.work, plan.runner())
        try:
            runtime.run(job.start())
            while runtime.run(job.is_running()):
                progress.update()
        finally:
            runtime.run(job.stop())
            progress.update()
        if plan.target:
            plan.target.finish()


async def run_async(plan: Plan[Any]) -> None:
    """Run all calls on the running event loop."""
    with _opened(plan), _progress(plan) as progress:
        job = Job(plan.work, plan.runner())
        try:
            await job.start()
            while await job.is_running():
                progress.update()
        finally:
            await job.stop()
            progress.update()
        if plan.target:
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


class Job:
    """Runs the calls of pending entries in order, on the event loop that starts it.

    Args:
        work: The entries, which receive their results and errors.
        runner: Makes the calls.
    """

    def __init__(self, work: Work[Any], runner: Runner) -> None:
        self._work = work
        self._runner = runner
        self._chunks = work.chunks()
        self._ready: deque[Entry[Any]] = deque()
        self._reading = asyncio.Lock()
        self._is_read = False
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start the calls."""
        self._tasks = [asyncio.create_task(self._run()) for _ in range(self._runner.concurrency)]

    async def is_running(self) -> bool:
        """Wait for one progress interval or until all calls have finished; return whether calls are still running.

        Raises:
            Exception: An error that does not belong to a row, for example a full disk.
        """
        done, running = await asyncio.wait(
            self._tasks, timeout=PROGRESS_INTERVAL_SECONDS, return_when=asyncio.FIRST_EXCEPTION
        )
        for task in done:
            task.result()
        return bool(running)

    async def stop(self) -> None:
        """Cancel running calls and wait until they have cleaned up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._runner.close()

    async def _run(self) -> None:
        while entries := await self._take(self._runner.size):
            try:
                await self._runner.run(entries)
            finally:  # also after an interrupt
                for entry in entries:
                    if not entry.is_pending:
                        self._work.finish(entry)

    async def _take(self, count: int) -> list[Entry[Any]]:
        """Return the next pending entries, at most `count`. Rows are read in a thread, because a source may be slow."""
        async with self._reading:
            while not self._ready and not self._is_read:
                chunk = await asyncio.to_thread(next, self._chunks, None)
                self._is_read = chunk is None
                self._ready.extend(self._work.admit(chunk or ()))
            return [self._ready.popleft() for _ in range(min(count, len(self._ready)))]


class _Progress:
    """A bar of tqdm in a notebook cell or a terminal, and a summary in its place at the end.

    Elsewhere, such as in a log, nothing is written.
    """

    def __init__(self, plan: Plan[Any]) -> None:
        self._work, self._name = plan.work, plan.tool.name
        options: dict[str, Any] = {"total": plan.work.total, "desc": self._name, "unit": " rows", "leave": False}
        self._cell: Any = None
        self._is_terminal = False
        if _is_notebook():
            import IPython.display
            from tqdm import notebook

            self._bar: Any = notebook.tqdm(**options, display=False)
            display: Any = IPython.display.display
            self._cell = display(self._bar.container, display_id=True)
        else:
            from tqdm import auto

            self._is_terminal = sys.stderr.isatty()
            self._bar = auto.tqdm(**options, file=sys.stderr, dynamic_ncols=True, disable=not self._is_terminal)

    def update(self) -> None:
        """Show the current progress."""
        if self._work.failed:
            self._bar.set_postfix_str(f"{self._work.failed:,} failed", refresh=False)
        self._bar.update(self._work.done - self._bar.n)

    def end(self, text: str) -> None:
        """Replace the bar with a summary."""
        self._bar.close()
        summary = f"{self._name}: {text}"
        if self._cell:
            markup = f'<div style="{CAPTION_STYLE}">{escape(summary)}</div>'
            self._cell.update({"text/plain": summary, "text/html": markup}, raw=True)
        elif self._is_terminal:
            sys.stderr.write(f"{summary}\n")


@contextmanager
def _progress(plan: Plan[Any]) -> Iterator[_Progress]:
    work, progress = plan.work, _Progress(plan)
    saved = f", saved in {plan.target.location}" if plan.target else ""
    try:
        yield progress
    except BaseException as error:
        of = f" of {work.total:,}" if work.total is not None else ""
        advice = "; run it again to continue" if saved else "; the partial result is mediakit.last_batch"
        advice = "" if isinstance(error, InvalidInput) else advice  # its message says what to do
        after = f"after {work.created:,}{of}" if work.done else f"before the first row{of}"
        progress.end(f"stopped {after}{saved if work.created else ''}{advice}")
        raise
    progress.end(tally(work.created, work.failed, work.unchanged) + saved)


def _is_notebook() -> bool:
    """Return whether the code runs in a notebook kernel, rather than in IPython in a terminal."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and "text/html" in shell.display_formatter.active_types


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


def tally(created: int, failed: int, unchanged: int = 0) -> str:
    """Return the numbers of created results, of files that were made before, and of failed rows as text."""
    parts = [f"{created - unchanged:,} created", f"{unchanged:,} unchanged" if unchanged else ""]
    return ", ".join(filter(None, [*parts, f"{failed:,} failed" if failed else ""]))


def row_count(count: int) -> str:
    """Return a number of rows as text."""
    return "1 row" if count == 1 else f"{count:,} rows"
