"""The `screenshot` tool: take a screenshot of a web page."""

import asyncio
from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.media import image_type
from mediakit.core.tool import Example, tool
from mediakit.errors import PageUnavailable
from mediakit.results.files import ImageResult
from mediakit.tools.images.screenshot.request import DEFAULT_HEIGHT, ScreenshotRequest

META: Mapping[str, meta_schemas.Schema] = {
    "width": meta_schemas.WIDTH,
    "height": meta_schemas.HEIGHT,
    "blank": meta_schemas.boolean("Whether the image has one color only.", example=False),
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
    from mediakit.engines.browser.blank import is_blank
    from mediakit.tools.images.screenshot.render import render_screenshot

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
    meta = {"width": image.width, "height": image.height, "blank": blank}
    return ImageResult(image.content, image_type(request.format), meta)
