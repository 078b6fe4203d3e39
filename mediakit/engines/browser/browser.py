"""The browser of this process: as many Chromiums as it may render pages at a time, each started when it is needed.

One page at a time in each, so that a hostile page stalls, crashes or starves no other's.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

from mediakit.core.slots import Slots
from mediakit.engines.browser.chromium import Blame, Chromium, DiedError, Work
from mediakit.engines.browser.launched import Launched
from mediakit.engines.browser.tab import View
from mediakit.engines.network import EgressProxy, Guard
from mediakit.errors import RenderFailed
from mediakit.settings import BrowserSettings

T = TypeVar("T")

IDLE = 600.0
"""Seconds without a render after which Chromium is stopped."""

logger = logging.getLogger(__name__)


class Browser:
    """Renders pages in Chromium, a few at a time; all its methods belong to one event loop."""

    def __init__(self, settings: BrowserSettings, *, idle: float = IDLE) -> None:
        self._idle = idle
        self._sleep: asyncio.TimerHandle | None = None
        self._resting: asyncio.Task[None] | None = None
        self.slots = Slots(settings.render_slots, settings.render_queue)
        proxy = EgressProxy(Guard(settings.allowed_networks))
        self._all = [Chromium(settings, proxy) for _ in range(settings.render_slots)]
        self._free = list(self._all)

    async def render(self, work: Work[T], view: View, *, seconds: float, blame: Blame = RenderFailed) -> T:
        """Give `work` a clean page and return what it makes of it.

        The page is closed or emptied whatever happens, also when the caller is cancelled. A render whose Chromium dies
        under it gets one more try.

        Args:
            work: Loads and pictures the page.
            view: How the page is seen.
            seconds: The longest that `work` may take, its second try included.
            blame: What to raise where the page itself is at fault: it crashed, took too long or too much memory.

        Raises:
            ServerBusy: Too many renders wait already.
            RenderFailed: Chromium did not do what it always can.
            BrowserMissing: No Chromium works here.
        """
        async with self.slots.slot(), self._awake():
            with self._taken() as chromium:
                await chromium.start()  # a first start is not the page's fault
                until = asyncio.get_running_loop().time() + seconds
                try:
                    return await chromium.render(work, view, until=until, seconds=seconds, blame=blame)
                except DiedError:
                    logger.warning("Chromium died during a render; trying once more.")
                try:
                    return await chromium.render(work, view, until=until, seconds=seconds, blame=blame)
                except DiedError:
                    raise blame("The page ended the browser twice; it may be too large.") from None

    async def start(self) -> Launched:
        """Start a Chromium now, if none runs, and give one.

        Raises:
            BrowserMissing: No Chromium works here.
        """
        return await max(self._all, key=lambda chromium: chromium.readiness).start()

    async def at_rest(self) -> None:
        """Wait until whatever earlier renders left has been tidied away."""
        await asyncio.gather(*(chromium.at_rest() for chromium in self._all))

    async def close(self) -> None:
        """Stop every Chromium; the next render starts one again."""
        if self._sleep:
            self._sleep.cancel()
        await asyncio.gather(*(chromium.close() for chromium in self._all))

    @contextmanager
    def _taken(self) -> Iterator[Chromium]:
        """Take the Chromium that can begin the soonest."""
        chromium = max(self._free, key=lambda free: free.readiness)
        self._free.remove(chromium)
        try:
            yield chromium
        finally:
            self._free.append(chromium)

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
        if not self.slots.taken:
            self._resting = asyncio.ensure_future(self.close())
