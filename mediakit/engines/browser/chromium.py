"""One Chromium of the pool: a single render at a time, a clean page for each, a new process when one is worn."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from playwright.async_api import Error

from mediakit.engines.browser.launch import launch
from mediakit.engines.browser.launched import Launched
from mediakit.engines.browser.limits import Limits, PageFailedError
from mediakit.engines.browser.tab import Opened, Tab, View, dress, open_page
from mediakit.engines.network import Budget, EgressProxy, Lease
from mediakit.errors import MediakitError, RenderFailed
from mediakit.settings import BrowserSettings

T = TypeVar("T")
Work = Callable[[Tab], Awaitable[T]]
Blame = type[MediakitError]

WORN = 100
"""Renders after which a process is replaced: what Chromium leaks with each adds up."""

TIDYING = 2.0
"""Seconds in which a page must have been emptied or closed; a Chromium that cannot hangs."""

logger = logging.getLogger(__name__)


class DiedError(Exception):
    """Chromium, its driver or the page ended under a render that had done nothing to deserve it."""


class Chromium:
    """A Chromium that starts when it is first needed, and is replaced when it breaks.

    A page whose scripts ran, or that asked the network for anything, is closed together with its context. One that did
    neither has nothing to keep: it is emptied, and drawn on again. (One that was transparent would stay so.)
    """

    def __init__(self, settings: BrowserSettings, proxy: EgressProxy) -> None:
        self._settings = settings
        self._proxy = proxy
        self._launch: asyncio.Task[Launched] | None = None
        self._blank: asyncio.Task[Opened] | None = None
        """The page that waits for the next render without scripts."""
        self._renders = 0
        self._chores: set[asyncio.Task[Any]] = set()

    @property
    def readiness(self) -> int:
        """How soon a render can begin: 2 at once, 1 in a moment, 0 after a start."""
        if not self._runs():
            return 0
        return 2 if self._blank and self._blank.done() else 1

    async def start(self) -> Launched:
        """Start it now, if it does not run, and give it.

        Raises:
            BrowserMissing: No Chromium works here.
        """
        if not self._launch or not self._runs():
            self._retire()
            self._launch = asyncio.ensure_future(launch(self._settings))
        # A cancelled render leaves the start to the next one.
        return await asyncio.shield(self._launch)

    async def render(self, work: Work[T], view: View, *, until: float, seconds: float, blame: Blame) -> T:
        """Give `work` a clean page and return what it makes of it.

        Args:
            work: Loads and pictures the page.
            view: How the page is seen.
            until: When it must be over, by the event loop's clock.
            seconds: How long that is, for the words of a refusal.
            blame: What to raise where the page itself is at fault.

        Raises:
            DiedError: Chromium ended; another one may do better.
            RenderFailed: Chromium did not do what it always can.
        """
        launched = await self.start()
        try:
            async with asyncio.timeout_at(until) as deadline:
                return await self._draw(launched, work, view, seconds)
        except TimeoutError:
            if not deadline.expired():
                raise
            self._discard(launched)
            raise blame(f"The page took more than {seconds:.0f} seconds to render.") from None
        except PageFailedError as reason:
            self._discard(launched)
            raise blame(str(reason)) from None
        except Error as error:
            # The end of its driver Playwright notices only by this.
            died = not launched.alive or "closed" in error.message
            self._discard(launched)
            if died:
                raise DiedError from error
            logger.warning("A render failed: %s", error)
            raise RenderFailed("The browser could not finish the picture. Try again in 5 seconds.") from error

    async def at_rest(self) -> None:
        """Wait until whatever earlier renders left has been tidied away."""
        while self._chores:
            await asyncio.wait(self._chores)

    async def close(self) -> None:
        """End it; the next render starts another."""
        await self.at_rest()
        self._retire()
        await self.at_rest()

    async def _draw(self, launched: Launched, work: Work[T], view: View, seconds: float) -> T:
        async with (
            self._proxy.lease(Budget(seconds=seconds), listener=launched.door) as lease,
            self._tab(launched, view, lease) as tab,
        ):
            return await work(tab)

    @asynccontextmanager
    async def _tab(self, launched: Launched, view: View, lease: Lease) -> AsyncIterator[Tab]:
        opening = self._page(launched, scripts=view.scripts)
        clean = False
        try:
            # DeferredApp in a task of its own: a cancelled wait would leave behind the context that is just being made.
            opened = await asyncio.shield(opening)
            if opened.crashed:
                raise DiedError("The page crashed while it waited.")
            async with Limits(opened.page, launched.local.pid if launched.local else None):
                await dress(opened, view)
                yield Tab(opened.page, opened.cdp, lease, view, opened.document)
            clean = not (view.scripts or view.transparent or lease.requests)
        finally:
            self._renders += 1
            self._tidy(launched, opening, clean=clean)

    def _page(self, launched: Launched, *, scripts: bool) -> asyncio.Task[Opened]:
        blank = self._blank
        if scripts or blank is None:
            return self._later(open_page(launched.browser, launched.proxy, scripts=scripts))
        self._blank = None
        return blank

    def _tidy(self, launched: Launched, opening: asyncio.Task[Opened], *, clean: bool) -> None:
        """Make ready for the next render, after the answer to this one."""
        if self._launched() is not launched:
            return  # it is ending already, with all its pages
        if self._renders >= WORN:
            self._retire()
            self._later(self.start())
        elif clean:
            self._blank = self._later(self._emptied(launched, opening))
        else:
            closing = self._later(self._closed(launched, opening))
            if self._blank is None:
                self._blank = self._later(self._opened_after(closing, launched))

    async def _emptied(self, launched: Launched, opening: asyncio.Task[Opened]) -> Opened:
        async with self._answering(launched):
            opened = await opening
            if opened.document:
                await opened.document.empty()
        return opened

    async def _closed(self, launched: Launched, opening: asyncio.Task[Opened]) -> None:
        async with self._answering(launched):
            await (await opening).page.context.close()

    async def _opened_after(self, closing: asyncio.Task[None], launched: Launched) -> Opened:
        await closing
        async with self._answering(launched):
            return await open_page(launched.browser, launched.proxy, scripts=False)

    @asynccontextmanager
    async def _answering(self, launched: Launched) -> AsyncIterator[None]:
        """Replace a Chromium that does not answer in time.

        Raises:
            DiedError: It does not; a render that waits for its page may do better with another.
        """
        try:
            async with asyncio.timeout(TIDYING):
                yield
        except (Error, TimeoutError) as error:
            if launched.alive:
                logger.warning("Chromium does not answer; ending it.")
            self._discard(launched)
            raise DiedError from error

    def _runs(self) -> bool:
        launching = self._launch
        if launching is None or not launching.done():
            return launching is not None
        launched = self._launched()
        return launched is not None and launched.alive

    def _launched(self) -> Launched | None:
        """Give the Chromium that has started last; None while it starts, or when it could not."""
        launching = self._launch
        if launching is None or not launching.done() or launching.cancelled() or launching.exception():
            return None
        return launching.result()

    def _discard(self, launched: Launched) -> None:
        """End a Chromium that cannot be trusted any more, at once."""
        launched.kill()
        if self._launched() is launched:
            self._retire()

    def _retire(self) -> None:
        """Take leave of the Chromium that runs."""
        if launching := self._launch:
            self._later(_end(launching))
        self._launch = self._blank = None
        self._renders = 0

    def _later(self, chore: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something to its end, whoever is cancelled meanwhile."""
        task = asyncio.ensure_future(chore)
        self._chores.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._chores.discard(task)
        if not task.cancelled():
            task.exception()  # whoever needs what it makes is told


async def _end(launching: asyncio.Task[Launched]) -> None:
    launched = await launching
    await launched.close()
