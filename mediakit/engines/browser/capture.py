"""Take the picture of a page, straight from Chromium's own encoders."""

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

import pybase64

from mediakit.engines import png
from mediakit.engines.browser import webp
from mediakit.engines.browser.area import Area, element
from mediakit.engines.browser.tab import Tab
from mediakit.engines.capture_options import Look
from mediakit.errors import InvalidInput, RenderFailed

Format = Literal["png", "jpeg", "webp"]

LARGEST_SIDE: dict[Format, int] = {"png": 100_000, "jpeg": 65_534, "webp": 16_383}
"""Pixels; past it Chromium answers nothing, or only after many seconds."""

LARGEST_AREA = 100_000_000
"""Pixels."""


@dataclass(frozen=True)
class Shot:
    """A picture of a page, with its size in pixels."""

    content: bytes
    width: int
    height: int


async def framed(tab: Tab, area: Area, look: Look) -> Area:
    """Give the area to picture: the element that was asked for, or else the one at hand.

    Raises:
        InvalidInput: The page has no such element.
    """
    if look.selector is None:
        return area
    found = await element(tab, look.selector)
    if found is None:
        raise InvalidInput("selector: matches nothing that can be seen on the page.")
    return found.padded(look.padding)


async def capture(tab: Tab, area: Area, *, image_format: Format, quality: int) -> Shot:
    """Take the picture of an area, whether the viewport shows all of it or not.

    Raises:
        InvalidInput: The format holds no picture so large.
        RenderFailed: Chromium made no picture.
    """
    scale = tab.view.device_scale_factor
    width, height = area.width * scale, area.height * scale
    _check_size(width, height, image_format)
    # Of a page with scripts, what its first screen shows depends on where they have scrolled it.
    beyond = tab.view.scripts or not area.lies_in(tab.view.width, tab.view.height)
    options = {**_encoding(image_format, quality), "clip": area.clip, "captureBeyondViewport": beyond}
    answer = await tab.cdp.send("Page.captureScreenshot", options)
    content = pybase64.b64decode(answer["data"])
    if not content:
        raise RenderFailed(
            f"The browser made no {image_format} picture of {width} x {height} pixels. Try again in 5 seconds."
        )
    return Shot(await asyncio.to_thread(_finished, content, image_format, quality), width, height)


def _encoding(image_format: Format, quality: int) -> dict[str, Any]:
    """Say what Chromium writes: JPEG, or a PNG in a hurry; its small PNG and its WebP take several times as long."""
    if image_format == "jpeg":
        return {"format": "jpeg", "quality": quality}
    return {"format": "png", "optimizeForSpeed": True}


def _finished(content: bytes, image_format: Format, quality: int) -> bytes:
    match image_format:
        case "png":
            return png.recompress(content)
        case "webp":
            return webp.encoded(content, quality)
        case "jpeg":
            return content


def _check_size(width: int, height: int, image_format: Format) -> None:
    side = LARGEST_SIDE[image_format]
    if width > side:
        raise InvalidInput(
            f"selector: the element is {width} pixels wide, and a {image_format} picture holds {side}; choose another."
        )
    most = min(side, LARGEST_AREA // width)
    if height > most:
        mend = "make the page shorter" if image_format == "png" else 'try format "png", or make the page shorter'
        raise InvalidInput(
            f"full_page: the page is {height} pixels high, and a {image_format} picture {width} pixels wide "
            f"holds {most}; {mend}."
        )
