"""What ends a render early: its page crashes, or takes more memory than any page should."""

import asyncio
from contextlib import suppress
from typing import Any

import psutil
from playwright.async_api import Error, Page

MOST = 1 << 30
"""Bytes that one process of Chromium may have for itself. A page of a few kilobytes can ask for all there is."""

PERIOD = 0.2
"""Seconds between two looks at them."""


CRASHED = "The page crashed the browser; it may be too large."


class PageFailedError(Exception):
    """The page is at fault; the message says how."""


class Limits:
    """Ends its block at once when a page crashes, of which Playwright tells not every call, or grows too large.

    Raises:
        PageFailedError: It did.
    """

    def __init__(self, page: Page, chromium: int | None) -> None:
        """Make them.

        Args:
            page: What may crash.
            chromium: Its main process, if that is on this machine.
        """
        self._page = page
        self._chromium = chromium
        self._reason = ""
        self._task: asyncio.Task[Any] | None = None
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        self._task = asyncio.current_task()
        self._page.on("crash", self._crash)
        if self._chromium:
            self._watching = asyncio.ensure_future(self._watch(self._chromium))

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._page.remove_listener("crash", self._crash)
        if self._watching:
            self._watching.cancel()
        if self._reason and self._task and isinstance(error, asyncio.CancelledError) and not self._task.uncancel():
            raise PageFailedError(self._reason) from None
        if isinstance(error, Error) and "crashed" in error.message:  # a call heard of it first
            raise PageFailedError(CRASHED) from None

    def _end(self, reason: str) -> None:
        if self._task and not self._reason:
            self._reason = reason
            self._task.cancel()

    def _crash(self, _: object) -> None:
        self._end(CRASHED)

    async def _watch(self, chromium: int) -> None:
        await asyncio.sleep(PERIOD)
        while await asyncio.to_thread(largest, chromium) <= MOST:  # noqa: ASYNC110  # no event says it
            await asyncio.sleep(PERIOD)
        self._end("The page needs more than 1 GB of memory.")


def largest(pid: int) -> int:
    """Give the bytes of the largest process of a tree, without what it shares with others; 0 when there is none."""
    with suppress(psutil.Error):
        root = psutil.Process(pid)
        return max(map(_own, (root, *root.children(recursive=True))))
    return 0


def _own(process: psutil.Process) -> int:
    with suppress(psutil.Error):
        taken = process.memory_info()
        return int(taken.rss - getattr(taken, "shared", 0))
    return 0
