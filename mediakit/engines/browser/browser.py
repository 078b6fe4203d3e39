"""The browser of this process: started when first needed, replaced when it breaks, stopped when idle."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import anyio
from playwright.async_api import Error

from mediakit.core.slots import Slots
from mediakit.engines.browser.launch import CLOSING, Launched, launch
from mediakit.engines.browser.tab import Tab, View, open_tab
from mediakit.engines.network import Budget, EgressProxy, Guard
from mediakit.errors import RenderFailed
from mediakit.settings import BrowserSettings

T = TypeVar("T")
Work = Callable[[Tab], Awaitable[T]]

IDLE = 600.0
"""Seconds without a render after which Chromium is stopped."""

logger = logging.getLogger(__name__)


class Browser:
    """Renders pages in Chromium, a few at a time; all its methods belong to one event loop."""

    def __init__(self, settings: BrowserSettings, *, idle: float = IDLE) -> None:
        self._settings = settings
        self._idle = idle
        self._proxy = EgressProxy(Guard(settings.allowed_networks))
        self.slots = Slots(settings.render_slots, settings.render_queue)
        self._launch: asyncio.Task[Launched] | None = None
        self._sleep: asyncio.TimerHandle | None = None
        self._chores: set[asyncio.Task[None]] = set()

    async def render(self, work: Work[T], view: View, *, seconds: float) -> T:
        """Give `work` a fresh page and return what it makes of it.

        The page is closed whatever happens, also when the caller is cancelled. A render whose Chromium dies under it
        gets one more try.

        Args:
            work: Loads and pictures the page.
            view: How the page is seen.
            seconds: The longest that `work` may take, its second try included.

        Raises:
            ServerBusy: Too many renders wait already.
            RenderFailed: The page crashed, or took too long.
            BrowserMissing: No Chromium works here.
        """
        async with self.slots.slot(), self._awake():
            await self._running()  # a first start is not the page's fault
            try:
                async with asyncio.timeout(seconds) as deadline:
                    return await self._tried(work, view, seconds)
            except TimeoutError:
                if not deadline.expired():
                    raise
                raise RenderFailed(f"The page took more than {seconds:.0f} seconds to render.") from None

    async def start(self) -> Launched:
        """Start Chromium now, if it does not run, and give it.

        Raises:
            BrowserMissing: No Chromium works here.
        """
        return await self._running()

    async def close(self) -> None:
        """Stop Chromium; the next render starts it again."""
        if self._sleep:
            self._sleep.cancel()
        if launching := self._launch:
            self._launch = None
            self._later(_end(launching))
        await asyncio.gather(*self._chores)

    async def _tried(self, work: Work[T], view: View, seconds: float) -> T:
        launched = await self._running()
        try:
            return await self._once(launched, work, view, seconds)
        except Error as error:
            if launched.alive:
                raise _failed(error) from error
            logger.warning("Chromium died during a render; trying once more: %s", error)
        try:
            return await self._once(await self._running(), work, view, seconds)
        except Error as error:
            raise _failed(error) from error

    async def _once(self, launched: Launched, work: Work[T], view: View, seconds: float) -> T:
        async with self._tab(launched, view, seconds) as tab, _crash_ends(tab):
            return await work(tab)

    @asynccontextmanager
    async def _tab(self, launched: Launched, view: View, seconds: float) -> AsyncIterator[Tab]:
        async with self._proxy.lease(Budget(seconds=seconds)) as lease:
            # Opening in a task of its own: a cancelled wait would leave behind the context that is just being made.
            opening = asyncio.ensure_future(open_tab(launched.browser, view, lease))
            try:
                yield await asyncio.shield(opening)
            finally:
                with anyio.CancelScope(shield=True):
                    await asyncio.shield(self._later(_close(opening, launched)))

    async def _running(self) -> Launched:
        if self._launch is None or _is_over(self._launch):
            if self._launch:
                self._later(_end(self._launch))
            self._launch = asyncio.ensure_future(launch(self._settings))
        # A cancelled render leaves the start to the next one.
        return await asyncio.shield(self._launch)

    @asynccontextmanager
    async def _awake(self) -> AsyncIterator[None]:
        if self._sleep:
            self._sleep.cancel()
        try:
            yield
        finally:
            if self.slots.taken == 1:
                self._sleep = asyncio.get_running_loop().call_later(self._idle, self._fall_asleep)

    def _fall_asleep(self) -> None:
        if self._launch and not self.slots.taken:
            self._later(_end(self._launch))
            self._launch = None

    def _later(self, chore: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something to its end, whoever is cancelled meanwhile."""
        task = asyncio.ensure_future(chore)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)
        return task


@asynccontextmanager
async def _crash_ends(tab: Tab) -> AsyncIterator[None]:
    """End the block at once when the page crashes; Playwright leaves some calls waiting."""
    task = asyncio.current_task()
    crashed = False

    def crash(_: object) -> None:
        nonlocal crashed
        crashed = True
        if task:
            task.cancel()

    tab.page.on("crash", crash)
    try:
        yield
    except (asyncio.CancelledError, Error):
        if not crashed or not task or task.uncancel():
            raise
        raise RenderFailed("The page crashed the browser; it may be too large.") from None
    finally:
        tab.page.remove_listener("crash", crash)


async def _close(opening: asyncio.Task[Tab], launched: Launched) -> None:
    try:
        async with asyncio.timeout(CLOSING):
            tab = await opening
            await tab.page.context.close()
    except Error:  # Chromium or its driver is gone, and the context with it
        launched.lost = True
    except TimeoutError:
        launched.lost = True
        logger.warning("Chromium does not answer; ending it.")
        launched.kill()


async def _end(launching: asyncio.Task[Launched]) -> None:
    with suppress(Exception):  # a failed start has told its callers
        launched = await launching
        await launched.close()


def _is_over(launching: asyncio.Task[Launched]) -> bool:
    if not launching.done():
        return False
    return launching.cancelled() or launching.exception() is not None or not launching.result().alive


def _failed(error: Error) -> RenderFailed:
    logger.warning("A render failed: %s", error)
    return RenderFailed("The browser could not finish the picture. Try again in 5 seconds.")
