"""Take the picture of a page, straight from Chromium's own encoders."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import pybase64

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


async def capture(tab: Tab, *, width: int, height: int, image_format: Format, quality: int) -> Shot:
    """Take the top left `width` x `height` pixels of a page, whether the viewport shows them all or not.

    Raises:
        InvalidInput: The format holds no picture so high.
        RenderFailed: Chromium made no picture.
    """
    _check_size(width, height, image_format)
    options: dict[str, Any] = {"format": image_format, "captureBeyondViewport": True}
    options["clip"] = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    # The small PNG takes Chromium five times as long.
    options |= {"optimizeForSpeed": True} if image_format == "png" else {"quality": quality}
    answer = await tab.cdp.send("Page.captureScreenshot", options)
    content = pybase64.b64decode(answer["data"])
    if not content:
        raise RenderFailed(
            f"The browser made no {image_format} picture of {width} x {height} pixels. Try again in 5 seconds."
        )
    return Shot(content, width, height)


async def content_height(tab: Tab) -> int:
    """Measure how high the whole page is, in pixels."""
    metrics = await tab.cdp.send("Page.getLayoutMetrics")
    return math.ceil(float(metrics["cssContentSize"]["height"]))


def _check_size(width: int, height: int, image_format: Format) -> None:
    most = min(LARGEST_SIDE[image_format], LARGEST_AREA // width)
    if height > most:
        mend = "make the page shorter" if image_format == "png" else 'try format "png", or make the page shorter'
        raise InvalidInput(
            f"full_page: the page is {height} pixels high, and a {image_format} picture {width} pixels wide "
            f"holds {most}; {mend}."
        )
