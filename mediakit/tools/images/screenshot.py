"""The `screenshot` tool: take a screenshot of a web page."""

import asyncio
from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal

from pydantic import Field

from mediakit.core import meta_schemas
from mediakit.core.fields import CssSelector, PublicUrl, Quality, WaitMs
from mediakit.core.media import image_type
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import PageUnavailable
from mediakit.results.files import ImageResult

DEFAULT_HEIGHT = 800
"""Height of the viewport in CSS pixels, also for full pages."""


@request
class ScreenshotRequest(CaptureOptions):
    """A web page, and the options of its screenshot."""

    url: PublicUrl
    """URL of a public web page; http or https."""
    _: KW_ONLY
    width: Annotated[int, Field(ge=100, le=3840), Synonyms("size, w, viewport")] = 1280
    """Width of the viewport and the image, in CSS pixels."""
    height: Annotated[int, Field(ge=100, le=2160), Synonyms("size, h, viewport")] = DEFAULT_HEIGHT
    """Height of the viewport and the image, in CSS pixels. Ignored with `full_page`."""
    format: Annotated[Literal["png", "jpeg"], Synonyms("type, extension, output_format, image_format")] = "png"
    """File format."""
    quality: Quality = 90
    """JPEG quality. Higher values look better and make larger files."""
    full_page: Annotated[bool, Synonyms("full, fullpage, whole_page, full_height")] = False
    """Scroll through the page, so that lazy content loads, and capture its full height."""
    wait_ms: WaitMs = 0
    """Time to wait after the page has loaded, in milliseconds."""
    wait_for: Annotated[CssSelector | None, Synonyms("wait_for_selector, wait_until, wait_selector")] = None
    """CSS selector of an element to wait for before the screenshot, for up to 10 seconds."""


META: Mapping[str, meta_schemas.Schema] = {
    "width": meta_schemas.WIDTH,
    "height": meta_schemas.HEIGHT,
    "blank": meta_schemas.boolean("Whether the image has one color only.", example=False),
    "warnings": meta_schemas.optional(meta_schemas.WARNINGS),
}


@tool(
    ScreenshotRequest,
    tag="Images",
    raw={"text/plain": "url"},
    needs_browser=True,
    deadline_seconds=110,
    pixel_ratio=lambda request: request.device_scale_factor,
    produces=("image/png", "image/jpeg"),
    meta=META,
    errors=[PageUnavailable],
    alt=lambda request: f"Screenshot of {request.url}",
    examples=[
        Example("Page in a desktop viewport", {"url": "https://example.com"}),
        Example(
            "Full page at double resolution in dark mode",
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
    """Take a screenshot of a web page.

    Scripts run. Pages and their resources load from public addresses. `meta.blank` is true when all pixels of the
    image have the same color, which usually means that the page shows nothing.

    Raises:
        InvalidInput: A selector is not valid or matches nothing, or the page is too high for the format.
        PageUnavailable: The page is not public, could not be loaded, or responded with an error.
        ServerBusy: All render slots are taken and the queue is full.
        BrowserMissing: No working Chromium was found.
    """
    from mediakit.engines.browser.screenshots import is_blank
    from mediakit.engines.browser.web import render_screenshot

    image = await render_screenshot(
        request.url,
        width=request.width,
        height=DEFAULT_HEIGHT if request.full_page else request.height,
        format=request.format,
        quality=request.quality,
        full_page=request.full_page,
        wait_ms=request.wait_ms,
        wait_for=request.wait_for,
        options=request,
    )
    blank = await asyncio.to_thread(is_blank, image.content, request.format)
    meta: dict[str, Any] = {"width": image.width, "height": image.height, "blank": blank}
    if image.warnings:
        meta["warnings"] = list(image.warnings)
    return ImageResult(image.content, image_type(request.format), meta)
