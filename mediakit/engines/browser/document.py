"""An empty document for the caller's HTML, in which no script can run.

The document is loaded through a response that mediakit fulfills itself. Its headers, such as the content security
policy, stay in force for all HTML that is written into the document later.
"""

import asyncio
import re
from typing import Any

from mediakit.engines.browser.protocol import Session

DOCUMENT_URL = "http://document.invalid/"
"""URL of the document: a name that never resolves (RFC 2606), so relative links lead nowhere."""

RESPONSE_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    # Blocks scripts, and `<meta http-equiv=refresh>`, which would navigate to another site.
    "Content-Security-Policy": "sandbox",
    "Referrer-Policy": "no-referrer",
}


PERSISTENT_STATE = tuple(map(re.compile, ("<meta", "autofocus", r"title(?<=\btitle)\s*=", "data:image/(?!svg|jpe?g)")))
"""HTML in lower case that changes state which the document keeps after the HTML is replaced: policies, whether
autofocus has run, the preferred style sheet set, and the current frame of an animated image. Each expression begins
with fixed text, which makes the search many times as fast as one expression for all."""

HARMLESS_META = re.compile('<meta (charset="?utf-8"?|name="viewport" content="[^"<>&]*") ?/?>')
"""Elements in lower case, at the start of most pages, that change no persistent state."""


DOCUMENTS_PER_GARBAGE_COLLECTION = 16
"""Chromium does not collect replaced documents on its own while scripts are off."""


def changes_persistent_state(html: str) -> bool:
    """Return whether HTML changes state that its document keeps after the HTML is replaced."""
    text = HARMLESS_META.sub("", html.lower())
    return any(pattern.search(text) for pattern in PERSISTENT_STATE)


class Document:
    """The document of a page that never loads anything but the caller's HTML."""

    def __init__(self, cdp: Session, frame: str) -> None:
        self._cdp = cdp
        self._frame = frame
        self._must_reload = False
        self._replaced_count = 0
        self._loaded = asyncio.Event()
        cdp.on("Page.loadEventFired", lambda _: self._loaded.set())

    @classmethod
    async def in_page(cls, cdp: Session) -> "Document":
        """Load the document in a new page."""
        await cdp.send("Page.enable")
        tree = await cdp.send("Page.getFrameTree")
        document = cls(cdp, tree["frameTree"]["frame"]["id"])
        await document._reload()
        return document

    async def write(self, html: str) -> None:
        """Write HTML into the empty document and wait for its load event."""
        self._must_reload = changes_persistent_state(html)
        await self._write(html)

    async def clear(self) -> None:
        """Restore the empty document."""
        if self._must_reload:
            await self._reload()
        else:
            await self._write("")
        self._replaced_count += 1
        if self._replaced_count % DOCUMENTS_PER_GARBAGE_COLLECTION == 0:
            await self._cdp.send("HeapProfiler.collectGarbage")

    async def _reload(self) -> None:
        """Load a new document, which takes several times as long as writing into the current one."""
        paused: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

        def on_paused(event: dict[str, Any]) -> None:
            if not paused.done():  # the event can arrive after this call was canceled
                paused.set_result(event)

        self._cdp.once("Fetch.requestPaused", on_paused)
        await self._cdp.send("Fetch.enable", {"patterns": [{"urlPattern": DOCUMENT_URL}]})
        self._loaded.clear()
        await asyncio.gather(self._cdp.send("Page.navigate", {"url": DOCUMENT_URL}), self._fulfill(paused))
        await self._loaded.wait()
        await self._cdp.send("Page.resetNavigationHistory")
        self._must_reload = False

    async def _write(self, html: str) -> None:
        self._loaded.clear()
        await self._cdp.send("Page.setDocumentContent", {"frameId": self._frame, "html": html})
        await self._loaded.wait()

    async def _fulfill(self, paused: asyncio.Future[dict[str, Any]]) -> None:
        headers = [{"name": name, "value": value} for name, value in RESPONSE_HEADERS.items()]
        response = {"requestId": (await paused)["requestId"], "responseCode": 200, "responseHeaders": headers}
        await self._cdp.send("Fetch.fulfillRequest", response)
        await self._cdp.send("Fetch.disable")
