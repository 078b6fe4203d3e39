"""Loads a web page in a browser, with scripts and without images, video and fonts, and returns its HTML."""

import asyncio
import json
from contextlib import suppress
from importlib.resources import files
from typing import Any

from mediakit.engines.browser import Tab, View, shared
from mediakit.engines.browser.pool import Browser
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.browser.web import (
    ELEMENT_TIMEOUT_SECONDS,
    LOAD_TIMEOUT_SECONDS,
    RESOURCE_TIMEOUT_SECONDS,
    Visit,
    ignore_navigation,
    page_timeout,
)
from mediakit.errors import NotConvertible, PageUnavailable
from mediakit.tools.documents.web_to_markdown.reader.access_walls import Snapshot, find_access_wall

MAX_HTML_CHARACTERS = 4 * 1024 * 1024
READ_TIMEOUT_SECONDS = 15.0

MAX_SCREENS, SCREEN_MS = 30, 50
"""Number of screens to scroll through, because a page may grow without end, and milliseconds to wait at each one."""

SCROLL_LOAD_SECONDS = 0.3
"""Time for content that is loaded while the page is scrolled."""

MARGIN_SECONDS = 5.0
"""Time on top of all timeouts of a page until the browser tab is closed."""

VIEW = View(1280, 800, scripts=True)

NOT_A_PAGE = "url: must be an HTML page, got a document, an image or a download."
TOO_LARGE = f"The HTML of the page is too large to convert: it has more than {MAX_HTML_CHARACTERS:,} characters."
EMPTY = "The page contains no text."

PLACEHOLDER_IMAGE = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
"""A transparent GIF of one pixel in base64. It is the response for all images, so that scripts see no failed image."""

_HTML_TYPES = ("text/html", "application/xhtml+xml")


class PageVisit(Visit):
    """A visit that raises `NotConvertible` for downloads and other documents that are not pages."""

    not_a_page = staticmethod(lambda: NotConvertible(NOT_A_PAGE))

    def __init__(self, tab: Tab) -> None:
        super().__init__(tab)
        self._response_tasks: set[asyncio.Task[Any]] = set()
        tab.cdp.on("Fetch.requestPaused", self._respond_later)

    async def block_media(self) -> None:
        """Load no images, video and fonts from now on."""
        patterns = [{"urlPattern": "*", "resourceType": kind} for kind in ("Image", "Media", "Font")]
        await self._tab.cdp.send("Fetch.enable", {"patterns": patterns})

    async def snapshot(self) -> Snapshot:
        """Return the current state of the page."""
        script = _script("snapshot.js")
        return Snapshot(**json.loads(await self._run(f"JSON.stringify(({script})({MAX_HTML_CHARACTERS}))")))

    async def scroll_through(self) -> None:
        """Scroll through the page once, so that content that is loaded when it becomes visible is loaded."""
        with ignore_navigation():
            if await self._run(f"({_script('scroll.js')})({MAX_SCREENS}, {SCREEN_MS})"):
                await asyncio.sleep(SCROLL_LOAD_SECONDS)

    async def _run(self, expression: str) -> Any:
        """Run a script in an isolated world and return its result."""
        frame = await self._document()
        world = await self._tab.cdp.send("Page.createIsolatedWorld", {"frameId": frame["id"]})
        options = {"expression": expression, "contextId": world["executionContextId"]}
        response = await self._tab.cdp.send(
            "Runtime.evaluate", {**options, "returnByValue": True, "awaitPromise": True}
        )
        if "exceptionDetails" in response:
            raise PageUnavailable("The page could not be read.")
        return response["result"].get("value")

    def _respond_later(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._respond(event["requestId"], event["resourceType"]))
        self._response_tasks.add(task)
        task.add_done_callback(self._response_tasks.discard)

    async def _respond(self, request: str, kind: str) -> None:
        with suppress(ProtocolError):  # the page was left before the response
            if kind == "Image":
                headers = [
                    {"name": "Content-Type", "value": "image/gif"},
                    {"name": "Access-Control-Allow-Origin", "value": "*"},
                ]
                response = {"responseCode": 200, "responseHeaders": headers, "body": PLACEHOLDER_IMAGE}
                await self._tab.cdp.send("Fetch.fulfillRequest", {"requestId": request, **response})
            else:
                await self._tab.cdp.send("Fetch.failRequest", {"requestId": request, "errorReason": "BlockedByClient"})


def _script(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


async def load_page(
    url: str,
    *,
    wait_ms: int = 0,
    wait_for: str | None = None,
    load_seconds: float = LOAD_TIMEOUT_SECONDS,
    element_seconds: float = ELEMENT_TIMEOUT_SECONDS,
    browser: Browser | None = None,
) -> tuple[str, str]:
    """Load a page and return its HTML and its final address.

    Args:
        url: Address of the page.
        wait_ms: Milliseconds to wait after the page has loaded.
        wait_for: CSS selector of an element to wait for.
        load_seconds: Timeout for the load event of the page, in seconds.
        element_seconds: Timeout for the element of `wait_for`, in seconds.
        browser: The browser. By default, the browser that all calls share.

    Raises:
        InvalidInput: `wait_for` is not a CSS selector.
        NotConvertible: The URL is not a page, or the page contains no text or too much HTML.
        PageUnavailable: The page could not be loaded, or does not show its content.
        ServerBusy: All render slots are in use and the queue is full.
        BrowserMissing: No working Chromium was found.
    """

    async def visit_page(tab: Tab) -> Snapshot:
        visit = PageVisit(tab)
        await visit.block_media()
        await visit.open(url, seconds=load_seconds)
        if wait_for:
            await visit.wait_for(wait_for, seconds=element_seconds)
        await asyncio.sleep(wait_ms / 1000)
        async with page_timeout(READ_TIMEOUT_SECONDS):
            await visit.scroll_through()
            await visit.settle()
            await visit.check()
            return await visit.snapshot()

    wait_seconds = wait_ms / 1000 + (element_seconds if wait_for else 0) + RESOURCE_TIMEOUT_SECONDS
    seconds = load_seconds + wait_seconds + READ_TIMEOUT_SECONDS + MARGIN_SECONDS
    page = await (browser or shared()).render(visit_page, VIEW, seconds=seconds, page_error=PageUnavailable)
    _check_page(page, url)
    return page.html, page.url


def _check_page(page: Snapshot, requested_url: str) -> None:
    """Raise an error if a page cannot be converted or does not show its content."""
    if page.type not in _HTML_TYPES:
        raise NotConvertible(NOT_A_PAGE)
    if page.size > MAX_HTML_CHARACTERS:
        raise NotConvertible(TOO_LARGE)
    if not page.length and not page.buttons:
        raise NotConvertible(EMPTY)
    if reason := find_access_wall(page, requested_url):
        raise PageUnavailable(reason)
