"""The part of a page that a screenshot shows, in CSS pixels from the top left corner of the page."""

import math
from dataclasses import dataclass
from typing import Any

from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.browser.tab import Tab
from mediakit.errors import InvalidInput


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

    def fits_in(self, width: int, height: int) -> bool:
        """Return whether a viewport at the top left of the page contains the whole area."""
        return self.x + self.width <= width and self.y + self.height <= height

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

    Args:
        tab: The page.
        selector: CSS selector.
        field: Name of the request field that holds the selector, for the error message.

    Raises:
        InvalidInput: The CSS selector is not valid.
    """
    root = (await tab.cdp.send("DOM.getDocument", {"depth": 0}))["root"]["nodeId"]
    try:
        node = (await tab.cdp.send("DOM.querySelector", {"nodeId": root, "selector": selector}))["nodeId"]
        return await _border_box(tab, node) if node else None
    except ProtocolError as error:
        if "DOM Error" in error.message:
            raise InvalidInput(f"{field}: must be a valid CSS selector.") from None
        if "box model" in error.message:  # the element is not rendered
            return None
        raise


async def _border_box(tab: Tab, node: int) -> Area | None:
    corners = (await tab.cdp.send("DOM.getBoxModel", {"nodeId": node}))["model"]["border"]
    scrolled: dict[str, Any] = (await tab.cdp.send("Page.getLayoutMetrics"))["cssVisualViewport"]
    left, right = min(corners[::2]) + scrolled["pageX"], max(corners[::2]) + scrolled["pageX"]
    top, bottom = min(corners[1::2]) + scrolled["pageY"], max(corners[1::2]) + scrolled["pageY"]
    x, y = max(math.floor(left), 0), max(math.floor(top), 0)
    area = Area(x, y, math.ceil(right) - x, math.ceil(bottom) - y)
    return area if area.width > 0 and area.height > 0 else None
