"""The page of one render: its own browser context, its own network access, and no state that outlives it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
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


@dataclass
class Tab:
    """The page that a render works with."""

    page: OpenPage
    lease: Lease
    """The page's network access and its counters."""
    view: View
    """The current viewport and emulated media."""

    @property
    def cdp(self) -> Session:
        """Chrome DevTools Protocol session of the page."""
        return self.page.cdp

    @property
    def document(self) -> Document:
        """The document to write HTML into.

        Raises:
            ValueError: The page runs scripts. Such a page can only navigate to a URL.
        """
        if self.page.document is None:
            raise ValueError("A page with scripts has no document to write; navigate to a URL.")
        return self.page.document

    async def resize(self, height: int) -> None:
        """Change the height of the viewport."""
        self.view = replace(self.view, height=height)
        await apply_view(self.page, self.view)


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
