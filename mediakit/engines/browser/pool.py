"""A pool of Chromium processes, one per render slot, each started on first use."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from mediakit.core.runtime import runtime
from mediakit.core.slots import Slots
from mediakit.engines.browser.launch import launch
from mediakit.engines.browser.limits import (
    ChromiumExitedError,
    ChromiumHangsError,
    PageFailedError,
    RenderWatch,
    ScreenshotFailedError,
)
from mediakit.engines.browser.page import Tab, View
from mediakit.engines.browser.process import ChromiumProcess, Confinement
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.network import Budget, EgressProxy, Guard, Lease
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
        self._spare_page: asyncio.Task[Tab] | None = None
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
        """Open a clean page, pass it to `work`, and return the result of `work`, as `Browser.render` does.

        The render must end at the deadline, by the clock of the event loop; the error message names the `seconds`.

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
            exited = not process.alive or "closed" in error.message or "crashed" in error.message
            self._discard(process)
            if exited:
                raise ChromiumExitedError from error
            if "Unable to capture screenshot" in error.message:  # a new process can take it
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
        if view.scripts or self._spare_page is None:
            opening = self._in_background(process.client.open_page(process.proxy, scripts=view.scripts))
        else:
            opening, self._spare_page = self._spare_page, None
        reusable = False
        try:
            # The page opens in its own task: cancelling that would leak the context that is being created.
            page = await asyncio.shield(opening)
            if page.crashed:
                raise ChromiumExitedError("The page crashed before the render.")
            page.lease = lease
            watch.add_page(page.cdp)
            await page.apply(view)
            with page.frames.running() if page.frames else nullcontext():
                yield page
            reusable = not (view.scripts or view.transparent or lease.requests)
        finally:
            self._render_count += 1
            self._clean_up(process, opening, reusable=reusable)

    def _clean_up(self, process: ChromiumProcess, opening: asyncio.Task[Tab], *, reusable: bool) -> None:
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

    async def _cleared(self, process: ChromiumProcess, opening: asyncio.Task[Tab]) -> Tab:
        async with self._cleanup_timeout(process):
            page = await opening
            if page.blank:
                await page.blank.clear()
        return page

    async def _close_page(self, process: ChromiumProcess, opening: asyncio.Task[Tab]) -> None:
        async with self._cleanup_timeout(process):
            await (await opening).close()

    async def _opened_after(self, closing: asyncio.Task[None], process: ChromiumProcess) -> Tab:
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


IDLE_TIMEOUT_SECONDS = 600.0
"""All Chromium processes are stopped after this long without a render."""


CRASHED_TWICE = "The page crashed the browser twice; it may be too large."
"""Reason for `page_error` after the retry of a render crashed, too."""


class Browser:
    """Renders pages in Chromium, a limited number at a time. All methods belong to one event loop."""

    def __init__(self, settings: BrowserSettings, *, idle_seconds: float = IDLE_TIMEOUT_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._idle_timer: asyncio.TimerHandle | None = None
        self._closing: asyncio.Task[None] | None = None
        self.slots = Slots(settings.render_slots, settings.render_queue)
        self._finishing = asyncio.Semaphore(settings.render_slots)
        """Limits the results that are being finished, and the memory that they need."""
        proxy = EgressProxy(Guard(settings.allowed_networks))
        self._all = [Chromium(settings, proxy) for _ in range(settings.render_slots)]
        self._free = list(self._all)

    @property
    def process_count(self) -> int:
        """Number of Chromium processes that run."""
        return sum(chromium.readiness > 0 for chromium in self._all)

    async def render(
        self,
        work: Work[T],
        view: View,
        *,
        seconds: float,
        page_error: PageError = RenderFailed,
        finish: Callable[[T], Awaitable[T]] | None = None,
    ) -> T:
        """Open a clean page, pass it to `work`, and return the result of `work`.

        The page is closed or emptied in all cases, also when the caller is cancelled. If Chromium or the page's process
        exits, hangs or takes no screenshot, the render is retried once in a new process.

        Args:
            work: Loads the page and captures it.
            view: Viewport and emulated media of the page.
            seconds: Time limit of `work`, retry included.
            page_error: Returns the error to raise when the page caused the failure: it crashed twice, took too long or
                used too much memory.
            finish: Called with the result of `work`, while the page is closed or emptied and the next render starts. A
                slot is held until fewer results are being finished than there are slots.

        Raises:
            ServerBusy: All render slots are taken and the queue is full.
            RenderFailed: Chromium failed in an unexpected way.
            BrowserMissing: No working Chromium was found.
        """
        async with AsyncExitStack() as finishing:
            async with self.slots.slot(), self._postpone_idle():
                with self._take() as chromium:
                    await chromium.start()  # the time of a first start does not count
                    result = await self._render(chromium, work, view, seconds, page_error)
                if finish:
                    await finishing.enter_async_context(self._finishing)
            return await finish(result) if finish else result

    async def _render(self, chromium: Chromium, work: Work[T], view: View, seconds: float, page_error: PageError) -> T:
        """Render in a Chromium, and retry once."""
        deadline = asyncio.get_running_loop().time() + seconds
        try:
            return await chromium.render(work, view, deadline=deadline, seconds=seconds, page_error=page_error)
        except ChromiumExitedError as reason:
            logger.warning("Chromium failed during a render. Retrying once. %s", reason)
        try:
            return await chromium.render(work, view, deadline=deadline, seconds=seconds, page_error=page_error)
        except ChromiumHangsError:
            raise RenderFailed("The browser does not respond. Try again in 5 seconds.") from None
        except ScreenshotFailedError:
            raise RenderFailed("The browser took no screenshot. Try again in 5 seconds.") from None
        except ChromiumExitedError:
            raise page_error(CRASHED_TWICE) from None

    async def start(self) -> ChromiumProcess:
        """Return a running Chromium process, and start one if none runs.

        Raises:
            BrowserMissing: No working Chromium was found.
        """
        return await max(self._all, key=lambda chromium: chromium.readiness).start()

    async def wait_for_cleanup(self) -> None:
        """Wait until the pages of finished renders are closed or emptied."""
        await asyncio.gather(*(chromium.wait_for_cleanup() for chromium in self._all))

    async def close(self) -> None:
        """Stop all Chromium processes. The next render starts a new one."""
        if self._idle_timer:
            self._idle_timer.cancel()
        await asyncio.gather(*(chromium.close() for chromium in self._all))

    @contextmanager
    def _take(self) -> Iterator[Chromium]:
        """Reserve the free Chromium that can start a render soonest."""
        chromium = max(self._free, key=lambda free: free.readiness)
        self._free.remove(chromium)
        try:
            yield chromium
        finally:
            self._free.append(chromium)

    @asynccontextmanager
    async def _postpone_idle(self) -> AsyncIterator[None]:
        """Stop the idle timer during the block, and restart it after the last render."""
        if self._idle_timer:
            self._idle_timer.cancel()
        try:
            yield
        finally:
            if self.slots.taken == 1:
                loop = asyncio.get_running_loop()
                self._idle_timer = loop.call_later(self._idle_seconds, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if not self.slots.taken:
            self._closing = asyncio.ensure_future(self.close())


_settings: BrowserSettings | None = None
_browsers: WeakKeyDictionary[asyncio.AbstractEventLoop, Browser] = WeakKeyDictionary()


def configure(settings: BrowserSettings) -> None:
    """Set the settings of the shared browser. Call this before the first render."""
    global _settings  # noqa: PLW0603  # one process, one browser
    _settings = settings


async def active_confinement() -> Confinement | None:
    """Return how the shared Chromium is confined, or None when it is remote.

    Raises:
        BrowserMissing: No working Chromium was found.
    """
    local = (await shared().start()).local
    return local.confinement if local else None


def existing() -> Browser | None:
    """Return the shared browser if a render has created it. Other threads may read its counts only."""
    return next(iter(_browsers.values()), None)


def shared() -> Browser:
    """Return the shared browser of this process. It belongs to the background loop and is closed with it.

    Raises:
        RuntimeError: The call is not on the background loop. Use `runtime.run` or `runtime.wait`.
    """
    if not runtime.inside:
        raise RuntimeError(
            "The shared browser can be used only on mediakit's background event loop: "
            "call it through runtime.run or runtime.wait."
        )
    loop = asyncio.get_running_loop()
    if loop not in _browsers:
        _browsers[loop] = Browser(_settings or BrowserSettings())
        runtime.at_exit(_browsers[loop].close)
    return _browsers[loop]
