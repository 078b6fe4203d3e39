"""One render's page: its own context, its own way to the network, nothing kept afterwards."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Browser, CDPSession, Error, Page, ProxySettings

from mediakit.engines.browser.document import Document
from mediakit.engines.network import Lease

CLEAR = {"r": 0, "g": 0, "b": 0, "a": 0}


@dataclass(frozen=True)
class View:
    """How a page is seen."""

    width: int
    height: int
    scripts: bool = False
    """Whether the page's JavaScript runs."""
    device_scale_factor: int = 1
    """Pixels for each CSS pixel."""
    color_scheme: Literal["light", "dark"] = "light"
    """What the page is told that its reader prefers."""
    media: Literal["screen", "print"] = "screen"
    """Which style sheets hold."""
    transparent: bool = False
    """Whether the page has no colour of its own where it sets none; white otherwise."""


@dataclass
class Opened:
    """An empty page in a context of its own."""

    page: Page
    cdp: CDPSession
    """Chrome DevTools Protocol session of the page."""
    document: Document | None
    """What HTML of our own is written into; None in a page whose scripts run."""
    view: View | None = None
    """How it was seen last."""
    crashed: bool = False
    """Whether its process has ended, after which it answers nothing."""

    def crash(self, _: object) -> None:
        """Take note that it has crashed."""
        self.crashed = True


@dataclass(frozen=True)
class Tab:
    """A fresh page for one render."""

    page: Page
    cdp: CDPSession
    """Chrome DevTools Protocol session of the page."""
    lease: Lease
    """What the page has asked of the network."""
    view: View
    written: Document | None = None
    """See `document`."""

    @property
    def document(self) -> Document:
        """What HTML of our own is written into.

        Raises:
            ValueError: The page's scripts run.
        """
        if self.written is None:
            raise ValueError("A page with scripts loads an address.")
        return self.written


async def open_page(browser: Browser, proxy: str, *, scripts: bool) -> Opened:
    """Open a page in a context of its own, whose only way out is a proxy.

    No permission is granted, nothing is downloaded, no window opens, no service worker outlives the page; Playwright
    dismisses dialogs. Schemes need no check here:
    from about:blank and http(s) Chromium loads neither `file:` nor `chrome:`, and all the others go through the proxy
    or stay inside the page. (A Playwright route for them would cost 0.8 ms a request, and miss redirects.)
    """
    context = await browser.new_context(
        # How it is seen, our own session says: a picture is taken with what that says, not Playwright's.
        no_viewport=True,
        color_scheme="null",
        java_script_enabled=scripts,
        service_workers="block",
        accept_downloads=False,
        proxy=ProxySettings(server=proxy, bypass="<-loopback>"),
    )
    try:
        page = await context.new_page()
        page.on("popup", _close)
        cdp = await context.new_cdp_session(page)
        opened = Opened(page, cdp, None if scripts else await Document.in_page(cdp))
        page.on("crash", opened.crash)
    except BaseException:
        await context.close()
        raise
    return opened


async def dress(opened: Opened, view: View) -> None:
    """Show a page as the view says."""
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
        await opened.cdp.send("Emulation.setDefaultBackgroundColorOverride", {"color": CLEAR})


async def _close(popup: Page) -> None:
    with suppress(Error):  # it may be gone already, and the browser with it
        await popup.close()
