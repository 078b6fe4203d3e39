"""Render HTML to an image or a PDF. Scripts do not run."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from mediakit.engines.browser import Tab, View, shared
from mediakit.engines.browser.at_rest import (
    INNER_SCROLL_WARNING,
    MAY_CHANGE,
    MAY_DEPEND_ON_VIEWPORT,
    PageAtRest,
)
from mediakit.engines.browser.page import Resources
from mediakit.engines.browser.pool import CRASHED_TWICE, Browser
from mediakit.engines.browser.printing import (
    RELATIVE_WIDTH,
    PrintedPdf,
    PrintOptions,
    print_page,
    printing_error,
    viewport_size,
    width_warnings,
)
from mediakit.engines.browser.screenshots import Area, Format, Screenshot, capture, encode, full_page_area, select_area
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import InvalidInput, ResourcesTimeout
from mediakit.results.item import ResultWarning

__all__ = ["Format", "PrintOptions", "PrintedPdf", "Screenshot", "load_html", "render_image", "render_pdf"]

RESOURCE_TIMEOUT_SECONDS = 20.0
"""Time limit for loading images, fonts and style sheets."""

PAGE_BOX_TIMEOUT_SECONDS = 2.0
"""Minimum time limit for resources of `@page` boxes, which load last."""

RENDER_TIMEOUT_SECONDS = 15.0
"""Time limit for rendering, without the time for resources and `wait_ms`."""

DEFAULT_OPTIONS = CaptureOptions()


async def render_image(
    html: str,
    *,
    width: int,
    height: int,
    format: Format = "png",  # noqa: A002  # the field's name
    quality: int = 90,
    full_page: bool = False,
    wait_ms: int = 0,
    options: CaptureOptions = DEFAULT_OPTIONS,
    layout_script: str = "",
    resource_seconds: float = RESOURCE_TIMEOUT_SECONDS,
    browser: Browser | None = None,
) -> Screenshot:
    """Render a document or fragment with its inline CSS, web fonts and remote images to an image.

    The viewport is in CSS pixels; with `full_page`, the image is as high as the content if that is higher. The quality
    of JPEG and WebP is from 1 to 100, and the extra wait before the screenshot in milliseconds. `layout_script` is a
    JavaScript expression of mediakit, never of a caller, that is evaluated once the page is loaded; the image has its
    value. Scripts of the page do not run nevertheless. `resource_seconds` limits the time for images, fonts and style
    sheets. The browser is the shared one by default.

    Raises:
        InvalidInput: The page is too high for the format, took too long, used too much memory or crashed the browser,
            or no element matches the selector.
        ResourcesTimeout: An image, a font or a style sheet did not finish loading in time.
        ServerBusy: All render slots are taken and the queue is full.
        RenderFailed: The browser could not render the page.
        BrowserMissing: No working Chromium was found.
    """

    async def work(tab: Tab) -> Screenshot:
        warnings: list[ResultWarning] = []
        with Resources(tab.cdp) as resources:
            await load_html(tab, html, resources, resource_seconds)
            layout = await tab.cdp.evaluate(layout_script) if layout_script else None
            at_rest = PageAtRest(tab, wait_ms=wait_ms, beyond_viewport=beyond_viewport)
            depends_on_viewport = beyond_viewport and MAY_DEPEND_ON_VIEWPORT.search(html)
            if full_page and depends_on_viewport and not await at_rest.expand_scrollers():
                warnings.append(INNER_SCROLL_WARNING)
            if MAY_CHANGE.search(html) and await at_rest.finish():
                await resources.loaded()
            if depends_on_viewport:
                await at_rest.extend_backgrounds()
        await asyncio.sleep(wait_ms / 1000)
        area = await full_page_area(tab) if full_page else Area(0, 0, width, height)
        area = await select_area(tab, area, options)
        image = await capture(tab, area, image_format=format, quality=quality)
        return replace(image, layout=layout, warnings=tuple(warnings))

    beyond_viewport = full_page or options.selector is not None

    seconds = resource_seconds + wait_ms / 1000 + RENDER_TIMEOUT_SECONDS
    view = View(
        width,
        height,
        device_scale_factor=options.device_scale_factor,
        color_scheme=options.color_scheme,
        transparent=options.transparent and format != "jpeg",
    )
    finish = partial(encode, image_format=format, quality=quality)
    return await (browser or shared()).render(work, view, seconds=seconds, page_error=_page_error, finish=finish)


async def render_pdf(
    html: str,
    options: PrintOptions,
    *,
    layout_script: str = "",
    resource_seconds: float = RESOURCE_TIMEOUT_SECONDS,
    browser: Browser | None = None,
) -> PrintedPdf:
    """Render HTML with its inline CSS, web fonts and remote images to a PDF; the parameters are as in `render_image`.

    Raises:
        InvalidInput: The page ranges start past the last page, the page took too long, used too much memory or crashed
            the browser, or Chromium cannot print it.
        ResourcesTimeout: An image, a font or a style sheet did not finish loading in time.
        ServerBusy: All render slots are taken and the queue is full.
        RenderFailed: The browser could not render the document.
        BrowserMissing: No working Chromium was found.
    """
    is_printing = False

    async def work(tab: Tab) -> PrintedPdf:
        nonlocal is_printing
        is_printing = False
        clock = asyncio.get_running_loop().time
        deadline = clock() + resource_seconds
        with Resources(tab.cdp) as resources:
            await load_html(tab, html, resources, resource_seconds)
            layout = await tab.cdp.evaluate(layout_script) if layout_script else None
            if MAY_CHANGE.search(html) and await PageAtRest(tab, beyond_viewport=True).finish():
                await resources.loaded()
            # `@page` rules set a width of their own.
            warnings = width_warnings(await tab.cdp.evaluate(RELATIVE_WIDTH)) if "@page" not in html else ()
            is_printing = True
            printed = await print_page(tab, options)
            printed = replace(printed, layout=layout, warnings=(*printed.warnings, *warnings))
            if not resources.hosts:
                return printed
            # Printing requests the resources of `@page` boxes, and Chromium waits for them only 2 seconds.
            deadline = max(deadline, clock() + PAGE_BOX_TIMEOUT_SECONDS)
            async with _resource_deadline(resources, resource_seconds, deadline):
                await resources.loaded()
            again = await print_page(tab, options)
            return replace(again, layout=layout, warnings=(*again.warnings, *warnings))

    def page_error(reason: str) -> InvalidInput:
        # A header that loads other resources crashes the process of the page when it is printed.
        is_header = is_printing and bool(options.header or options.footer) and reason == CRASHED_TWICE
        return printing_error(options) if is_header else _page_error(reason)

    view = View(*viewport_size(options), media="print")  # resources of `@media print` must load too
    seconds = resource_seconds + RENDER_TIMEOUT_SECONDS
    return await (browser or shared()).render(work, view, seconds=seconds, page_error=page_error)


async def load_html(tab: Tab, html: str, resources: Resources, seconds: float = RESOURCE_TIMEOUT_SECONDS) -> None:
    """Write HTML into a page and wait for its resources.

    Raises:
        ResourcesTimeout: An image, a font or a style sheet did not finish loading in time.
    """
    async with _resource_deadline(resources, seconds, asyncio.get_running_loop().time() + seconds):
        await tab.document.write(html.encode(errors="replace").decode())
        await resources.loaded()


def _page_error(reason: str) -> InvalidInput:
    return InvalidInput(
        f"html: {reason[:1].lower()}{reason[1:]} Make it shorter, or divide long lists and texts into sections."
    )


@asynccontextmanager
async def _resource_deadline(resources: Resources, seconds: float, deadline: float) -> AsyncIterator[None]:
    """Cancel the block at a deadline, by the clock of the event loop.

    Raises:
        ResourcesTimeout: Some resources did not finish loading. The message names the limit of `seconds`.
    """
    try:
        async with asyncio.timeout_at(deadline) as timeout:
            yield
    except TimeoutError:
        if not timeout.expired():
            raise
        # Without pending resources, a frame of another site is still loading, which is not an error.
        if hosts := resources.hosts:
            raise ResourcesTimeout(f"Some resources did not load within {seconds:g} seconds.", hosts=hosts) from None
