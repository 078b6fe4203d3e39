"""Scroll through a page, so that lazy content loads."""

import asyncio

from mediakit.engines.browser.tab import Tab

MAX_SCREENS = 100
"""Limit for pages that grow while they are scrolled."""

PAUSE_SECONDS = 0.1
"""Pause at each screen."""

SCROLL = """top => {
    const page = document.scrollingElement;
    page?.scrollTo({top, behavior: 'instant'});
    return page?.scrollHeight ?? 0;
}"""


async def scroll_through(tab: Tab) -> None:
    """Scroll to the end of a page, one screen at a time, then back to the top."""
    for screen in range(1, MAX_SCREENS + 1):
        page_height = await _scroll_to(tab, screen * tab.view.height)
        await asyncio.sleep(PAUSE_SECONDS)
        if screen * tab.view.height >= page_height:
            break
    await _scroll_to(tab, 0)
    await asyncio.sleep(PAUSE_SECONDS)


async def _scroll_to(tab: Tab, top: int) -> int:
    """Scroll to a position, and return the height of the page."""
    return int(await tab.cdp.evaluate(f"({SCROLL})({top})") or 0)
