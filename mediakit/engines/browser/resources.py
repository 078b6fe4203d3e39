"""Track the images, fonts and style sheets that a page is loading."""

import asyncio
from typing import Any, Self
from urllib.parse import urlsplit

from mediakit.engines.browser.protocol import Listener, Session

TRACKED_TYPES = {"Image", "Font", "Stylesheet"}
"""Resource types of the Chrome DevTools Protocol that a render waits for."""

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

    def __init__(self, cdp: Session, *, scripts: bool = False) -> None:
        """Start to track.

        Args:
            cdp: Session of the page, in which `Page` and `Network` are enabled.
            scripts: Whether the scripts of the page run.
        """
        self._scripts = scripts
        self._pending: dict[str, str] = {}
        """URLs of resources that are loading, by request ID."""
        self._other_frames: set[str] = set()
        """Frames in the page that have a URL of their own."""
        self._cdp = cdp
        self._changed = asyncio.Event()
        for event, listener in self._listeners:
            cdp.on(event, listener)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the listeners, because the page may be used again."""
        for event, listener in self._listeners:
            self._cdp.remove_listener(event, listener)

    @property
    def _listeners(self) -> tuple[tuple[str, Listener], ...]:
        return (
            ("Page.frameNavigated", self._on_navigated),
            ("Network.requestWillBeSent", self._on_request),
            ("Network.loadingFinished", self._on_done),
            ("Network.loadingFailed", self._on_done),
        )

    @property
    def hosts(self) -> list[str]:
        """Hosts whose resources have not finished loading, sorted."""
        return sorted({urlsplit(url).hostname or "" for url in self._pending.values()})

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

    def _on_navigated(self, event: dict[str, Any]) -> None:
        frame = event["frame"]
        if "parentId" in frame and frame["url"] != "about:srcdoc":
            self._other_frames.add(frame["id"])
        else:
            self._other_frames.discard(frame["id"])

    def _on_request(self, event: dict[str, Any]) -> None:
        """Handle a new request, or the next one after a redirect, which has the same ID."""
        url = event["request"]["url"]
        is_own = "frameId" in event and event["frameId"] not in self._other_frames
        if event.get("type") in TRACKED_TYPES and is_own and not url.startswith("data:"):
            self._pending[event["requestId"]] = url

    def _on_done(self, event: dict[str, Any]) -> None:
        self._pending.pop(event["requestId"], None)
        self._changed.set()
