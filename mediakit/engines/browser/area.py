"""Which part of a page a picture shows, in CSS pixels from the page's top left corner."""

import math
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error

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
        """It in the words of the Chrome DevTools Protocol."""
        return {"x": self.x, "y": self.y, "width": self.width, "height": self.height, "scale": 1}

    def lies_in(self, width: int, height: int) -> bool:
        """Say whether a viewport at the top of the page shows all of it."""
        return self.x + self.width <= width and self.y + self.height <= height

    def padded(self, padding: int) -> "Area":
        """Widen it on every side, at most to the page's left and upper edge."""
        x, y = max(self.x - padding, 0), max(self.y - padding, 0)
        return Area(x, y, self.x + self.width + padding - x, self.y + self.height + padding - y)


async def viewport(tab: Tab) -> Area:
    """Give what a person would see now, wherever the page is scrolled to."""
    seen = (await tab.cdp.send("Page.getLayoutMetrics"))["cssVisualViewport"]
    return Area(round(seen["pageX"]), round(seen["pageY"]), tab.view.width, tab.view.height)


async def whole_page(tab: Tab) -> Area:
    """Give the page's whole height, which is never less than the viewport's."""
    content = (await tab.cdp.send("Page.getLayoutMetrics"))["cssContentSize"]
    return Area(0, 0, tab.view.width, max(tab.view.height, math.ceil(float(content["height"]))))


async def element(tab: Tab, selector: str, *, field: str = "selector") -> Area | None:
    """Give the box of the first element that a CSS selector matches, None while no such element is drawn.

    Args:
        tab: The page.
        selector: CSS.
        field: Where the selector comes from, for the words of a refusal.

    Raises:
        InvalidInput: This is no CSS selector.
    """
    root = (await tab.cdp.send("DOM.getDocument", {"depth": 0}))["root"]["nodeId"]
    try:
        node = (await tab.cdp.send("DOM.querySelector", {"nodeId": root, "selector": selector}))["nodeId"]
        return await _box(tab, node) if node else None
    except Error as error:
        if "DOM Error" in error.message:
            raise InvalidInput(f"{field}: is not a CSS selector.") from None
        if "box model" in error.message:  # of an element that is not drawn
            return None
        raise


async def _box(tab: Tab, node: int) -> Area | None:
    corners = (await tab.cdp.send("DOM.getBoxModel", {"nodeId": node}))["model"]["border"]
    scrolled: dict[str, Any] = (await tab.cdp.send("Page.getLayoutMetrics"))["cssVisualViewport"]
    left, right = min(corners[::2]) + scrolled["pageX"], max(corners[::2]) + scrolled["pageX"]
    top, bottom = min(corners[1::2]) + scrolled["pageY"], max(corners[1::2]) + scrolled["pageY"]
    x, y = max(math.floor(left), 0), max(math.floor(top), 0)
    area = Area(x, y, math.ceil(right) - x, math.ceil(bottom) - y)
    return area if area.width > 0 and area.height > 0 else None
