"""A pool of Chromium processes, one per render slot, each started on first use.

Each process renders one page at a time, so a hostile page cannot stall, crash or starve the render of another page.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TypeVar

from mediakit.core.slots import Slots
from mediakit.engines.browser.chromium import Chromium, PageError, Work
from mediakit.engines.browser.limits import ChromiumExitedError, ChromiumHangsError, ScreenshotFailedError
from mediakit.engines.browser.process import ChromiumProcess
from mediakit.engines.browser.tab import View
from mediakit.engines.network import EgressProxy, Guard
from mediakit.errors import RenderFailed
from mediakit.settings import BrowserSettings

T = TypeVar("T")

IDLE_TIMEOUT_SECONDS = 600.0
"""All Chromium processes are stopped after this long without a render."""

logger = logging.getLogger(__name__)

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
