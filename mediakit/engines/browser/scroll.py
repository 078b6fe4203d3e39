"""Scroll through a page as a reader would, so that what waits to be seen loads."""

import asyncio

from mediakit.engines.browser.tab import Tab

STEPS = 100
"""Screens that are scrolled through at most: a page that grows as it is read has no end."""

PAUSE = 0.1
"""Seconds that each screen is looked at."""

SCROLL = """top => {
    const page = document.scrollingElement;
    page?.scrollTo({top, behavior: 'instant'});
    return page?.scrollHeight ?? 0;
}"""


async def scroll_through(tab: Tab) -> None:
    """Look at each screen of the page once, then go back to the top."""
    for step in range(1, STEPS + 1):
        bottom = await tab.page.evaluate(SCROLL, step * tab.view.height)
        await asyncio.sleep(PAUSE)
        if step * tab.view.height >= bottom:
            break
    await tab.page.evaluate(SCROLL, 0)
    await asyncio.sleep(PAUSE)
