"""HTML to a picture or a PDF: the page is drawn as it is written, and its scripts never run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mediakit.engines.browser import Tab, View, shared
from mediakit.engines.browser.area import Area, whole_page
from mediakit.engines.browser.browser import Browser
from mediakit.engines.browser.capture import Format, Shot, capture, framed
from mediakit.engines.browser.printing import Printed, Printing, print_page, viewport
from mediakit.engines.browser.resources import Resources
from mediakit.engines.capture_options import Look
from mediakit.errors import ResourcesTimeout

__all__ = ["Format", "Printed", "Printing", "Shot", "document", "load", "picture"]

RESOURCE_SECONDS = 20.0
"""How long images, fonts and stylesheets may take to load."""

PAPER_SECONDS = 2.0
"""How long those may take at least that only the sheet's own boxes show, and so are asked for last."""

DRAWING_SECONDS = 15.0
"""How long a page may take beyond its resources and its wait."""

PLAIN = Look()


async def picture(
    html: str,
    *,
    width: int,
    height: int,
    format: Format = "png",  # noqa: A002  # the field's name
    quality: int = 90,
    full_page: bool = False,
    wait_ms: int = 0,
    look: Look = PLAIN,
    resource_seconds: float = RESOURCE_SECONDS,
    browser: Browser | None = None,
) -> Shot:
    """Draw HTML with its inline CSS, web fonts and remote images.

    Args:
        html: A whole page, or a part of one.
        width: Of the picture, in pixels.
        height: Of the picture, in pixels; the least of it when `full_page`.
        format: File format.
        quality: 1 to 100, for jpeg and webp.
        full_page: Take the whole height of the content.
        wait_ms: Extra wait before the picture, in milliseconds.
        look: What of the page is pictured, and on what screen.
        resource_seconds: How long images, fonts and stylesheets may take to load.
        browser: What renders; the process's own when left out.

    Raises:
        InvalidInput: The whole page is higher than the format can hold, or has no element that `look` selects.
        ResourcesTimeout: An image, a font or a stylesheet did not finish loading in time.
        ServerBusy: Too many renders wait already.
        RenderFailed: The browser could not finish the picture.
        BrowserMissing: No Chromium works here.
    """

    async def draw(tab: Tab) -> Shot:
        with Resources(tab.page, tab.cdp) as resources:
            await load(tab, html, resources, resource_seconds)
        await asyncio.sleep(wait_ms / 1000)
        area = await whole_page(tab) if full_page else Area(0, 0, width, height)
        area = await framed(tab, area, look)
        return await capture(tab, area, image_format=format, quality=quality)

    seconds = resource_seconds + wait_ms / 1000 + DRAWING_SECONDS
    view = View(
        width,
        height,
        device_scale_factor=look.device_scale_factor,
        color_scheme=look.color_scheme,
        transparent=look.transparent and format != "jpeg",
    )
    return await (browser or shared()).render(draw, view, seconds=seconds)


async def document(
    html: str,
    printing: Printing,
    *,
    resource_seconds: float = RESOURCE_SECONDS,
    browser: Browser | None = None,
) -> Printed:
    """Print HTML with its inline CSS, web fonts and remote images.

    Args:
        html: A whole page, or a part of one.
        printing: The sheet and what goes on it.
        resource_seconds: How long images, fonts and stylesheets may take to load.
        browser: What renders; the process's own when left out.

    Raises:
        InvalidInput: The page ranges lie past the last page, or the header or the footer cannot be printed.
        ResourcesTimeout: An image, a font or a stylesheet did not finish loading in time.
        ServerBusy: Too many renders wait already.
        RenderFailed: The browser could not finish the document.
        BrowserMissing: No Chromium works here.
    """

    async def draw(tab: Tab) -> Printed:
        clock = asyncio.get_running_loop().time
        until = clock() + resource_seconds
        with Resources(tab.page, tab.cdp) as resources:
            await load(tab, html, resources, resource_seconds)
            printed = await print_page(tab, printing)
            if not resources.hosts:
                return printed
            # What `@page` shows is asked for only now, and Chromium prints without it after 2 seconds.
            async with _finishing(resources, resource_seconds, max(until, clock() + PAPER_SECONDS)):
                await resources.loaded()
            return await print_page(tab, printing)

    view = View(*viewport(printing), media="print")  # what only paper shows has to load, too
    return await (browser or shared()).render(draw, view, seconds=resource_seconds + DRAWING_SECONDS)


async def load(tab: Tab, html: str, resources: Resources, seconds: float = RESOURCE_SECONDS) -> None:
    """Put HTML into a page and wait for all that it links.

    Raises:
        ResourcesTimeout: An image, a font or a stylesheet did not finish loading in time.
    """
    async with _finishing(resources, seconds, asyncio.get_running_loop().time() + seconds):
        await tab.document.write(html.encode(errors="replace").decode())
        await resources.loaded()


@asynccontextmanager
async def _finishing(resources: Resources, seconds: float, until: float) -> AsyncIterator[None]:
    """Give the block until then, by the loop's clock.

    Raises:
        ResourcesTimeout: Some did not finish.
    """
    try:
        async with asyncio.timeout_at(until) as limit:
            yield
    except TimeoutError:
        if not limit.expired():
            raise
        # A frame from elsewhere that never ends is no reason to fail.
        if hosts := resources.hosts:
            raise ResourcesTimeout(f"Some resources did not load within {seconds:g} seconds.", hosts=hosts) from None
