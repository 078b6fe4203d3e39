"""Chromium: find or install it, start it, supervise it, and share it between all tools that render."""

import asyncio
from weakref import WeakKeyDictionary

from mediakit.core.runtime import runtime
from mediakit.engines.browser.browser import Browser
from mediakit.engines.browser.confinement import Confinement
from mediakit.engines.browser.tab import Tab, View
from mediakit.settings import BrowserSettings

__all__ = ["Browser", "Confinement", "Tab", "View", "active_confinement", "configure", "existing", "shared"]

_settings: BrowserSettings | None = None
_browsers: WeakKeyDictionary[asyncio.AbstractEventLoop, Browser] = WeakKeyDictionary()


def configure(settings: BrowserSettings) -> None:
    """Set the settings of the shared browser. Call this before the first render."""
    global _settings  # noqa: PLW0603  # one process, one browser
    _settings = settings


async def active_confinement() -> Confinement | None:
    """Return how the shared Chromium is confined, or None when it is remote.

    Raises:
        BrowserMissing: No working Chromium was found.
    """
    local = (await shared().start()).local
    return local.confinement if local else None


def existing() -> Browser | None:
    """Return the shared browser if a render has created it. Other threads may read its counts only."""
    return next(iter(_browsers.values()), None)


def shared() -> Browser:
    """Return the shared browser of this process. It belongs to the background loop and is closed with it.

    Raises:
        RuntimeError: The call is not on the background loop. Use `runtime.run` or `runtime.wait`.
    """
    if not runtime.inside:
        raise RuntimeError(
            "The shared browser can be used only on mediakit's background event loop: "
            "call it through runtime.run or runtime.wait."
        )
    loop = asyncio.get_running_loop()
    if loop not in _browsers:
        _browsers[loop] = Browser(_settings or BrowserSettings())
        runtime.at_exit(_browsers[loop].close)
    return _browsers[loop]
