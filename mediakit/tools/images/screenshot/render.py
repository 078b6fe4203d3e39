"""A page of the web to a picture."""

import asyncio
from typing import Literal

from mediakit.engines.browser import Tab, View, shared
from mediakit.engines.browser.area import viewport, whole_page
from mediakit.engines.browser.browser import Browser
from mediakit.engines.browser.capture import Shot, capture, framed
from mediakit.engines.browser.scroll import scroll_through
from mediakit.engines.capture_options import Look
from mediakit.engines.web import ELEMENT_SECONDS, LOAD_SECONDS, RESOURCE_SECONDS, Visit, in_time, leaving
from mediakit.errors import PageUnavailable

DRAWING_SECONDS = 30.0
"""How long a page may take to be scrolled through and drawn, once it has loaded."""

SPARE_SECONDS = 5.0
"""For opening the tab."""


async def picture(
    url: str,
    *,
    width: int,
    height: int,
    format: Literal["png", "jpeg"] = "png",  # noqa: A002  # the field's name
    quality: int = 90,
    full_page: bool = False,
    wait_ms: int = 0,
    wait_for: str | None = None,
    look: Look,
    load_seconds: float = LOAD_SECONDS,
    element_seconds: float = ELEMENT_SECONDS,
    drawing_seconds: float = DRAWING_SECONDS,
    browser: Browser | None = None,
) -> Shot:
    """Open a page with its scripts on and take its picture.

    Args:
        url: Address of the page.
        width: Of the viewport, in CSS pixels.
        height: Of the viewport, in CSS pixels.
        format: File format.
        quality: 1 to 100, for jpeg.
        full_page: Scroll through the page, and take its whole height.
        wait_ms: Extra wait before the picture, in milliseconds.
        wait_for: CSS selector of an element that must be there first.
        look: What of the page is pictured, and on what screen.
        load_seconds: How long the page may take until its load event.
        element_seconds: How long the element of `wait_for` is waited for.
        drawing_seconds: How long it may take afterwards, without the waits.
        browser: What renders; the process's own when left out.

    Raises:
        InvalidInput: The whole page is higher than the format can hold, or a selector is wrong or matches nothing.
        PageUnavailable: The page may not or could not be loaded, is an error, takes too long, or too much memory.
        ServerBusy: Too many renders wait already.
        RenderFailed: Chromium did not do what it always can.
        BrowserMissing: No Chromium works here.
    """

    async def draw(tab: Tab) -> Shot:
        visit = Visit(tab)
        await visit.open(url, seconds=load_seconds)
        if wait_for:
            await visit.wait_for(wait_for, seconds=element_seconds)
        await asyncio.sleep(wait_ms / 1000)
        async with in_time(drawing_seconds):
            if full_page:
                with leaving():
                    await scroll_through(tab)
                await visit.settle()
            await visit.judge()
            area = await framed(tab, await (whole_page if full_page else viewport)(tab), look)
            return await capture(tab, area, image_format=format, quality=quality)

    view = View(
        width,
        height,
        scripts=True,
        device_scale_factor=look.device_scale_factor,
        color_scheme=look.color_scheme,
        transparent=look.transparent and format != "jpeg",
    )
    waits = wait_ms / 1000 + (element_seconds if wait_for else 0) + RESOURCE_SECONDS
    seconds = load_seconds + waits + drawing_seconds + SPARE_SECONDS
    return await (browser or shared()).render(draw, view, seconds=seconds, blame=PageUnavailable)
