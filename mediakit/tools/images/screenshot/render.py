"""Load a web page in the browser and capture it."""

import asyncio
from functools import partial
from typing import Literal

from mediakit.engines.browser import Tab, View, shared
from mediakit.engines.browser.area import full_page_area, viewport_area
from mediakit.engines.browser.browser import Browser
from mediakit.engines.browser.capture import Screenshot, capture, encode, select_area
from mediakit.engines.browser.scroll import scroll_through
from mediakit.engines.browser.web import (
    ELEMENT_TIMEOUT_SECONDS,
    LOAD_TIMEOUT_SECONDS,
    RESOURCE_TIMEOUT_SECONDS,
    Visit,
    ignore_navigation,
    page_timeout,
)
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import PageUnavailable

RENDER_TIMEOUT_SECONDS = 30.0
"""Time limit for scrolling and capturing, after the page has loaded."""

OPEN_TIMEOUT_SECONDS = 5.0
"""Allowance for opening the tab."""


async def render_screenshot(
    url: str,
    *,
    width: int,
    height: int,
    format: Literal["png", "jpeg"] = "png",  # noqa: A002  # the field's name
    quality: int = 90,
    full_page: bool = False,
    wait_ms: int = 0,
    wait_for: str | None = None,
    options: CaptureOptions,
    load_seconds: float = LOAD_TIMEOUT_SECONDS,
    element_seconds: float = ELEMENT_TIMEOUT_SECONDS,
    render_seconds: float = RENDER_TIMEOUT_SECONDS,
    browser: Browser | None = None,
) -> Screenshot:
    """Load a page with scripts on and take a screenshot.

    Args:
        url: URL of the page.
        width: Width of the viewport, in CSS pixels.
        height: Height of the viewport, in CSS pixels.
        format: File format.
        quality: 1 to 100, for jpeg.
        full_page: Scroll through the page and capture its full height.
        wait_ms: Extra wait after the page has loaded, in milliseconds.
        wait_for: CSS selector of an element to wait for.
        options: The part of the page to capture and the screen to emulate.
        load_seconds: Time limit for the load event of the page.
        element_seconds: Time limit for the element of `wait_for`.
        render_seconds: Time limit for scrolling and capturing.
        browser: The browser to use; the shared browser by default.

    Raises:
        InvalidInput: The page is too high for the format, or a selector is not valid or matches nothing.
        PageUnavailable: The page is not public, could not be loaded, responded with an error, took too long or used
            too much memory.
        ServerBusy: All render slots are taken and the queue is full.
        RenderFailed: Chromium failed in an unexpected way.
        BrowserMissing: No working Chromium was found.
    """

    async def work(tab: Tab) -> Screenshot:
        visit = Visit(tab)
        await visit.open(url, seconds=load_seconds)
        if wait_for:
            await visit.wait_for(wait_for, seconds=element_seconds)
        await asyncio.sleep(wait_ms / 1000)
        async with page_timeout(render_seconds):
            if full_page:
                with ignore_navigation():
                    await scroll_through(tab)
                await visit.settle()
            await visit.check()
            area = await select_area(tab, await (full_page_area if full_page else viewport_area)(tab), options)
            return await capture(tab, area, image_format=format, quality=quality)

    view = View(
        width,
        height,
        scripts=True,
        device_scale_factor=options.device_scale_factor,
        color_scheme=options.color_scheme,
        transparent=options.transparent and format != "jpeg",
    )
    waits = wait_ms / 1000 + (element_seconds if wait_for else 0) + RESOURCE_TIMEOUT_SECONDS
    seconds = load_seconds + waits + render_seconds + OPEN_TIMEOUT_SECONDS
    finish = partial(encode, image_format=format, quality=quality)
    return await (browser or shared()).render(work, view, seconds=seconds, page_error=PageUnavailable, finish=finish)
