"""Take a screenshot of a page, and encode it in the requested format."""

import asyncio
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Literal

import pybase64

from mediakit.engines.browser.area import Area, element_area
from mediakit.engines.browser.tab import Tab
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import InvalidInput, RenderFailed
from mediakit.results.item import ResultWarning

Format = Literal["png", "jpeg", "webp"]

MAX_SIDE_PIXELS: dict[Format, int] = {"png": 100_000, "jpeg": 65_534, "webp": 16_383}
"""Beyond these sides Chromium returns no image, or only after many seconds."""

MAX_AREA_PIXELS = 100_000_000


@dataclass(frozen=True)
class Screenshot:
    """An image of a page, with its size in pixels."""

    content: bytes
    width: int
    height: int
    layout: Any = None
    """What the layout script returned."""
    warnings: tuple[ResultWarning, ...] = ()
    """What the image does not show."""


async def select_area(tab: Tab, default: Area, options: CaptureOptions) -> Area:
    """Return the area of the element that `options` selects, with its padding, or `default` without a selector.

    Raises:
        InvalidInput: No visible element matches the selector.
    """
    if options.selector is None:
        return default
    found = await element_area(tab, options.selector)
    if found is None:
        raise InvalidInput("selector: matches no visible element on the page.")
    return found.padded(options.padding)


async def capture(tab: Tab, area: Area, *, image_format: Format, quality: int) -> Screenshot:
    """Take a screenshot of an area, inside or outside the viewport, for `encode`.

    Raises:
        InvalidInput: The area is too large for the format.
        RenderFailed: Chromium returned no image.
    """
    scale = tab.view.device_scale_factor
    width, height = area.width * scale, area.height * scale
    _check_size(width, height, image_format)
    # Scripts may have scrolled the page, so the viewport need not show its top left corner.
    beyond = tab.view.scripts or not area.fits_in(tab.view.width, tab.view.height)
    options = {**_chromium_format(image_format, quality), "clip": area.clip, "captureBeyondViewport": beyond}
    with tab.page.frames.hurried() if tab.page.frames else nullcontext():
        response = await tab.cdp.send("Page.captureScreenshot", options)
    content = pybase64.b64decode(response["data"])
    if not content:
        raise RenderFailed(
            f"The browser returned no {image_format} image of {width} x {height} pixels. Try again in 5 seconds."
        )
    return Screenshot(content, width, height)


async def encode(screenshot: Screenshot, *, image_format: Format, quality: int) -> Screenshot:
    """Return a screenshot in the requested format. The next render can start meanwhile."""
    if image_format == "jpeg":
        return screenshot
    content = await asyncio.to_thread(_encode, screenshot.content, image_format, quality)
    return replace(screenshot, content=content)


def _chromium_format(image_format: Format, quality: int) -> dict[str, Any]:
    """Return the format options for Chromium: JPEG or fast PNG. Its small PNG and WebP take several times as long."""
    if image_format == "jpeg":
        return {"format": "jpeg", "quality": quality}
    return {"format": "png", "optimizeForSpeed": True}


def _encode(content: bytes, image_format: Format, quality: int) -> bytes:
    # A process that renders one kind of image need not import the packages of the others.
    if image_format == "webp":
        from mediakit.engines.browser import webp

        return webp.encode(content, quality)
    from mediakit.engines.browser.recompressed_png import recompress

    return recompress(content)


def _check_size(width: int, height: int, image_format: Format) -> None:
    max_side = MAX_SIDE_PIXELS[image_format]
    if width > max_side:
        raise InvalidInput(
            f"selector: the element must be at most {max_side} pixels wide for {image_format}, got {width}."
        )
    max_height = min(max_side, MAX_AREA_PIXELS // width)
    if height > max_height:
        fix = "Make the page shorter." if image_format == "png" else 'Use format "png", or make the page shorter.'
        raise InvalidInput(
            f"full_page: the page must be at most {max_height} pixels high for {image_format} at a width of {width} "
            f"pixels, got {height}. {fix}"
        )
