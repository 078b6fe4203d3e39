"""HTML to a picture or a PDF: the page is drawn as it is written, and its scripts never run."""

import asyncio

from mediakit.core.look import Look
from mediakit.engines.browser import Tab, View, shared
from mediakit.engines.browser.area import Area, whole_page
from mediakit.engines.browser.browser import Browser
from mediakit.engines.browser.capture import Format, Shot, capture, framed
from mediakit.engines.browser.printing import Printed, Printing, print_page, viewport
from mediakit.engines.browser.resources import Resources
from mediakit.errors import ResourcesTimeout

__all__ = ["Format", "Printed", "Printing", "Shot", "document", "load", "picture"]

RESOURCE_SECONDS = 20.0
"""How long images, fonts and stylesheets may take to load."""

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
        await load(tab, html, resource_seconds=resource_seconds)
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
        # Before the page loads: what only paper shows has to load, too. (Playwright's own way ends at a navigation.)
        await tab.cdp.send("Emulation.setEmulatedMedia", {"media": "print"})
        await load(tab, html, resource_seconds=resource_seconds)
        return await print_page(tab, printing)

    view = View(*viewport(printing))
    return await (browser or shared()).render(draw, view, seconds=resource_seconds + DRAWING_SECONDS)


async def load(tab: Tab, html: str, *, resource_seconds: float = RESOURCE_SECONDS) -> None:
    """Put HTML into a page and wait for all that it links.

    Raises:
        ResourcesTimeout: An image, a font or a stylesheet did not finish loading in time.
    """
    resources = Resources(tab.page)
    try:
        async with asyncio.timeout(resource_seconds) as limit:
            await tab.document.write(html.encode(errors="replace").decode())
            await resources.loaded()
    except TimeoutError:
        if not limit.expired():
            raise
        # A frame from elsewhere that never ends is no reason to fail.
        if hosts := resources.hosts:
            raise ResourcesTimeout(
                f"Some resources did not load within {resource_seconds:g} seconds.", hosts=hosts
            ) from None
    finally:
        resources.forget()
