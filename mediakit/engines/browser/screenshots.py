"""Screenshots: selects the part of a page, captures it, and encodes the image."""

import asyncio
import io
import math
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Literal

import pybase64
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile

from mediakit.engines.browser.page import Tab
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import InvalidInput, RenderFailed
from mediakit.results.item import ResultWarning


@dataclass(frozen=True)
class Area:
    """A rectangle of a page."""

    x: int
    y: int
    width: int
    height: int

    @property
    def clip(self) -> dict[str, float]:
        """The area as a `Viewport` object of the Chrome DevTools Protocol."""
        return {"x": self.x, "y": self.y, "width": self.width, "height": self.height, "scale": 1}

    def padded(self, padding: int) -> "Area":
        """Return the area extended on every side, at most to the left and top edges of the page."""
        x, y = max(self.x - padding, 0), max(self.y - padding, 0)
        return Area(x, y, self.x + self.width + padding - x, self.y + self.height + padding - y)


async def viewport_area(tab: Tab) -> Area:
    """Return the area that is visible at the current scroll position."""
    visible = (await tab.cdp.send("Page.getLayoutMetrics"))["cssVisualViewport"]
    return Area(round(visible["pageX"]), round(visible["pageY"]), tab.view.width, tab.view.height)


async def full_page_area(tab: Tab) -> Area:
    """Return the area of the full page, which is at least as high as the viewport."""
    content = (await tab.cdp.send("Page.getLayoutMetrics"))["cssContentSize"]
    return Area(0, 0, tab.view.width, max(tab.view.height, math.ceil(float(content["height"]))))


async def element_area(tab: Tab, selector: str, *, field: str = "selector") -> Area | None:
    """Return the border box of the first element that a CSS selector matches, or None if no visible one matches.

    Raises:
        InvalidInput: The CSS selector, in the request's field of this name, is not valid.
    """
    root = (await tab.cdp.send("DOM.getDocument", {"depth": 0}))["root"]["nodeId"]
    try:
        node = (await tab.cdp.send("DOM.querySelector", {"nodeId": root, "selector": selector}))["nodeId"]
        if not node:
            return None
        corners = (await tab.cdp.send("DOM.getBoxModel", {"nodeId": node}))["model"]["border"]
        scrolled: dict[str, Any] = (await tab.cdp.send("Page.getLayoutMetrics"))["cssVisualViewport"]
    except ProtocolError as error:
        if "DOM Error" in error.message:
            raise InvalidInput(f"{field}: must be a valid CSS selector.") from None
        if "box model" in error.message:  # the element is not rendered
            return None
        raise
    left, right = min(corners[::2]) + scrolled["pageX"], max(corners[::2]) + scrolled["pageX"]
    top, bottom = min(corners[1::2]) + scrolled["pageY"], max(corners[1::2]) + scrolled["pageY"]
    x, y = max(math.floor(left), 0), max(math.floor(top), 0)
    area = Area(x, y, math.ceil(right) - x, math.ceil(bottom) - y)
    return area if area.width > 0 and area.height > 0 else None


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
    is_visible = area.x + area.width <= tab.view.width and area.y + area.height <= tab.view.height
    # Scripts may have scrolled the page, so the viewport need not show its top left corner.
    options: dict[str, Any] = {"clip": area.clip, "captureBeyondViewport": tab.view.scripts or not is_visible}
    if image_format == "jpeg":
        options |= {"format": "jpeg", "quality": quality}
    else:  # Chromium's small PNG and WebP take several times as long
        options |= {"format": "png", "optimizeForSpeed": True}
    with tab.frames.hurried() if tab.frames else nullcontext():
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


def _encode(content: bytes, image_format: Format, quality: int) -> bytes:
    # A process that renders one kind of image need not import the packages of the others.
    if image_format == "webp":
        return encode_webp(content, quality)
    from mediakit.engines.png import recompress

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


METHOD = 2
"""Effort of libwebp. Same quality as Chromium's method 3, a few percent larger, in half the time."""


def encode_webp(png: bytes, quality: int) -> bytes:
    """Encode Chromium's fast PNG as lossy WebP of a quality from 1 to 100, with its transparency.

    Takes less than half the time of Chromium's own encoder.
    """
    output = io.BytesIO()
    with PngImageFile(io.BytesIO(png)) as image:  # `open` would warn about images as large as the browser may produce
        image.save(output, "WEBP", quality=quality, method=METHOD)
    return output.getvalue()


IMAGE_CLASSES = {"png": PngImageFile, "jpeg": JpegImageFile}
"""Pillow's `open` would warn about images as large as the browser may produce."""

HEADER_BYTES = 1000

MIN_BLANK_PIXELS_PER_BYTE = 50
"""A single-color PNG has about 300 pixels per byte after its header. One with far fewer need not be decoded."""


def is_blank(content: bytes, image_format: Literal["png", "jpeg"]) -> bool:
    """Return whether all pixels of an image have the same color."""
    with IMAGE_CLASSES[image_format](io.BytesIO(content)) as image:
        max_blank_bytes = HEADER_BYTES + image.width * image.height // MIN_BLANK_PIXELS_PER_BYTE
        if image_format == "png" and len(content) > max_blank_bytes:
            return False
        # At an eighth of the size, the pixels of a JPEG are the means of its blocks and decode ten times as fast.
        image.draft(None, (max(image.width // 8, 1), max(image.height // 8, 1)))
        bands = [image.getchannel(band).getextrema() for band in image.getbands()]
    return all(low == high for low, high in bands)
