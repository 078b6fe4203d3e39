"""Ends a render whose page crashes, hangs, or uses too much memory."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import psutil

from mediakit.engines.browser.process import ChromiumProcess
from mediakit.engines.browser.protocol import TARGET_CRASHED, Session

STOPPED_STATES = {psutil.STATUS_STOPPED}
"""Suspended by a signal such as SIGSTOP."""
IDLE_STATES = {psutil.STATUS_SLEEPING, psutil.STATUS_IDLE}
"""Waiting for an event. A process that waits for a processor or for a disk is in another state."""


@dataclass(frozen=True)
class Snapshot:
    """The processes of a Chromium and its driver at one moment."""

    largest_bytes: int = 0
    """Private memory of the largest Chromium process."""
    cpu_seconds: float = 0
    """Processor time that all Chromium processes have used."""
    stopped: bool = False
    """Whether a process is suspended."""
    idle: bool = False
    """Whether all processes, including the driver, wait for an event."""


def snapshot(chromium_pid: int, driver_pid: int | None) -> Snapshot:
    """Return a snapshot of the process tree of a Chromium. Processes that have exited are ignored."""
    with suppress(psutil.Error):
        main = psutil.Process(chromium_pid)
        memory, seconds, states = zip(*map(_measure, (main, *main.children(recursive=True))), strict=True)
        if driver_pid:
            with suppress(psutil.Error):
                states += (psutil.Process(driver_pid).status(),)
        return Snapshot(
            largest_bytes=max(memory),
            cpu_seconds=sum(seconds),
            stopped=not STOPPED_STATES.isdisjoint(states),
            idle=IDLE_STATES.issuperset(states),
        )
    return Snapshot()


def _measure(process: psutil.Process) -> tuple[int, float, str]:
    """Return the private memory, the processor time and the state of a process; of one that has exited nothing."""
    with suppress(psutil.Error), process.oneshot():
        memory, times = process.memory_info(), process.cpu_times()
        return int(memory.rss - getattr(memory, "shared", 0)), float(times.user + times.system), str(process.status())
    return 0, 0.0, ""


MAX_PROCESS_BYTES = 1 << 30
"""Maximum private memory of one Chromium process. Without a limit, a small page could use all memory of the machine."""

CHECK_INTERVAL_SECONDS = 0.2

MAX_STOPPED_CHECKS = 4
"""Chromium is replaced when one of its processes was suspended in this many checks in a row."""

MAX_SILENT_CHECKS = 12
"""Chromium is replaced when it did not respond in this many checks in a row, used hardly any processor time, and none
of its processes was ready to run. On a busy machine, a Chromium that has work to do is ready to run."""

MAX_IDLE_CPU_SECONDS = 0.05
"""Processor time between two checks that does not count as work: frames of a page that does not change take less."""

MAX_REMOTE_SILENT_CHECKS = 50
"""Like `MAX_SILENT_CHECKS`, for a remote Chromium, whose processor time is unknown."""


class PageFailedError(Exception):
    """The page caused the failure. The message contains the cause."""


class ChromiumExitedError(Exception):
    """Chromium, its driver or the page's process exited during a render."""


class ChromiumHangsError(ChromiumExitedError):
    """Chromium or its driver is suspended or does not respond."""


class ScreenshotFailedError(ChromiumExitedError):
    """Chromium returned an error instead of a screenshot, as it does when its graphics process restarts."""


class RenderWatch:
    """Context manager that cancels its block when the render cannot succeed.

    A render may wait for something else than a command, and no command fails while Chromium hangs.

    Raises:
        PageFailedError: The page used too much memory.
        ChromiumExitedError: The page's process exited.
        ChromiumHangsError: Chromium does not respond.
    """

    def __init__(self, process: ChromiumProcess) -> None:
        self._process = process
        self._pages: list[Session] = []
        self._error: Exception | None = None
        self._task: asyncio.Task[Any] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._ping: asyncio.Task[None] | None = None
        self._first: Snapshot | None = None
        self._latest = Snapshot()

    @property
    def cpu_seconds(self) -> float | None:
        """Processor time that Chromium has used during the block; None if Chromium is remote."""
        if not self._process.local:
            return None
        return self._latest.cpu_seconds - self._first.cpu_seconds if self._first else 0.0

    def add_page(self, page: Session) -> None:
        """Cancel the block when the process of this page exits."""
        page.on(TARGET_CRASHED, self._on_crash)
        self._pages.append(page)

    async def __aenter__(self) -> None:
        self._task = asyncio.current_task()
        self._watching = asyncio.ensure_future(self._watch())

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for page in self._pages:
            page.remove_listener(TARGET_CRASHED, self._on_crash)
        if self._watching:
            self._watching.cancel()
        if self._error and self._task and isinstance(error, asyncio.CancelledError) and not self._task.uncancel():
            raise self._error from None

    def _cancel(self, error: Exception) -> None:
        if self._task and not self._error:
            self._error = error
            self._task.cancel()

    def _on_crash(self, _: object) -> None:
        self._cancel(ChromiumExitedError("The page's process exited."))

    async def _watch(self) -> None:
        stopped = silent = 0
        while not self._error:
            await asyncio.sleep(CHECK_INTERVAL_SECONDS)
            answered, before, local = self._answered(), self._latest, self._process.local
            if local:
                self._latest = await asyncio.to_thread(snapshot, local.pid, local.driver_pid)
            else:
                self._latest = Snapshot(idle=True)
            self._first = self._first or self._latest
            used_cpu = self._latest.cpu_seconds - before.cpu_seconds > MAX_IDLE_CPU_SECONDS
            stopped = stopped + 1 if self._latest.stopped else 0
            silent = 0 if answered or used_cpu or not self._latest.idle else silent + 1
            if self._latest.largest_bytes > MAX_PROCESS_BYTES:
                self._cancel(PageFailedError("The page needs more than 1 GB of memory."))
            elif stopped >= MAX_STOPPED_CHECKS:
                self._cancel(ChromiumHangsError("A process of Chromium is suspended."))
            elif silent >= (MAX_SILENT_CHECKS if local else MAX_REMOTE_SILENT_CHECKS):
                self._cancel(ChromiumHangsError("Chromium does not respond."))

    def _answered(self) -> bool:
        """Return whether Chromium has responded since the last check, and send the next request if it has."""
        if self._ping and not self._ping.done():
            return False
        # Not cancelled at the end of the render: Playwright would report the failure of a call that nothing awaits.
        self._ping = asyncio.ensure_future(self._process.ping())
        # An error is marked as retrieved, because the calls of the render raise it too.
        self._ping.add_done_callback(lambda ping: ping.cancelled() or ping.exception())
        return True
