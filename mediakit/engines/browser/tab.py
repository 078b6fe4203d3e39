"""The page of one render: its own browser context, its own network access, and no state that outlives it."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from playwright.async_api import Browser, CDPSession, Error, Page, ProxySettings

from mediakit.engines.browser.document import Document
from mediakit.engines.network import Lease

REQUEST_EVENTS: tuple[Any, ...] = ("request", "requestfinished", "requestfailed")
"""Playwright's events of the requests of a page."""

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

    page: Page
    cdp: CDPSession
    """Chrome DevTools Protocol session of the page."""
    document: Document | None
    """The document to write HTML into; None for a page that runs scripts."""
    view: View | None = None
    """The view that was applied last."""
    crashed: bool = False
    """Whether the page's process has crashed. A crashed page no longer responds."""

    def on_crash(self, _: object) -> None:
        """Handle Playwright's `crash` event."""
        self.crashed = True


@dataclass(frozen=True)
class Tab:
    """The page that a render works with."""

    page: Page
    cdp: CDPSession
    """Chrome DevTools Protocol session of the page."""
    lease: Lease
    """The page's network access and its counters."""
    view: View
    optional_document: Document | None = None
    """See `document`."""

    @property
    def document(self) -> Document:
        """The document to write HTML into.

        Raises:
            ValueError: The page runs scripts. Such a page can only navigate to a URL.
        """
        if self.optional_document is None:
            raise ValueError("A page with scripts has no document to write; navigate to a URL.")
        return self.optional_document


async def open_page(browser: Browser, proxy: str, *, scripts: bool) -> OpenPage:
    """Open a page in a new browser context whose only network access is a proxy.

    The context grants no permissions, accepts no downloads, opens no windows and blocks service workers. Playwright
    dismisses dialogs. URL schemes need no check here: from about:blank and http(s), Chromium loads neither `file:` nor
    `chrome:` URLs, and all other schemes use the proxy or stay inside the page. (A Playwright route that checks
    schemes would take 0.8 ms per request and would miss redirects.)
    """
    context = await browser.new_context(
        # The view is set through the page's own session, because screenshots use the values of that session.
        no_viewport=True,
        color_scheme="null",
        java_script_enabled=scripts,
        service_workers="block",
        accept_downloads=False,
        proxy=ProxySettings(server=proxy, bypass="<-loopback>"),
    )
    try:
        page = await context.new_page()
        page.on("popup", _close_popup)
        cdp = await context.new_cdp_session(page)
        opened = OpenPage(page, cdp, None if scripts else await Document.in_page(cdp))
        page.on("crash", opened.on_crash)
        for event in REQUEST_EVENTS:
            page.on(event, _keep_subscribed)
    except BaseException:
        await context.close()
        raise
    return opened


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


def _keep_subscribed(_: object) -> None:
    """Do nothing. With this listener, the listeners of each render come and go without messages to the driver."""


async def _close_popup(popup: Page) -> None:
    with suppress(Error):  # the popup or the browser may be closed already
        await popup.close()
