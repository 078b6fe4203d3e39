"""HTML of our own in a page: an empty document that lets nothing run, and what is written into it.

An answer that we give ourselves can have headers, which the document keeps whatever is written into it later.
"""

import asyncio
import re
from typing import Any

from playwright.async_api import CDPSession

ADDRESS = "http://document.invalid/"
"""Where the HTML seems to come from: a name that never resolves (RFC 2606), so relative links lead nowhere."""

HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    # No script, and no `<meta http-equiv=refresh>` that would put another site in the page's place.
    "Content-Security-Policy": "sandbox",
    "Referrer-Policy": "no-referrer",
}


LASTING = re.compile(r"<meta|autofocus|\btitle\s*=|data:image/(?!svg|jpe?g)", re.IGNORECASE)
"""What a document remembers of HTML without scripts after the HTML is gone: policies, that it has set the focus, which
titled style sheets are preferred, and how far a picture's animation has come."""

PLAIN_META = re.compile('<meta (charset="?utf-8"?|name="viewport" content="[^"<>&]*") ?/?>', re.IGNORECASE)
"""What nearly every page begins with, and nothing remembers."""


SWEEP = 16
"""Documents after which Chromium is told to forget those that are gone; without scripts it never thinks of it."""


class Document:
    """The document of a page in which nothing but our own HTML is ever loaded."""

    def __init__(self, cdp: CDPSession, frame: str) -> None:
        self._cdp = cdp
        self._frame = frame
        self._lasting = False
        self._gone = 0
        self._loaded = asyncio.Event()
        cdp.on("Page.loadEventFired", lambda _: self._loaded.set())

    @classmethod
    async def in_page(cls, cdp: CDPSession) -> "Document":
        """Take over a page that was just opened."""
        await cdp.send("Page.enable")
        tree = await cdp.send("Page.getFrameTree")
        document = cls(cdp, tree["frameTree"]["frame"]["id"])
        await document._replace()  # its own
        return document

    async def write(self, html: str) -> None:
        """Write HTML into the empty document and wait for its load event."""
        self._lasting = LASTING.search(PLAIN_META.sub("", html)) is not None
        await self._write(html)

    async def empty(self) -> None:
        """Make it as empty as it was."""
        if self._lasting:
            await self._replace()
        else:
            await self._write("")
        self._gone += 1
        if self._gone % SWEEP == 0:
            await self._cdp.send("HeapProfiler.collectGarbage")

    async def _replace(self) -> None:
        """Load a new one, which takes several times as long as writing."""
        paused: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._cdp.once("Fetch.requestPaused", lambda event: paused.set_result(event))  # noqa: PLW0108  # Playwright marks it
        await self._cdp.send("Fetch.enable", {"patterns": [{"urlPattern": ADDRESS}]})
        self._loaded.clear()
        await asyncio.gather(self._cdp.send("Page.navigate", {"url": ADDRESS}), self._answer(paused))
        await self._loaded.wait()
        await self._cdp.send("Page.resetNavigationHistory")
        self._lasting = False

    async def _write(self, html: str) -> None:
        self._loaded.clear()
        await self._cdp.send("Page.setDocumentContent", {"frameId": self._frame, "html": html})
        await self._loaded.wait()

    async def _answer(self, paused: asyncio.Future[dict[str, Any]]) -> None:
        headers = [{"name": name, "value": value} for name, value in HEADERS.items()]
        answer = {"requestId": (await paused)["requestId"], "responseCode": 200, "responseHeaders": headers}
        await self._cdp.send("Fetch.fulfillRequest", answer)
        await self._cdp.send("Fetch.disable")
