"""`screenshot`: take the picture of a page on the web."""

import asyncio
from dataclasses import KW_ONLY
from typing import Annotated, Literal

from pydantic import Field

from mediakit.core.fields import CssSelector, PublicUrl, Quality, WaitMs
from mediakit.core.media import image_type
from mediakit.core.request import request
from mediakit.core.tool import Example, tool
from mediakit.engines.capture_options import Look
from mediakit.errors import PageUnavailable
from mediakit.results.image import ImageResult

HEIGHT = 800


@request
class ScreenshotRequest(Look):
    """A page on the web, and the picture to take of it."""

    url: PublicUrl
    """Address of a page that anyone on the internet can open; http or https."""
    _: KW_ONLY
    width: Annotated[int, Field(ge=100, le=3840)] = 1280
    """Width of the viewport and the picture, in CSS pixels."""
    height: Annotated[int, Field(ge=100, le=2160)] = HEIGHT
    """Height of the viewport and the picture, in CSS pixels; ignored with `full_page`."""
    format: Literal["png", "jpeg"] = "png"
    """File format."""
    quality: Quality = 90
    """Quality of jpeg; higher is better and larger."""
    full_page: bool = False
    """Scroll through the page, so that everything loads, and picture its whole height."""
    wait_ms: WaitMs = 0
    """Milliseconds to wait, after the page has loaded, before the picture is taken."""
    wait_for: CssSelector | None = None
    """CSS selector of an element to wait for, at most 10 seconds, before the picture is taken."""


@tool(
    ScreenshotRequest,
    tag="Images",
    raw={"text/plain": "url"},
    needs_browser=True,
    pixel_ratio=lambda request: request.device_scale_factor,
    produces=("image/png", "image/jpeg"),
    errors=[PageUnavailable],
    alt=lambda request: f"Screenshot of {request.url}",
    examples=[
        Example("A page as a visitor sees it", {"url": "https://example.com"}),
        Example(
            "The whole page, sharp, in dark colours",
            {
                "url": "https://example.com",
                "width": 640,
                "full_page": True,
                "device_scale_factor": 2,
                "color_scheme": "dark",
                "format": "jpeg",
            },
        ),
    ],
)
async def screenshot(request: ScreenshotRequest) -> ImageResult:
    """Take the picture of a web page.

    Scripts run, and pages load from public addresses only. `meta.blank` says whether the picture is one colour all
    over, as that of a page is that shows nothing.

    Raises:
        InvalidInput: A selector is wrong or matches nothing, or the whole page is too high for the format.
        PageUnavailable: The page may not or could not be loaded, or answered with an error.
        ServerBusy: Every render slot is taken and the queue is full.
        BrowserMissing: No Chromium works here.
    """
    from mediakit.engines.browser.blank import is_blank
    from mediakit.tools.images.screenshot.render import picture

    shot = await picture(
        request.url,
        width=request.width,
        height=HEIGHT if request.full_page else request.height,
        format=request.format,
        quality=request.quality,
        full_page=request.full_page,
        wait_ms=request.wait_ms,
        wait_for=request.wait_for,
        look=request,
    )
    blank = await asyncio.to_thread(is_blank, shot.content, request.format)
    meta = {"width": shot.width, "height": shot.height, "blank": blank}
    return ImageResult(shot.content, image_type(request.format), meta)
