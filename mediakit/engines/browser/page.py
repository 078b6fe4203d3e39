"""The page of one render: its document, the frames that it draws, the resources that it loads, and how it is opened."""

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from mediakit.engines.browser.protocol import TARGET_CRASHED, Listener, ProtocolError, Session
from mediakit.engines.network import Lease


class EventTasks:
    """Runs coroutines for events, whose senders do not wait."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Start a coroutine. An error of a page that has closed is ignored."""
        task = asyncio.ensure_future(_ignore_closed(coroutine))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _ignore_closed(coroutine: Coroutine[Any, Any, Any]) -> None:
    with suppress(ProtocolError):
        await coroutine


FLAG = "--run-all-compositor-stages-before-draw"
"""Command line flag without which pages cannot draw on request. Each frame then waits for all changes of the page."""

PAUSE_SECONDS = 1 / 60
"""Pause before a frame."""

SCREENSHOT_PAUSE_SECONDS = 0.002
"""Pause before a frame during a screenshot."""


class Frames:
    """Requests the frames of a page during a render."""

    def __init__(self, cdp: Session) -> None:
        """Request no frames yet of a page that draws only on request."""
        self._cdp = cdp
        self._pause = PAUSE_SECONDS
        self._is_running = False
        self._timer: asyncio.TimerHandle | None = None
        """Starts the next frame."""
        self._frame: asyncio.Task[None] | None = None
        """The frame that is being drawn. Chromium draws one at a time."""

    async def draw(self) -> None:
        """Draw a frame.

        Raises:
            ProtocolError: The page draws on its own, or the page or Chromium exited.
        """
        await self._cdp.send("HeadlessExperimental.beginFrame")

    @contextmanager
    def running(self) -> Iterator[None]:
        """Draw frames during the block, like a page that draws on its own."""
        self._is_running = True
        self._schedule()
        try:
            yield
        finally:
            self._is_running = False
            self._schedule()

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """Draw frames with shorter pauses during the block."""
        self._pause = SCREENSHOT_PAUSE_SECONDS
        self._schedule()
        try:
            yield
        finally:
            self._pause = PAUSE_SECONDS
            self._schedule()

    def _schedule(self) -> None:
        """Set the timer of the next frame, unless one is being drawn."""
        if self._timer:
            self._timer.cancel()
        self._timer = None
        if self._is_running and not self._frame:
            self._timer = asyncio.get_running_loop().call_later(self._pause, self._start)

    def _start(self) -> None:
        self._frame = asyncio.ensure_future(self._draw_and_schedule())

    async def _draw_and_schedule(self) -> None:
        with suppress(ProtocolError):  # the render gets the error too
            await self.draw()
        self._frame = None
        self._schedule()


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
        text = HARMLESS_META.sub("", html.lower())
        self._must_reload = any(pattern.search(text) for pattern in PERSISTENT_STATE)
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

        self._cdp.on("Fetch.requestPaused", on_paused)
        try:
            await self._cdp.send("Fetch.enable", {"patterns": [{"urlPattern": DOCUMENT_URL}]})
            self._loaded.clear()
            await asyncio.gather(self._cdp.send("Page.navigate", {"url": DOCUMENT_URL}), self._fulfill(paused))
        finally:
            self._cdp.remove_listener("Fetch.requestPaused", on_paused)
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
        """Start to track a page, whose scripts may run. `Page` and `Network` are enabled in its session."""
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
            while self._pending:
                self._changed.clear()
                await self._changed.wait()
            await self._force_layout()

    async def _force_layout(self) -> None:
        # The layout requests fonts, which Chromium starts to load in its next task. They are ready after that.
        if self._scripts:
            await self._cdp.send("Runtime.evaluate", {"expression": FORCE_LAYOUT})
        expression = FONTS_READY if self._scripts else LAYOUT_AND_FONTS
        await self._cdp.send("Runtime.evaluate", {"expression": expression, "awaitPromise": True})

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


TRANSPARENT = {"r": 0, "g": 0, "b": 0, "a": 0}


@dataclass(frozen=True)
class View:
    """Viewport and emulated media of a page."""

    width: int
    height: int
    scripts: bool = False
    """Whether the page's JavaScript runs."""
    device_scale_factor: int = 1
    """Image pixels per CSS pixel."""
    color_scheme: Literal["light", "dark"] = "light"
    """Value of the media feature `prefers-color-scheme`."""
    media: Literal["screen", "print"] = "screen"
    """Media type of the style sheets that apply."""
    transparent: bool = False
    """Whether the default background is transparent instead of white."""


@dataclass
class Tab:
    """A page in its own browser context, empty when a render takes it."""

    cdp: Session
    """Chrome DevTools Protocol session of the page."""
    close: Callable[[], Awaitable[None]]
    """Closes the page together with its context."""
    blank: Document | None = None
    """The document to write HTML into; None for a page that runs scripts."""
    frames: Frames | None = None
    """Draws the frames of the page; None for a page that draws on its own."""
    view: View = View(0, 0)
    """The current viewport and emulated media."""
    crashed: bool = False
    """Whether the page's process has crashed. A crashed page no longer responds."""
    lease: Lease = field(init=False)
    """The network access of the current render, and its counters."""

    def __post_init__(self) -> None:
        self.cdp.on(TARGET_CRASHED, self._on_crash)

    def _on_crash(self, _: object) -> None:
        self.crashed = True

    @property
    def document(self) -> Document:
        """The document to write HTML into.

        Raises:
            ValueError: The page runs scripts. Such a page can only navigate to a URL.
        """
        if self.blank is None:
            raise ValueError("A page with scripts has no document to write; navigate to a URL.")
        return self.blank

    async def resize(self, height: int) -> None:
        """Change the height of the viewport."""
        await self.apply(replace(self.view, height=height))

    async def apply(self, view: View) -> None:
        """Set the viewport and the emulated media."""
        if self.view == view:
            return
        self.view = view
        size = {"width": view.width, "height": view.height, "deviceScaleFactor": view.device_scale_factor}
        screen = {"screenWidth": view.width, "screenHeight": view.height, "mobile": False}
        features = [{"name": "prefers-color-scheme", "value": view.color_scheme}]
        await asyncio.gather(
            self.cdp.send("Emulation.setDeviceMetricsOverride", {**size, **screen}),
            self.cdp.send("Emulation.setEmulatedMedia", {"media": view.media, "features": features}),
        )
        if view.transparent:
            await self.cdp.send("Emulation.setDefaultBackgroundColorOverride", {"color": TRANSPARENT})


class BrowserClient(ABC):
    """Opens pages in a Chromium."""

    session: Session
    """Session of the browser itself."""
    pid: int = 0
    """Process ID of Chromium's main process, which leads its own process group; 0 for a remote Chromium."""
    driver_pid: int | None = None
    """Process ID of the driver; None for a Chromium without one."""

    @property
    @abstractmethod
    def is_connected(self) -> bool:
        """Whether Chromium can receive commands."""

    @abstractmethod
    async def open_page(self, proxy: str, *, scripts: bool) -> Tab:
        """Open a page in a new browser context whose only network access is a proxy.

        The context grants no permissions, accepts no downloads, opens no windows and blocks service workers. Dialogs
        are dismissed. URL schemes need no check here: from about:blank and http(s), Chromium loads neither `file:` nor
        `chrome:` URLs, and all other schemes use the proxy or stay inside the page.

        Raises:
            ProtocolError: Chromium exited.
        """

    @property
    @abstractmethod
    def closing_steps(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """What to call, in this order, to stop Chromium and to release the connection.

        A step may raise `ProtocolError`.
        """
