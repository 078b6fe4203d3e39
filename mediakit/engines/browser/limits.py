"""Cancels a render when its page crashes or uses too much memory."""

import asyncio
from contextlib import suppress
from typing import Any

import psutil
from playwright.async_api import Error, Page

MAX_PROCESS_BYTES = 1 << 30
"""Maximum private memory of one Chromium process. Without a limit, a small page could use all memory of the machine."""

CHECK_INTERVAL_SECONDS = 0.2


CRASHED = "The page crashed the browser; it may be too large."


class PageFailedError(Exception):
    """The page caused the failure. The message contains the cause."""


class PageLimits:
    """Context manager that cancels its block when the page crashes or a Chromium process uses too much memory.

    Playwright does not report a crash to every pending call, so the block is canceled here.

    Raises:
        PageFailedError: The page crashed or used too much memory.
    """

    def __init__(self, page: Page, chromium_pid: int | None) -> None:
        """Set the page to monitor.

        Args:
            page: The page.
            chromium_pid: Process ID of its Chromium; None if Chromium is remote.
        """
        self._page = page
        self._chromium_pid = chromium_pid
        self._reason = ""
        self._task: asyncio.Task[Any] | None = None
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        self._task = asyncio.current_task()
        self._page.on("crash", self._on_crash)
        if self._chromium_pid:
            self._watching = asyncio.ensure_future(self._watch_memory(self._chromium_pid))

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._page.remove_listener("crash", self._on_crash)
        if self._watching:
            self._watching.cancel()
        if self._reason and self._task and isinstance(error, asyncio.CancelledError) and not self._task.uncancel():
            raise PageFailedError(self._reason) from None
        if isinstance(error, Error) and "crashed" in error.message:  # a call failed before the crash event arrived
            raise PageFailedError(CRASHED) from None

    def _cancel(self, reason: str) -> None:
        if self._task and not self._reason:
            self._reason = reason
            self._task.cancel()

    def _on_crash(self, _: object) -> None:
        self._cancel(CRASHED)

    async def _watch_memory(self, pid: int) -> None:
        await asyncio.sleep(CHECK_INTERVAL_SECONDS)
        while await asyncio.to_thread(largest_process_bytes, pid) <= MAX_PROCESS_BYTES:  # noqa: ASYNC110  # no event exists
            await asyncio.sleep(CHECK_INTERVAL_SECONDS)
        self._cancel("The page needs more than 1 GB of memory.")


def largest_process_bytes(pid: int) -> int:
    """Return the private memory, in bytes, of the largest process in a process tree; 0 if the tree has exited."""
    with suppress(psutil.Error):
        root = psutil.Process(pid)
        return max(map(_private_bytes, (root, *root.children(recursive=True))))
    return 0


def _private_bytes(process: psutil.Process) -> int:
    with suppress(psutil.Error):
        memory = process.memory_info()
        return int(memory.rss - getattr(memory, "shared", 0))
    return 0
