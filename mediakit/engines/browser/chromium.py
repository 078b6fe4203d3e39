"""One Chromium of the pool: one render at a time, a clean page for each, a new process after many renders."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, nullcontext
from typing import Any, TypeVar

from mediakit.engines.browser.launch import launch
from mediakit.engines.browser.limits import (
    ChromiumExitedError,
    PageFailedError,
    RenderWatch,
    ScreenshotFailedError,
    is_exit,
    is_failed_screenshot,
)
from mediakit.engines.browser.process import ChromiumProcess
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.browser.tab import OpenPage, Tab, View, apply_view
from mediakit.engines.network import Budget, EgressProxy, Lease
from mediakit.errors import MediakitError, RenderFailed
from mediakit.settings import BrowserSettings

T = TypeVar("T")
Work = Callable[[Tab], Awaitable[T]]
PageError = Callable[[str], MediakitError]
"""Returns the error to raise when the page caused the failure, from a sentence such as `The page needs ...`."""

MAX_RENDERS_PER_PROCESS = 100
"""The process is replaced after this many renders, because Chromium leaks memory with each."""

CLEANUP_TIMEOUT_SECONDS = 2.0
"""Time limit for closing or emptying a page. A Chromium that takes longer is killed."""

MIN_CPU_SHARE = 0.25
"""A page that used less than this share of its time limit as processor time did not cause the timeout."""

logger = logging.getLogger(__name__)


class Chromium:
    """A Chromium that starts on first use and is replaced when it fails.

    A page that ran scripts or sent a request is closed together with its context. Any other page holds no state, so it
    is emptied and used again, unless its background was transparent, which cannot be undone.
    """

    def __init__(self, settings: BrowserSettings, proxy: EgressProxy) -> None:
        self._settings = settings
        self._proxy = proxy
        self._launch: asyncio.Task[ChromiumProcess] | None = None
        self._spare_page: asyncio.Task[OpenPage] | None = None
        """An empty page for the next render without scripts."""
        self._render_count = 0
        self._background: set[asyncio.Task[Any]] = set()

    @property
    def readiness(self) -> int:
        """How soon a render can start: 2 at once, 1 after opening a page, 0 after starting a process."""
        if not self._is_running():
            return 0
        return 2 if self._spare_page and self._spare_page.done() else 1

    async def start(self) -> ChromiumProcess:
        """Return the running process, and start one if none runs.

        Raises:
            BrowserMissing: No working Chromium was found.
        """
        if not self._launch or not self._is_running():
            self._retire()
            self._launch = asyncio.ensure_future(launch(self._settings))
        # When this render is cancelled, the next one can use the process.
        return await asyncio.shield(self._launch)

    async def render(self, work: Work[T], view: View, *, deadline: float, seconds: float, page_error: PageError) -> T:
        """Open a clean page, pass it to `work`, and return the result of `work`.

        Args:
            work: Loads the page and captures it.
            view: Viewport and emulated media of the page.
            deadline: When the render must end, by the clock of the event loop.
            seconds: The time limit, for the error message.
            page_error: Returns the error to raise when the page caused the failure.

        Raises:
            ChromiumExitedError: Chromium or the page's process exited or hangs. A new process may succeed.
            RenderFailed: Chromium failed in an unexpected way, or had too little processor time.
        """
        process = await self.start()
        watch = RenderWatch(process)
        try:
            async with asyncio.timeout_at(deadline) as timeout, watch:
                return await self._render(process, watch, work, view, seconds)
        except TimeoutError:
            if not timeout.expired():
                raise
            self._discard(process)
            raise _timeout_error(watch, seconds, page_error) from None
        except PageFailedError as reason:
            self._discard(process)
            raise page_error(str(reason)) from None
        except ChromiumExitedError:
            self._discard(process)
            raise
        except ProtocolError as error:
            exited = not process.alive or is_exit(error)
            self._discard(process)
            if exited:
                raise ChromiumExitedError from error
            if is_failed_screenshot(error):
                raise ScreenshotFailedError("Chromium took no screenshot.") from error
            logger.warning("A render failed: %s", error)
            raise RenderFailed("The browser could not render the page. Try again in 5 seconds.") from error

    async def wait_for_cleanup(self) -> None:
        """Wait until the pages of finished renders are closed or emptied."""
        while self._background:
            await asyncio.wait(self._background)

    async def close(self) -> None:
        """Stop the process. The next render starts a new one."""
        await self.wait_for_cleanup()
        self._retire()
        await self.wait_for_cleanup()

    async def _render(
        self, process: ChromiumProcess, watch: RenderWatch, work: Work[T], view: View, seconds: float
    ) -> T:
        async with (
            self._proxy.lease(Budget(seconds=seconds), listener=process.listener, clients=process.clients) as lease,
            self._tab(process, watch, view, lease) as tab,
        ):
            return await work(tab)

    @asynccontextmanager
    async def _tab(self, process: ChromiumProcess, watch: RenderWatch, view: View, lease: Lease) -> AsyncIterator[Tab]:
        opening = self._take_page(process, scripts=view.scripts)
        reusable = False
        try:
            # The page opens in its own task: cancelling that would leak the context that is being created.
            page = await asyncio.shield(opening)
            if page.crashed:
                raise ChromiumExitedError("The page crashed before the render.")
            watch.add_page(page.cdp)
            await apply_view(page, view)
            with page.frames.running() if page.frames else nullcontext():
                yield Tab(page, lease, view)
            reusable = not (view.scripts or view.transparent or lease.requests)
        finally:
            self._render_count += 1
            self._clean_up(process, opening, reusable=reusable)

    def _take_page(self, process: ChromiumProcess, *, scripts: bool) -> asyncio.Task[OpenPage]:
        spare = self._spare_page
        if scripts or spare is None:
            return self._in_background(process.client.open_page(process.proxy, scripts=scripts))
        self._spare_page = None
        return spare

    def _clean_up(self, process: ChromiumProcess, opening: asyncio.Task[OpenPage], *, reusable: bool) -> None:
        """Prepare for the next render, in the background."""
        if self._process() is not process:
            return  # the process is already being stopped, with all its pages
        if self._render_count >= MAX_RENDERS_PER_PROCESS:
            self._retire()
            self._in_background(self.start())
        elif reusable:
            self._spare_page = self._in_background(self._cleared(process, opening))
        else:
            closing = self._in_background(self._close_page(process, opening))
            if self._spare_page is None:
                self._spare_page = self._in_background(self._opened_after(closing, process))

    async def _cleared(self, process: ChromiumProcess, opening: asyncio.Task[OpenPage]) -> OpenPage:
        async with self._cleanup_timeout(process):
            page = await opening
            if page.document:
                await page.document.clear()
        return page

    async def _close_page(self, process: ChromiumProcess, opening: asyncio.Task[OpenPage]) -> None:
        async with self._cleanup_timeout(process):
            await (await opening).close()

    async def _opened_after(self, closing: asyncio.Task[None], process: ChromiumProcess) -> OpenPage:
        await closing
        async with self._cleanup_timeout(process):
            return await process.client.open_page(process.proxy, scripts=False)

    @asynccontextmanager
    async def _cleanup_timeout(self, process: ChromiumProcess) -> AsyncIterator[None]:
        """Kill the process when it does not respond in time.

        Raises:
            ChromiumExitedError: It did not respond. A render that waits for the page is retried in a new process.
        """
        try:
            async with asyncio.timeout(CLEANUP_TIMEOUT_SECONDS):
                yield
        except (ProtocolError, TimeoutError) as error:
            if process.alive:
                logger.warning("Chromium does not respond. Killing it.")
            self._discard(process)
            raise ChromiumExitedError from error

    def _is_running(self) -> bool:
        """Return whether the process runs or is starting."""
        launching = self._launch
        if launching is None or not launching.done():
            return launching is not None
        process = self._process()
        return process is not None and process.alive

    def _process(self) -> ChromiumProcess | None:
        """Return the current process, or None while it starts or after its start failed."""
        launching = self._launch
        if launching is None or not launching.done() or launching.cancelled() or launching.exception():
            return None
        return launching.result()

    def _discard(self, process: ChromiumProcess) -> None:
        """Kill a process that may be in a bad state."""
        process.kill()
        if self._process() is process:
            self._retire()

    def _retire(self) -> None:
        """Detach the current process and close it in the background."""
        if launching := self._launch:
            self._in_background(_close(launching))
        self._launch = self._spare_page = None
        self._render_count = 0

    def _in_background(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a coroutine to completion, even if the current task is cancelled."""
        task = asyncio.ensure_future(coroutine)
        self._background.add(task)
        task.add_done_callback(self._forget)
        return task

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._background.discard(task)
        if not task.cancelled():
            task.exception()  # mark as retrieved; a caller that awaits the task gets it too


def _timeout_error(watch: RenderWatch, seconds: float, page_error: PageError) -> MediakitError:
    """Return the page's error, or that of an overloaded server if Chromium had little processor time."""
    used = watch.cpu_seconds
    if used is None or used >= seconds * MIN_CPU_SHARE:
        return page_error(f"The page took more than {seconds:g} seconds to render.")
    logger.warning("A render timed out after %g seconds, with %.1f seconds of processor time.", seconds, used)
    return RenderFailed(f"The page did not render within {seconds:g} seconds. Try again in 5 seconds.")


async def _close(launching: asyncio.Task[ChromiumProcess]) -> None:
    process = await launching
    await process.close()
