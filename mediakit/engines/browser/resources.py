"""What a page loads: which of its images, fonts and stylesheets are still on their way."""

import asyncio
from urllib.parse import urlsplit

from playwright.async_api import Error, Frame, Page, Request

AWAITED = {"image", "font", "stylesheet"}
"""Resource types, in Playwright's words, that a picture waits for."""

LAID_OUT = """async () => {
    document.documentElement?.getBoundingClientRect();
    await new Promise(resolve => setTimeout(resolve));
    await document.fonts.ready;
}"""
"""Asks for the fonts and backgrounds that only the layout needs; Chromium starts fonts a task later."""


class Resources:
    """Follows the images, fonts and stylesheets that a page's own HTML links; make it before the page loads.

    What a frame from elsewhere loads is that site's affair. Something refused, missing or broken counts as done.
    """

    def __init__(self, page: Page) -> None:
        self._pending: set[Request] = set()
        self._page = page
        self._changed = asyncio.Event()
        page.on("request", self._begin)
        page.on("requestfinished", self._end)
        page.on("requestfailed", self._end)

    @property
    def hosts(self) -> list[str]:
        """Names of the hosts whose resources have not finished loading, sorted."""
        return sorted({urlsplit(request.url).hostname or "" for request in self._pending})

    async def loaded(self) -> None:
        """Wait until nothing is on its way, fonts included that only the layout asks for."""
        await self._page.evaluate(LAID_OUT)
        while self._pending:
            await self._none_pending()
            await self._page.evaluate(LAID_OUT)

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
