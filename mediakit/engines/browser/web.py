"""Open web pages with scripts on, check them before they are used, and take screenshots of them.

A page that is private, blocked, unknown, broken, too slow, or not a page at all raises the same error message, so that
the message reveals nothing about networks that only the server can reach.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from mediakit.engines.browser import Tab, View, shared
from mediakit.engines.browser.at_rest import INNER_SCROLL_WARNING, QUIET_CHECKS, PageAtRest
from mediakit.engines.browser.page import Resources
from mediakit.engines.browser.pool import Browser
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.browser.screenshots import (
    Screenshot,
    capture,
    element_area,
    encode,
    full_page_area,
    select_area,
    viewport_area,
)
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import MediakitError, PageUnavailable
from mediakit.results.item import ResultWarning

NOT_LOADED = "The page could not be loaded. Check that its URL is correct and that the page is public."

LOAD_TIMEOUT_SECONDS = 30.0
"""Time limit for the load event of a page."""

RESOURCE_TIMEOUT_SECONDS = 5.0
"""Time to wait for images and fonts after the load event."""

ELEMENT_TIMEOUT_SECONDS = 10.0
"""Time limit for an element to appear."""

RENDER_TIMEOUT_SECONDS = 30.0
"""Time limit for scrolling and capturing, after the page has loaded."""

OPEN_TIMEOUT_SECONDS = 5.0
"""Allowance for opening the tab."""

POLL_INTERVAL_SECONDS = 0.1

NAVIGATION_MESSAGES = (
    "context was destroyed",
    "navigated or closed",
    "Promise was collected",
    "Cannot find context",
)
"""Parts of Chromium's error messages for a page that navigated away."""

BAD_GATEWAY = 502
"""Status of the proxy's response for a host that is blocked or unreachable."""


class DocumentResponse(NamedTuple):
    """The HTTP response of a document in the main frame."""

    status: int
    host: str
    mime_type: str


class Visit:
    """A web page in a tab, from its first request on."""

    not_a_page: Callable[[], MediakitError] = staticmethod(lambda: PageUnavailable(NOT_LOADED))
    """Creates the error for a URL that responds with something other than a page, such as a download or a PDF."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._frame = ""
        self._responses: dict[str, DocumentResponse] = {}
        self._loaded = asyncio.Event()
        self._resources = Resources(tab.cdp, scripts=tab.view.scripts)
        tab.cdp.on("Network.responseReceived", self._on_response)
        tab.cdp.on("Page.frameStartedLoading", self._on_started)
        tab.cdp.on("Page.frameRequestedNavigation", self._on_started)
        tab.cdp.on("Page.frameStoppedLoading", self._on_stopped)

    async def open(self, url: str, *, seconds: float = LOAD_TIMEOUT_SECONDS) -> None:
        """Load a page, follow its immediate redirects, and wait for its images and fonts.

        Raises:
            PageUnavailable: The page cannot be loaded, is an error or not a page, or did not load in time.
        """
        async with page_timeout(seconds):
            for command in ("Page.enable", "Network.enable"):
                await self._tab.cdp.send(command)
            self._frame = (await self._document())["id"]
            result = await self._tab.cdp.send("Page.navigate", {"url": url})
            if "errorText" in result:
                raise self._unavailable(result.get("loaderId", ""))
            await self._loaded.wait()
        await self.settle()
        await self.check()

    async def settle(self) -> None:
        """Wait a limited time for images and fonts that are loading, and for a page that navigates away."""
        with suppress(TimeoutError):
            async with asyncio.timeout(RESOURCE_TIMEOUT_SECONDS):
                with ignore_navigation():
                    await self._resources.loaded()
                await self._loaded.wait()

    async def wait_for(self, selector: str, *, seconds: float = ELEMENT_TIMEOUT_SECONDS) -> None:
        """Wait until an element is visible.

        Raises:
            InvalidInput: The CSS selector is not valid.
            PageUnavailable: No element became visible in time.
        """
        message = f"The page has no visible element that matches wait_for after {seconds:g} seconds."
        async with page_timeout(seconds, message):
            while await element_area(self._tab, selector, field="wait_for") is None:  # noqa: ASYNC110  # no event for it
                await asyncio.sleep(POLL_INTERVAL_SECONDS)

    async def check(self) -> None:
        """Check that the current document is a web page that responded without an error.

        Raises:
            PageUnavailable: It is not.
        """
        document = await self._document()
        response = self._responses.get(document["loaderId"])
        is_page = document["url"].startswith(("http://", "https://")) and "unreachableUrl" not in document
        if not is_page or (response and (response.status >= 400 or response.mime_type == "application/pdf")):
            raise self._unavailable(document["loaderId"])

    async def _document(self) -> dict[str, Any]:
        """Return the current document of the main frame, as a `Frame` object of the Chrome DevTools Protocol."""
        tree = await self._tab.cdp.send("Page.getFrameTree")
        return dict(tree["frameTree"]["frame"])

    def _unavailable(self, loader: str) -> MediakitError:
        response = self._responses.get(loader)
        unreached = self._tab.lease.blocked_hosts | self._tab.lease.failed_hosts
        if response is None or (response.status == BAD_GATEWAY and response.host in unreached):
            return PageUnavailable(NOT_LOADED)
        if response.status < 400:
            return self.not_a_page()
        return PageUnavailable(f"The page could not be loaded (HTTP {response.status}).")

    def _on_response(self, event: dict[str, Any]) -> None:
        if event["type"] == "Document" and event.get("frameId") == self._frame:
            response = event["response"]
            host = urlsplit(response["url"]).hostname or ""
            self._responses[event["loaderId"]] = DocumentResponse(response["status"], host, response["mimeType"])

    def _on_started(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._frame:
            self._loaded.clear()

    def _on_stopped(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._frame:
            self._loaded.set()


@asynccontextmanager
async def page_timeout(seconds: float, message: str = NOT_LOADED) -> AsyncIterator[None]:
    """Limit the time of the block.

    Raises:
        PageUnavailable: The block took longer.
    """
    try:
        async with asyncio.timeout(seconds) as timeout:
            yield
    except TimeoutError:
        if not timeout.expired():
            raise
        raise PageUnavailable(message) from None


@contextmanager
def ignore_navigation() -> Iterator[None]:
    """End the block without an error if the page navigates away during it."""
    try:
        yield
    except ProtocolError as error:
        if not any(part in error.message for part in NAVIGATION_MESSAGES):
            raise


async def render_screenshot(
    url: str,
    *,
    width: int,
    height: int,
    format: Literal["png", "jpeg"] = "png",  # noqa: A002  # the field's name
    quality: int = 90,
    full_page: bool = False,
    wait_ms: int = 0,
    wait_for: str | None = None,
    options: CaptureOptions,
    load_seconds: float = LOAD_TIMEOUT_SECONDS,
    element_seconds: float = ELEMENT_TIMEOUT_SECONDS,
    render_seconds: float = RENDER_TIMEOUT_SECONDS,
    browser: Browser | None = None,
) -> Screenshot:
    """Load a page with scripts on and take a screenshot, in the shared browser by default.

    The viewport is in CSS pixels, the quality of a JPEG from 1 to 100, and the wait after the page has loaded in
    milliseconds. `full_page` scrolls through the page and captures its full height, `wait_for` is the CSS selector of
    an element to wait for. The time limits are those for the load event, that element, and scrolling and capturing.

    Raises:
        InvalidInput: The page is too high for the format, or a selector is not valid or matches nothing.
        PageUnavailable: The page is not public, could not be loaded, responded with an error, took too long or used
            too much memory.
        ServerBusy: All render slots are taken and the queue is full.
        RenderFailed: Chromium failed in an unexpected way.
        BrowserMissing: No working Chromium was found.
    """

    async def work(tab: Tab) -> Screenshot:
        visit = Visit(tab)
        await visit.open(url, seconds=load_seconds)
        if wait_for:
            await visit.wait_for(wait_for, seconds=element_seconds)
        at_rest = PageAtRest(tab, wait_ms=wait_ms, beyond_viewport=beyond_viewport)
        warnings: list[ResultWarning] = []
        async with page_timeout(render_seconds + wait_ms / 1000):
            with ignore_navigation():
                if full_page:
                    if not await at_rest.expand_scrollers():
                        warnings.append(INNER_SCROLL_WARNING)
                    await at_rest.scroll_through()
                await at_rest.wait(QUIET_CHECKS if beyond_viewport else 1)
            await asyncio.sleep(wait_ms / 1000)
            await visit.settle()
            with ignore_navigation():
                await at_rest.finish()
                if full_page:
                    await at_rest.restore_sections()
                if beyond_viewport:
                    await at_rest.extend_backgrounds()
            await visit.check()
            area = await select_area(tab, await (full_page_area if full_page else viewport_area)(tab), options)
            image = await capture(tab, area, image_format=format, quality=quality)
            return replace(image, warnings=tuple(warnings))

    beyond_viewport = full_page or options.selector is not None

    view = View(
        width,
        height,
        scripts=True,
        device_scale_factor=options.device_scale_factor,
        color_scheme=options.color_scheme,
        transparent=options.transparent and format != "jpeg",
    )
    waits = wait_ms / 1000 + (element_seconds if wait_for else 0) + RESOURCE_TIMEOUT_SECONDS
    seconds = load_seconds + waits + render_seconds + OPEN_TIMEOUT_SECONDS
    finish = partial(encode, image_format=format, quality=quality)
    return await (browser or shared()).render(work, view, seconds=seconds, page_error=PageUnavailable, finish=finish)
