"""One render's page: its own context, its own way to the network, nothing kept afterwards."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Browser, CDPSession, Error, Page, ProxySettings

from mediakit.engines.network import Lease


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


@dataclass(frozen=True)
class Opened:
    """An empty page in a context of its own."""

    page: Page
    cdp: CDPSession
    """Chrome DevTools Protocol session of the page."""
    scripts: bool


@dataclass(frozen=True)
class Tab:
    """A fresh page for one render."""

    page: Page
    cdp: CDPSession
    """Chrome DevTools Protocol session of the page."""
    lease: Lease
    """What the page has asked of the network."""
    view: View


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
        return Opened(page, await context.new_cdp_session(page), scripts)
    except BaseException:
        await context.close()
        raise


async def dress(opened: Opened, view: View) -> None:
    """Show a page as the view says."""
    size = {"width": view.width, "height": view.height, "deviceScaleFactor": view.device_scale_factor, "mobile": False}
    screen = {"screenWidth": view.width, "screenHeight": view.height}
    features = [{"name": "prefers-color-scheme", "value": view.color_scheme}]
    await asyncio.gather(
        opened.cdp.send("Emulation.setDeviceMetricsOverride", {**size, **screen}),
        opened.cdp.send("Emulation.setEmulatedMedia", {"media": "", "features": features}),
    )


async def empty(opened: Opened) -> None:
    """Make a page that ran no script and asked for nothing as it was when it was opened."""
    await asyncio.gather(
        opened.cdp.send("Page.navigate", {"url": "about:blank"}),
        opened.cdp.send("Emulation.setDefaultBackgroundColorOverride"),
    )
    await opened.cdp.send("Page.resetNavigationHistory")


async def _close(popup: Page) -> None:
    with suppress(Error):  # it may be gone already, and the browser with it
        await popup.close()
