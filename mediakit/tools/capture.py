"""`capture`: draw HTML as a picture."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mediakit.core.fields import Html, Language, Quality, WaitMs
from mediakit.core.media import image_type
from mediakit.core.request import request
from mediakit.core.results import ImageResult
from mediakit.core.tool import Example, tool
from mediakit.errors import ResourcesTimeout

Template = Literal["social", "og", "invoice", "receipt", "certificate", "youtube"]

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


@request
class CaptureRequest:
    """HTML, or a template and its data, and the picture to make of it."""

    html: Html | None = None
    """HTML to draw: a document or a fragment, at most 5 MB. Scripts never run."""
    _: KW_ONLY
    template: Template | None = None
    """Name of a template to draw instead of `html`."""
    data: dict[str, str] | None = None
    """Texts for the template, by key."""
    lang: Language = "en"
    """Language of the template's example texts."""
    width: Annotated[int, Field(ge=100, le=3840)] = 1200
    """Width of the viewport and the picture, in pixels."""
    height: Annotated[int, Field(ge=100, le=2160)] = 630
    """Height of the viewport and the picture, in pixels."""
    format: Literal["png", "jpeg", "webp"] = "png"
    """File format."""
    quality: Quality = 90
    """Quality of jpeg and webp; higher is better and larger."""
    full_page: bool = False
    """Draw the whole height of the content instead of one viewport."""
    wait_ms: WaitMs = 0
    """Milliseconds to wait before the picture is taken."""

    @model_validator(mode="after")
    def _has_one_source(self) -> Self:
        if self.template is not None and self.html is not None:
            raise ValueError("html, template: give one of them, not both.")
        if self.template is not None:
            raise ValueError("template: templates are not available in this version; send html.")
        if self.html is None:
            raise ValueError("html: is required.")
        if self.data is not None:
            raise ValueError("data: goes with a template, not with html.")
        return self


@tool(
    CaptureRequest,
    path="/capture",
    tag="Images",
    raw={"text/html": "html"},
    makes=("image/png", "image/jpeg", "image/webp"),
    errors=[ResourcesTimeout],
    examples=[
        Example("A card for a link", {"html": CARD}),
        Example(
            "A small WebP of a fragment", {"html": "<h1>Hello</h1>", "width": 400, "height": 200, "format": "webp"}
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

    shot = await picture(
        request.html or "",
        width=request.width,
        height=request.height,
        format=request.format,
        quality=request.quality,
        full_page=request.full_page,
        wait_ms=request.wait_ms,
    )
    size = {"width": shot.width, "height": shot.height}
    return ImageResult(shot.content, image_type(request.format), {**size, "format": request.format})
