"""Bring a page to rest: show what a visitor has seen after reading the page.

Finite animations and transitions are shown at their end, endless ones at a fixed time, so that equal pages give equal
images. Sections that appear when they are scrolled into view, or that Chromium skips until then, are shown.
"""

import asyncio
import json
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from mediakit.engines.browser.page import Tab
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.results.item import ResultWarning

SCRIPT = Path(__file__).with_name("at_rest.js")

WORLD = "mediakit"
"""Name of the JavaScript world of mediakit, whose built-in functions a page cannot replace."""

POLL_INTERVAL_SECONDS = 0.1
"""Interval between checks of a page whose scripts run."""

QUIET_CHECKS = 3
"""A page whose scripts run is at rest after this many checks without a change."""

MAX_REST_SECONDS = 2.0
"""Limit for pages that never come to rest."""

MAX_SCREENS = 100
"""Limit for pages that grow while they are scrolled."""

SCREEN_PAUSE_SECONDS = 0.1
"""Pause at each screen of a page that is scrolled through."""

MAX_VIEWPORT_HEIGHT = 30_000
"""Limit for viewports that are made as high as the content of a scrolling element, in CSS pixels."""

MAY_CHANGE = re.compile(r"animat|transition|content-visibility|<set\b|<link|@import|<i?frame|shadowroot", re.IGNORECASE)
"""HTML without any of these is at rest once it has loaded."""

MAY_DEPEND_ON_VIEWPORT = re.compile(r"fixed|overflow|<link|@import", re.IGNORECASE)
"""HTML without any of these looks the same in any viewport of its width."""

INNER_SCROLL_WARNING = ResultWarning(
    code="scrolling_element",
    message="full_page: a large element of the page scrolls by itself. The image shows only its visible part.",
)


class PageAtRest:
    """Brings a page and its frames to rest. Frames of other sites stay as they are."""

    def __init__(self, tab: Tab, *, wait_ms: int = 0, beyond_viewport: bool = False) -> None:
        """Change nothing yet. Endless animations are shown `wait_ms` milliseconds later.

        `beyond_viewport` means that the image shows parts of the page that are not in the viewport.
        """
        self._tab = tab
        self._finish = f"atRest.finish({wait_ms}, {json.dumps(beyond_viewport)})"

    async def finish(self) -> bool:
        """Show skipped sections, and animations at their end. Return whether there were any."""
        return any(await self._evaluate(f"atRest.showSkipped() + {self._finish}"))

    async def wait(self, quiet_checks: int = QUIET_CHECKS) -> None:
        """Call `finish` until the scripts of the page neither start animations nor change elements."""
        quiet = 0
        for _ in range(round(MAX_REST_SECONDS / POLL_INTERVAL_SECONDS)):
            counts = await self._evaluate(f"atRest.showSkipped() + atRest.changes() + {self._finish}")
            quiet = 0 if any(counts) else quiet + 1
            if quiet >= quiet_checks:
                break
            await asyncio.sleep(POLL_INTERVAL_SECONDS)

    async def scroll_through(self) -> None:
        """Scroll to the end of the page, one screen at a time, so that lazy content loads; then back to the top."""
        height = self._tab.view.height
        for screen in range(1, MAX_SCREENS + 1):
            await self._evaluate(f"({self._finish}, atRest.remember())")
            page_height = (await self._evaluate(f"atRest.scrollTo({screen * height})"))[0]
            await asyncio.sleep(SCREEN_PAUSE_SECONDS)
            if screen * height >= page_height:
                break
        await self.wait()
        await self._evaluate("(atRest.remember(), atRest.scrollTo(0))")
        await asyncio.sleep(SCREEN_PAUSE_SECONDS)

    async def restore_sections(self) -> None:
        """Show sections that the page has hidden again since they were scrolled into view."""
        await self._evaluate("atRest.restore()")

    async def extend_backgrounds(self) -> None:
        """Extend backgrounds that are fixed to the viewport to the whole page."""
        await self._evaluate("atRest.extendBackgrounds()")

    async def expand_scrollers(self) -> bool:
        """Show the whole content of elements that scroll in place of the page. Return whether all of it is shown.

        A higher viewport shows the content of most of them without a change of the layout. Where the content is sized
        by the viewport, too, the elements are made as high as their content.
        """
        before = self._tab.view.height
        found = (await self._evaluate("atRest.findScrollers()"))[0]
        if not found["hidden"] or found["pageScrolls"]:
            return not found["hidden"]
        if before + found["hidden"] <= MAX_VIEWPORT_HEIGHT:
            await self._tab.resize(before + found["hidden"])
            if not await self._hidden_height():
                return True
            await self._tab.resize(before)
        await self._evaluate("atRest.expand()")
        return not await self._hidden_height()

    async def _hidden_height(self) -> int:
        """Return how many CSS pixels of scrolling elements are hidden, once the page had time to change."""
        if self._tab.view.scripts:
            await asyncio.sleep(POLL_INTERVAL_SECONDS)
        return int((await self._evaluate("atRest.hiddenHeight()"))[0])

    async def _evaluate(self, expression: str) -> list[Any]:
        """Evaluate an expression in the page and in each frame of it, and return the values, that of the page first."""
        tree = (await self._tab.cdp.send("Page.getFrameTree"))["frameTree"]
        first, *others = _frame_ids(tree)
        values = [await self._evaluate_in(first, expression)]
        for frame in others:
            with suppress(ProtocolError):  # the frame may be gone
                values.append(await self._evaluate_in(frame, expression))
        return values

    async def _evaluate_in(self, frame: str, expression: str) -> Any:
        world = await self._tab.cdp.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": WORLD})
        code = f"{_script()};{expression}"
        return await self._tab.cdp.evaluate(code, context=world["executionContextId"])


def _frame_ids(tree: dict[str, Any]) -> list[str]:
    children = (identifier for child in tree.get("childFrames", ()) for identifier in _frame_ids(child))
    return [tree["frame"]["id"], *children]


@cache
def _script() -> str:
    return SCRIPT.read_text("utf-8").strip()
