"""Chromium: found or installed, started, supervised, and shared by every tool that renders."""

import asyncio
from weakref import WeakKeyDictionary

from mediakit.core.runtime import runtime
from mediakit.engines.browser.browser import Browser
from mediakit.engines.browser.confine import Confinement
from mediakit.engines.browser.tab import Tab, View
from mediakit.settings import BrowserSettings

__all__ = ["Browser", "Confinement", "Tab", "View", "configure", "confinement", "shared"]

_settings: BrowserSettings | None = None
_browsers: WeakKeyDictionary[asyncio.AbstractEventLoop, Browser] = WeakKeyDictionary()


def configure(settings: BrowserSettings) -> None:
    """Say how the process's browser is made; call it before the first render."""
    global _settings  # noqa: PLW0603  # one process, one browser
    _settings = settings


async def confinement() -> Confinement | None:
    """Say what holds the process's Chromium in; None of a remote one.

    Raises:
        BrowserMissing: No Chromium works here.
    """
    local = (await shared().start()).local
    return local.confinement if local else None


def shared() -> Browser:
    """Give the process's browser. It lives on the background loop, and ends with it.

    Raises:
        RuntimeError: The caller runs elsewhere; go through `runtime.run` or `runtime.wait`.
    """
    if not runtime.inside:
        raise RuntimeError(
            "The shared browser lives on mediakit's own event loop: go through runtime.run or runtime.wait."
        )
    loop = asyncio.get_running_loop()
    if loop not in _browsers:
        _browsers[loop] = Browser(_settings or BrowserSettings())
        runtime.at_exit(_browsers[loop].close)
    return _browsers[loop]
