"""Starts Playwright's driver: a process that connects this process to Chromium.

The driver exits when its pipe closes, and Chromium exits with the driver. Both exit even if this process is killed.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from weakref import WeakKeyDictionary

from playwright.async_api import Playwright, async_playwright

from mediakit.engines.browser.environment import home_variable, temporary_folder_variables
from mediakit.engines.browser.protocol import ProtocolError

FORCED_LOOPBACK = "PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK"
"""Environment variable that would let pages reach this machine without the proxy."""


_start_locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()
"""Drivers start one at a time, because all inherit the environment of this process."""


@asynccontextmanager
async def driver(folder: Path) -> AsyncIterator[Playwright]:
    """Start a driver with a folder for its temporary files. The driver keeps running unless the block raises.

    Raises:
        ProtocolError: The driver did not start.
    """
    lock = _start_locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    async with lock, _environment(folder):
        try:
            playwright = await async_playwright().start()
        except Exception as error:  # Playwright raises plain exceptions when the driver exits
            raise ProtocolError(f"The driver did not start: {error}") from error
    try:
        yield playwright
    except BaseException:
        await playwright.stop()
        raise


@asynccontextmanager
async def _environment(folder: Path) -> AsyncIterator[None]:
    """Change the environment of this process during the block, because the driver has no option for its folder."""
    tempfile.gettempdir()  # caches the folder, so that this process continues to use its own
    before = dict(os.environ)
    changes = {**temporary_folder_variables(folder), **home_variable(folder)}
    os.environ.update(changes)
    os.environ.pop(FORCED_LOOPBACK, None)
    try:
        yield
    finally:
        for name in (*changes, FORCED_LOOPBACK):
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)
