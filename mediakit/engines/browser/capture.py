"""Take the picture of a page, straight from Chromium's own encoders."""

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

import pybase64

from mediakit.core.look import Look
from mediakit.engines import png
from mediakit.engines.browser.area import Area, element
from mediakit.engines.browser.tab import Tab
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


async def capture(tab: Tab, area: Area, *, image_format: Format, quality: int, transparent: bool = False) -> Shot:
    """Take the picture of an area, whether the viewport shows all of it or not.

    Raises:
        InvalidInput: The format holds no picture so large.
        RenderFailed: Chromium made no picture.
    """
    scale = tab.view.device_scale_factor
    width, height = area.width * scale, area.height * scale
    _check_size(width, height, image_format)
    if transparent and image_format != "jpeg":
        await tab.cdp.send("Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
    answer = await tab.cdp.send("Page.captureScreenshot", _options(area, image_format, quality))
    content = pybase64.b64decode(answer["data"])
    if not content:
        raise RenderFailed(
            f"The browser made no {image_format} picture of {width} x {height} pixels. Try again in 5 seconds."
        )
    if image_format == "png":
        content = await asyncio.to_thread(png.deflated, content)
    return Shot(content, width, height)


def _options(area: Area, image_format: Format, quality: int) -> dict[str, Any]:
    clip = {"x": area.x, "y": area.y, "width": area.width, "height": area.height, "scale": 1}
    # The small PNG takes Chromium five times as long.
    encoding: dict[str, Any] = {"optimizeForSpeed": True} if image_format == "png" else {"quality": quality}
    return {"format": image_format, "captureBeyondViewport": True, "clip": clip, **encoding}


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
