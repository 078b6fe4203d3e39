"""Runs the calls of a plan: concurrent calls that fail independently, with their progress shown by tqdm."""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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
    with _opened(plan), _progress(plan) as update:
        job = Job(plan.work, plan.runner())
        try:
            runtime.run(job.start())
            while runtime.run(job.is_running()):
                update()
        finally:
            runtime.run(job.stop())
            update()
        if plan.target:
            plan.target.finish()


async def run_async(plan: Plan[Any]) -> None:
    """Run all calls on the running event loop."""
    with _opened(plan), _progress(plan) as update:
        job = Job(plan.work, plan.runner())
        try:
            await job.start()
            while await job.is_running():
                update()
        finally:
            await job.stop()
            update()
        if plan.target:
            await asyncio.to_thread(plan.target.finish)


@contextmanager
def _opened(plan: Plan[Any]) -> Iterator[None]:
    """Open the target of a plan; close it if the batch ends early."""
    if (target := plan.target) is None:
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
    """Runs the calls of pending entries in order, on the event loop that starts it."""

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
        """Wait for one progress interval or until all calls have finished; return whether calls are still running."""
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
                with ExitStack() as stack:  # each is recorded, also if the record of another one cannot be written
                    for entry in reversed(entries):
                        if not entry.is_pending:
                            stack.callback(self._work.finish, entry)

    async def _take(self, count: int) -> list[Entry[Any]]:
        """Return the next pending entries, at most `count`. Rows are read in a thread, because a source may be slow."""
        async with self._reading:
            while not self._ready and not self._is_read:
                chunk = await asyncio.to_thread(next, self._chunks, None)
                self._is_read = chunk is None
                self._ready.extend(self._work.admit(chunk or ()))
            return [self._ready.popleft() for _ in range(min(count, len(self._ready)))]


@contextmanager
def _progress(plan: Plan[Any]) -> Iterator[Callable[[], None]]:
    """Show a bar, and a summary in its place at the end; yield what updates the bar."""
    work, (bar, show) = plan.work, _bar(plan.tool.name, plan.work.total)
    saved = f", saved in {plan.target.location}" if plan.target else ""

    def update() -> None:
        if work.failed:
            bar.set_postfix_str(f"{work.failed:,} failed", refresh=False)
        bar.update(work.done - bar.n)

    try:
        yield update
    except BaseException as error:
        of = f" of {work.total:,}" if work.total is not None else ""
        after = f"after {work.created:,}{of}" if work.done else f"before the first row{of}"
        advice = "; run it again to continue" if saved else "; the partial result is mediakit.last_batch"
        advice = "" if isinstance(error, InvalidInput) else advice  # its message says what to do
        bar.close()
        show(f"{plan.tool.name}: stopped {after}{saved if work.created else ''}{advice}")
        raise
    bar.close()
    show(f"{plan.tool.name}: {tally(work.created, work.failed, work.unchanged)}{saved}")


def _bar(name: str, total: int | None) -> tuple[Any, Callable[[str], object]]:
    """Return a bar of tqdm in a notebook cell or a terminal, and what shows a summary in its place.

    Elsewhere, such as in a log, nothing is written.
    """
    options: dict[str, Any] = {"total": total, "desc": name, "unit": " rows", "leave": False}
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None and "text/html" in shell.display_formatter.active_types:  # not IPython in a terminal
        from tqdm import notebook

        bar: Any = notebook.tqdm(**options, display=False)
        cell = ipython.display.display(bar.container, display_id=True)

        def show(text: str) -> None:
            markup = f'<div style="{CAPTION_STYLE}">{escape(text)}</div>'
            cell.update({"text/plain": text, "text/html": markup}, raw=True)

        return bar, show
    from tqdm import auto

    is_terminal = sys.stderr.isatty()
    bar = auto.tqdm(**options, file=sys.stderr, dynamic_ncols=True, disable=not is_terminal)
    return bar, lambda text: sys.stderr.write(f"{text}\n") if is_terminal else None


def time_left(seconds: float, done: int, total: int) -> str:
    """Return the estimated time left in words, after some seconds; empty if it cannot be estimated yet."""
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
