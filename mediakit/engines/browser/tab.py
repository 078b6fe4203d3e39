"""One render's page: its own context, its own way to the network, nothing kept afterwards."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Browser, CDPSession, Error, Page, ProxySettings, ViewportSize

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
class Tab:
    """A fresh page for one render."""

    page: Page
    cdp: CDPSession
    """Chrome DevTools Protocol session of the page."""
    lease: Lease
    """What the page has asked of the network."""
    view: View


async def open_tab(browser: Browser, view: View, lease: Lease) -> Tab:
    """Open a page in a context of its own, whose only way out is `lease`.

    No permission is granted, nothing is downloaded, no window opens, no service worker outlives the page; Playwright
    dismisses dialogs. Schemes need no check here:
    from about:blank and http(s) Chromium loads neither `file:` nor `chrome:`, and all the others go through the proxy
    or stay inside the page. (A Playwright route for them would cost 0.8 ms a request, and miss redirects.)
    """
    context = await browser.new_context(
        viewport=ViewportSize(width=view.width, height=view.height),
        device_scale_factor=view.device_scale_factor,
        color_scheme=view.color_scheme,
        java_script_enabled=view.scripts,
        service_workers="block",
        accept_downloads=False,
        proxy=ProxySettings(server=lease.url, bypass="<-loopback>"),
    )
    try:
        page = await context.new_page()
        page.on("popup", _close)
        return await _sharpened(Tab(page, await context.new_cdp_session(page), lease, view))
    except BaseException:
        await context.close()
        raise


async def _sharpened(tab: Tab) -> Tab:
    """Tell our session of the screen: a picture is taken with what its own session says, not Playwright's."""
    scale = tab.view.device_scale_factor
    if scale != 1:
        size = {"width": tab.view.width, "height": tab.view.height, "mobile": False}
        await tab.cdp.send("Emulation.setDeviceMetricsOverride", {**size, "deviceScaleFactor": scale})
    return tab


async def _close(popup: Page) -> None:
    with suppress(Error):  # it may be gone already, and the browser with it
        await popup.close()
