"""Track the images, fonts and style sheets that a page is loading."""

import asyncio
from collections.abc import Callable
from typing import Any, Self
from urllib.parse import urlsplit

from playwright.async_api import CDPSession, Error, Frame, Page, Request

TRACKED_TYPES = {"image", "font", "stylesheet"}
"""Resource types of Playwright that a render waits for."""

FORCE_LAYOUT = "document.documentElement?.getBoundingClientRect().height"
FONTS_READY = "document.fonts.ready.then(() => true)"
"""Without scripts, timers and animation frames do not fire, but promises resolve."""

LATER_TASK = "new Blob([]).text()"
"""A promise that resolves in a later task, because Chromium reads the text in another process."""
LAYOUT_AND_FONTS = f"({FORCE_LAYOUT}, {LATER_TASK}.then(() => {FONTS_READY}))"
"""Both in one call, for pages whose scripts do not run: a script can replace `Blob`."""


class Resources:
    """Tracks the images, fonts and style sheets of a page. Create it before the page loads.

    Resources of frames from other sites are not tracked. A rejected, missing or broken resource counts as loaded.
    """

    def __init__(self, page: Page, cdp: CDPSession, *, scripts: bool = False) -> None:
        """Start to track.

        Args:
            page: The page.
            cdp: Its session.
            scripts: Whether the scripts of the page run.
        """
        self._scripts = scripts
        self._pending: set[Request] = set()
        self._page = page
        self._cdp = cdp
        self._changed = asyncio.Event()
        for event, listener in self._listeners:
            page.on(event, listener)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the listeners, because the page may be used again."""
        for event, listener in self._listeners:
            self._page.remove_listener(event, listener)

    @property
    def _listeners(self) -> tuple[tuple[Any, Callable[[Request], None]], ...]:
        return ("request", self._on_request), ("requestfinished", self._on_done), ("requestfailed", self._on_done)

    @property
    def hosts(self) -> list[str]:
        """Hosts whose resources have not finished loading, sorted."""
        return sorted({urlsplit(request.url).hostname or "" for request in self._pending})

    async def loaded(self) -> None:
        """Wait until all resources have loaded, including fonts that the layout requests."""
        await self._force_layout()
        while self._pending:
            await self._wait_until_none_pending()
            await self._force_layout()

    async def _force_layout(self) -> None:
        # The layout requests fonts, which Chromium starts to load in its next task. They are ready after that.
        if self._scripts:
            await self._cdp.send("Runtime.evaluate", {"expression": FORCE_LAYOUT})
        expression = FONTS_READY if self._scripts else LAYOUT_AND_FONTS
        await self._cdp.send("Runtime.evaluate", {"expression": expression, "awaitPromise": True})

    async def _wait_until_none_pending(self) -> None:
        while self._pending:
            self._changed.clear()
            await self._changed.wait()

    def _on_request(self, request: Request) -> None:
        if request.resource_type in TRACKED_TYPES and self._is_own(request):
            self._pending.add(request)

    def _on_done(self, request: Request) -> None:
        self._pending.discard(request)
        self._changed.set()

    def _is_own(self, request: Request) -> bool:
        try:
            frame: Frame = request.frame
        except Error:  # the frame is already detached
            return False
        return frame == self._page.main_frame or frame.url == "about:srcdoc"
