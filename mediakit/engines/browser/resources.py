"""What a page loads: which of its images, fonts and stylesheets are still on their way."""

import asyncio
from collections.abc import Callable
from typing import Any, Self
from urllib.parse import urlsplit

from playwright.async_api import CDPSession, Error, Frame, Page, Request

AWAITED = {"image", "font", "stylesheet"}
"""Resource types, in Playwright's words, that a picture waits for."""

LAY_OUT = "document.documentElement?.getBoundingClientRect().height"
FONTS_READY = "document.fonts.ready.then(() => true)"
"""Where scripts are off no timer and no animation frame comes, but a promise is kept."""


class Resources:
    """Follows the images, fonts and stylesheets that a page's own HTML links; make it before the page loads.

    What a frame from elsewhere loads is that site's affair. Something refused, missing or broken counts as done.
    """

    def __init__(self, page: Page, cdp: CDPSession) -> None:
        self._pending: set[Request] = set()
        self._page = page
        self._cdp = cdp
        self._changed = asyncio.Event()
        for event, listener in self._listeners:
            page.on(event, listener)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Follow nothing any more, for the page may be used again."""
        for event, listener in self._listeners:
            self._page.remove_listener(event, listener)

    @property
    def _listeners(self) -> tuple[tuple[Any, Callable[[Request], None]], ...]:
        return ("request", self._begin), ("requestfinished", self._end), ("requestfailed", self._end)

    @property
    def hosts(self) -> list[str]:
        """Names of the hosts whose resources have not finished loading, sorted."""
        return sorted({urlsplit(request.url).hostname or "" for request in self._pending})

    async def loaded(self) -> None:
        """Wait until nothing is on its way, fonts included that only the layout asks for."""
        await self._lay_out()
        while self._pending:
            await self._none_pending()
            await self._lay_out()

    async def _lay_out(self) -> None:
        # The layout asks for fonts, and Chromium starts them in its next task: the second call comes after that.
        await self._cdp.send("Runtime.evaluate", {"expression": LAY_OUT})
        await self._cdp.send("Runtime.evaluate", {"expression": FONTS_READY, "awaitPromise": True})

    async def _none_pending(self) -> None:
        while self._pending:
            self._changed.clear()
            await self._changed.wait()

    def _begin(self, request: Request) -> None:
        if request.resource_type in AWAITED and self._is_own(request):
            self._pending.add(request)

    def _end(self, request: Request) -> None:
        self._pending.discard(request)
        self._changed.set()

    def _is_own(self, request: Request) -> bool:
        try:
            frame: Frame = request.frame
        except Error:  # the frame is gone already
            return False
        return frame == self._page.main_frame or frame.url == "about:srcdoc"
