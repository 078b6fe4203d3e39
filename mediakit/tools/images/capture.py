"""`capture`: draw HTML as a picture."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal

from pydantic import Field

from mediakit.core.fields import Quality, WaitMs
from mediakit.core.media import image_type
from mediakit.core.request import request
from mediakit.core.tool import Example, tool
from mediakit.engines.capture_options import Look
from mediakit.engines.html_source import HtmlSource
from mediakit.errors import ResourcesTimeout
from mediakit.results.image import ImageResult

WIDTH, HEIGHT = 1200, 630
"""Size of HTML that comes without one; a template has its own."""

CARD = """<!doctype html>
<style>
  body { margin: 0; height: 100vh; display: grid; place-content: center; gap: 16px; padding: 0 96px;
         font-family: system-ui, sans-serif; color: #f8fafc; background: linear-gradient(135deg, #1e3a8a, #7c3aed); }
  h1 { margin: 0; font-size: 76px; line-height: 1.05; letter-spacing: -0.02em; }
  p { margin: 0; font-size: 32px; opacity: 0.85; }
</style>
<h1>Seven charts that explain the year</h1>
<p>From one notebook, in an afternoon</p>
"""

TABLE = """<!doctype html>
<style>
  body { margin: 0; padding: 28px 32px; font: 17px/1.4 system-ui, sans-serif; color: #0f172a; background: #fff; }
  table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
  caption { padding-bottom: 14px; text-align: left; font-size: 22px; font-weight: 650; }
  th { color: #64748b; font-size: 14px; font-weight: 500; text-align: right; }
  td { text-align: right; }
  th, td { padding: 9px 0; border-bottom: 1px solid #e2e8f0; }
  :is(th, td):first-child { text-align: left; }
  .up { color: #15803d; } .down { color: #b91c1c; }
</style>
<table>
  <caption>Visitors by city</caption>
  <tr><th>City</th><th>This week</th><th>Last week</th><th>Change</th></tr>
  <tr><td>Lisbon</td><td>18,204</td><td>15,877</td><td class="up">+14.7 %</td></tr>
  <tr><td>Kraków</td><td>12,950</td><td>13,402</td><td class="down">−3.4 %</td></tr>
  <tr><td>Montréal</td><td>9,311</td><td>8,120</td><td class="up">+14.7 %</td></tr>
  <tr><td>Ōsaka</td><td>7,846</td><td>7,790</td><td class="up">+0.7 %</td></tr>
</table>
"""


@request
class CaptureRequest(HtmlSource, Look):
    """HTML, or a template and its data, and the picture to make of it."""

    _: KW_ONLY
    width: Annotated[int | None, Field(ge=100, le=3840, json_schema_extra={"default": WIDTH})] = None
    """Width of the viewport and the picture, in pixels; left out, a template has its own."""
    height: Annotated[int | None, Field(ge=100, le=2160, json_schema_extra={"default": HEIGHT})] = None
    """Height of the viewport and the picture, in pixels; left out, a template has its own."""
    format: Literal["png", "jpeg", "webp"] = "png"
    """File format."""
    quality: Quality = 90
    """Quality of jpeg and webp; higher is better and larger."""
    full_page: bool = False
    """Draw the whole height of the content instead of one viewport."""
    wait_ms: WaitMs = 0
    """Milliseconds to wait before the picture is taken."""


@tool(
    CaptureRequest,
    tag="Images",
    raw={"text/html": "html"},
    needs_browser=True,
    pixel_ratio=lambda request: request.device_scale_factor,
    produces=("image/png", "image/jpeg", "image/webp"),
    errors=[ResourcesTimeout],
    examples=[
        Example("A card for a link", {"html": CARD}),
        Example(
            "A table, as tall as it is",
            {"html": TABLE, "width": 560, "height": 100, "full_page": True, "format": "webp"},
        ),
        Example(
            "A certificate, from a template",
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
    """Draw HTML as a picture.

    Style sheets, web fonts and images load, from public addresses only; scripts never run.

    Raises:
        ResourcesTimeout: An image, a font or a stylesheet did not finish loading within 20 seconds.
        ServerBusy: Every render slot is taken and the queue is full.
        BrowserMissing: No Chromium works here.
    """
    from mediakit.engines.html import picture

    own = (request.pattern.width, request.pattern.height) if request.pattern else (WIDTH, HEIGHT)
    page = request.page(request.width or own[0], request.height or own[1], grow=request.full_page)
    shot = await picture(
        page.html,
        width=page.width,
        height=page.height,
        format=request.format,
        quality=request.quality,
        full_page=request.full_page,
        wait_ms=request.wait_ms,
        look=request,
    )
    size = {"width": shot.width, "height": shot.height}
    return ImageResult(shot.content, image_type(request.format), {**size, "format": request.format, **page.meta})
