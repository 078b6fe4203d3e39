"""The `capture` tool: render HTML to an image."""

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Annotated, Literal

from pydantic import Field

from mediakit.core import meta_schemas
from mediakit.core.fields import Quality, WaitMs
from mediakit.core.media import image_type
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.capture_options import CaptureOptions
from mediakit.engines.templates.html_source import HtmlSource, adapt_source
from mediakit.engines.templates.registry import on_change
from mediakit.errors import ResourcesTimeout
from mediakit.results.files import ImageResult
from mediakit.samples import CARD_HTML, TABLE_HTML

DEFAULT_WIDTH, DEFAULT_HEIGHT = 1200, 630
"""Viewport for `html`, in CSS pixels. Each template has its own default."""


@request
class CaptureRequest(HtmlSource, CaptureOptions):
    """HTML, or a template and its data, and the options of the image."""

    _: KW_ONLY
    width: Annotated[
        int | None, Field(ge=100, le=3840, json_schema_extra={"default": DEFAULT_WIDTH}), Synonyms("size, w, viewport")
    ] = None
    """Width of the viewport and the image, in CSS pixels. The default of a template is its own width."""
    height: Annotated[
        int | None, Field(ge=100, le=2160, json_schema_extra={"default": DEFAULT_HEIGHT}), Synonyms("size, h, viewport")
    ] = None
    """Height of the viewport and the image, in CSS pixels. The default of a template is its own height."""
    format: Annotated[Literal["png", "jpeg", "webp"], Synonyms("type, extension, output_format, image_format")] = "png"
    """File format."""
    quality: Quality = 90
    """JPEG or WebP quality. Higher values look better and make larger files."""
    full_page: Annotated[bool, Synonyms("full, fullpage, whole_page, full_height")] = False
    """Capture the full height of the content instead of one viewport."""
    wait_ms: WaitMs = 0
    """Extra wait before the image is captured, in milliseconds."""


META: Mapping[str, meta_schemas.Schema] = {
    "width": meta_schemas.WIDTH,
    "height": meta_schemas.HEIGHT,
    "format": meta_schemas.FORMAT,
    **meta_schemas.TEMPLATE_META,
}


@tool(
    CaptureRequest,
    tag="Images",
    raw={"text/html": "html"},
    needs_browser=True,
    deadline_seconds=110,
    adapt=adapt_source,
    pixel_ratio=lambda request: request.device_scale_factor,
    produces=("image/png", "image/jpeg", "image/webp"),
    meta=META,
    errors=[ResourcesTimeout],
    examples=[
        Example("Link preview card", {"html": CARD_HTML}),
        Example(
            "Table at its full height",
            {"html": TABLE_HTML, "width": 560, "height": 100, "full_page": True, "format": "webp"},
        ),
        Example(
            "Certificate from a template",
            {
                "template": "certificate",
                "data": {
                    "recipient": "Ada Lovelace",
                    "course": "Notes on the Analytical Engine",
                    "verify_url": "https://example.com/verify/OLI-2026-0042",
                },
            },
        ),
    ],
)
async def capture(request: CaptureRequest) -> ImageResult:
    """Render HTML to an image.

    Style sheets, web fonts and images load from public addresses. Scripts do not run.

    Raises:
        InvalidInput: The page is too high for the format, no element matches `selector`, or the page took more than 35
            seconds or needs more than 1 GB of memory.
        ResourcesTimeout: An image, a font or a style sheet did not finish loading within 20 seconds.
        ServerBusy: All render slots are taken and the queue is full.
        BrowserMissing: No working Chromium was found.
    """
    from mediakit.engines.browser.html import render_image

    default = request.selected_template
    width = request.width or (default.width if default else DEFAULT_WIDTH)
    height = request.height or (default.height if default else DEFAULT_HEIGHT)
    page = request.page(width, height, grow=request.full_page)
    image = await render_image(
        page.html,
        width=page.width,
        height=page.height,
        format=request.format,
        quality=request.quality,
        full_page=request.full_page,
        wait_ms=request.wait_ms,
        options=request,
        layout_script=page.fitting,
    )
    size = {"width": image.width, "height": image.height}
    meta = {**size, "format": request.format, **page.meta_of(image.layout, image.warnings)}
    return ImageResult(image.content, image_type(request.format), meta)


on_change.append(capture.reset_schema)
