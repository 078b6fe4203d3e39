"""Pages of the web: opened with their scripts on, and judged before anything is made of them.

A page that is private, refused, unknown, broken, too slow, or no page at all is refused in one and the same sentence,
so that an answer tells nothing about networks that only the server sees.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.async_api import Error

from mediakit.engines.browser import Tab
from mediakit.engines.browser.area import element
from mediakit.engines.browser.resources import Resources
from mediakit.errors import MediakitError, PageUnavailable

NOT_LOADED = (
    "The page could not be loaded. Check that its address is right and that anyone on the internet can open it."
)

LOAD_SECONDS = 30.0
"""How long a page may take until its load event."""

RESOURCE_SECONDS = 5.0
"""How long pictures and fonts that come after the load event are waited for."""

ELEMENT_SECONDS = 10.0
"""How long an element is waited for."""

POLL_SECONDS = 0.1
LEFT = ("context was destroyed", "navigated or closed", "Promise was collected", "Cannot find context")
"""What Chromium says of a page that has left for another one."""

BAD_GATEWAY = 502
"""What the proxy answers for a host that it refuses or cannot reach."""


class Answer(NamedTuple):
    """What a document of the main frame came with."""

    status: int
    host: str
    mime_type: str


class Visit:
    """A page of the web in a tab, from its first request on."""

    no_page: Callable[[], MediakitError] = staticmethod(lambda: PageUnavailable(NOT_LOADED))
    """Makes the error for an address that answers well, but with no page: a download, a PDF, or nothing."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._frame = ""
        self._answers: dict[str, Answer] = {}
        self._quiet = asyncio.Event()
        self._resources = Resources(tab.page, tab.cdp)
        tab.cdp.on("Network.responseReceived", self._note)
        tab.cdp.on("Page.frameStartedLoading", self._start)
        tab.cdp.on("Page.frameRequestedNavigation", self._start)
        tab.cdp.on("Page.frameStoppedLoading", self._stop)

    async def open(self, url: str, *, seconds: float = LOAD_SECONDS) -> None:
        """Load a page, follow where it leads at once, and wait for its pictures and fonts.

        Raises:
            PageUnavailable: It cannot be loaded, is an error or no page, or does not end loading in time.
        """
        async with in_time(seconds):
            for command in ("Page.enable", "Network.enable"):
                await self._tab.cdp.send(command)
            self._frame = (await self._document())["id"]
            answer = await self._tab.cdp.send("Page.navigate", {"url": url})
            if "errorText" in answer:
                raise self._unavailable(answer.get("loaderId", ""))
            await self._quiet.wait()
        await self.settle()
        await self.judge()

    async def settle(self) -> None:
        """Wait, but not for long, for pictures and fonts that are on their way, and for a page that leads elsewhere."""
        with suppress(TimeoutError):
            async with asyncio.timeout(RESOURCE_SECONDS):
                with leaving():
                    await self._resources.loaded()
                await self._quiet.wait()

    async def wait_for(self, selector: str, *, seconds: float = ELEMENT_SECONDS) -> None:
        """Wait until an element can be seen.

        Raises:
            InvalidInput: This is no CSS selector.
            PageUnavailable: The element never comes.
        """
        words = f"The page could not be used: wait_for matched nothing that can be seen within {seconds:g} seconds."
        async with in_time(seconds, words):
            while await element(self._tab, selector, field="wait_for") is None:  # noqa: ASYNC110  # no event says it
                await asyncio.sleep(POLL_SECONDS)

    async def judge(self) -> None:
        """Refuse what now stands in the tab unless it is a page of the web that answered well.

        Raises:
            PageUnavailable: It is not.
        """
        document = await self._document()
        answer = self._answers.get(document["loaderId"])
        is_page = document["url"].startswith(("http://", "https://")) and "unreachableUrl" not in document
        if not is_page or (answer and (answer.status >= 400 or answer.mime_type == "application/pdf")):
            raise self._unavailable(document["loaderId"])

    async def _document(self) -> dict[str, Any]:
        """Describe what stands in the main frame."""
        tree = await self._tab.cdp.send("Page.getFrameTree")
        return dict(tree["frameTree"]["frame"])

    def _unavailable(self, loader: str) -> MediakitError:
        answer = self._answers.get(loader)
        if answer is None or self._is_from_the_proxy(answer):
            return PageUnavailable(NOT_LOADED)
        if answer.status < 400:
            return self.no_page()
        return PageUnavailable(f"The page could not be loaded (HTTP {answer.status}).")

    def _is_from_the_proxy(self, answer: Answer) -> bool:
        lease = self._tab.lease
        return answer.status == BAD_GATEWAY and answer.host in lease.refused_hosts | lease.failed_hosts

    def _note(self, event: dict[str, Any]) -> None:
        if event["type"] == "Document" and event.get("frameId") == self._frame:
            response = event["response"]
            host = urlsplit(response["url"]).hostname or ""
            self._answers[event["loaderId"]] = Answer(response["status"], host, response["mimeType"])

    def _start(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._frame:
            self._quiet.clear()

    def _stop(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._frame:
            self._quiet.set()


@asynccontextmanager
async def in_time(seconds: float, words: str = NOT_LOADED) -> AsyncIterator[None]:
    """Give the page so many seconds for the block.

    Raises:
        PageUnavailable: It took longer.
    """
    try:
        async with asyncio.timeout(seconds) as limit:
            yield
    except TimeoutError:
        if not limit.expired():
            raise
        raise PageUnavailable(words) from None


@contextmanager
def leaving() -> Iterator[None]:
    """End the block quietly where the page leaves for another one meanwhile."""
    try:
        yield
    except Error as error:
        if not any(words in error.message for words in LEFT):
            raise
