"""The request of `screenshot`."""

from dataclasses import KW_ONLY
from typing import Annotated, Literal

from pydantic import Field

from mediakit.core.fields import CssSelector, PublicUrl, Quality, WaitMs
from mediakit.core.request import request
from mediakit.engines.capture_options import CaptureOptions

DEFAULT_HEIGHT = 800
"""Height of the viewport in CSS pixels, also for full pages."""


@request
class ScreenshotRequest(CaptureOptions):
    """A web page, and the options of its screenshot."""

    url: PublicUrl
    """URL of a public web page; http or https."""
    _: KW_ONLY
    width: Annotated[int, Field(ge=100, le=3840)] = 1280
    """Width of the viewport and the image, in CSS pixels."""
    height: Annotated[int, Field(ge=100, le=2160)] = DEFAULT_HEIGHT
    """Height of the viewport and the image, in CSS pixels. Ignored with `full_page`."""
    format: Literal["png", "jpeg"] = "png"
    """File format."""
    quality: Quality = 90
    """JPEG quality. Higher values look better and make larger files."""
    full_page: bool = False
    """Scroll through the page, so that lazy content loads, and capture its full height."""
    wait_ms: WaitMs = 0
    """Time to wait after the page has loaded, in milliseconds."""
    wait_for: CssSelector | None = None
    """CSS selector of an element to wait for before the screenshot, for up to 10 seconds."""
