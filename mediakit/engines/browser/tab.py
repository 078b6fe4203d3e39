"""The page of one render: its own browser context, its own network access, and no state that outlives it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from mediakit.engines.browser.document import Document
from mediakit.engines.browser.frames import Frames
from mediakit.engines.browser.protocol import TARGET_CRASHED, Session
from mediakit.engines.network import Lease

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
class OpenPage:
    """An empty page in its own browser context."""

    cdp: Session
    """Chrome DevTools Protocol session of the page."""
    close: Callable[[], Awaitable[None]]
    """Closes the page together with its context."""
    document: Document | None = None
    """The document to write HTML into; None for a page that runs scripts."""
    frames: Frames | None = None
    """Draws the frames of the page; None for a page that draws on its own."""
    view: View | None = None
    """The view that was applied last."""
    crashed: bool = False
    """Whether the page's process has crashed. A crashed page no longer responds."""

    def __post_init__(self) -> None:
        self.cdp.on(TARGET_CRASHED, self._on_crash)

    def _on_crash(self, _: object) -> None:
        self.crashed = True


@dataclass(frozen=True)
class Tab:
    """The page that a render works with."""

    cdp: Session
    """Chrome DevTools Protocol session of the page."""
    lease: Lease
    """The page's network access and its counters."""
    view: View
    optional_document: Document | None = None
    """See `document`."""
    frames: Frames | None = None
    """Draws the frames of the page; None for a page that draws on its own."""

    @property
    def document(self) -> Document:
        """The document to write HTML into.

        Raises:
            ValueError: The page runs scripts. Such a page can only navigate to a URL.
        """
        if self.optional_document is None:
            raise ValueError("A page with scripts has no document to write; navigate to a URL.")
        return self.optional_document


async def apply_view(opened: OpenPage, view: View) -> None:
    """Set the viewport and the emulated media of a page."""
    if opened.view == view:
        return
    opened.view = view
    size = {"width": view.width, "height": view.height, "deviceScaleFactor": view.device_scale_factor, "mobile": False}
    screen = {"screenWidth": view.width, "screenHeight": view.height}
    features = [{"name": "prefers-color-scheme", "value": view.color_scheme}]
    await asyncio.gather(
        opened.cdp.send("Emulation.setDeviceMetricsOverride", {**size, **screen}),
        opened.cdp.send("Emulation.setEmulatedMedia", {"media": view.media, "features": features}),
    )
    if view.transparent:
        await opened.cdp.send("Emulation.setDefaultBackgroundColorOverride", {"color": TRANSPARENT})
