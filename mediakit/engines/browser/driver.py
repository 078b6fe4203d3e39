"""Playwright's driver: the process that stands between this one and a Chromium.

It ends when its pipe closes, and Chromium with it, so even a killed process leaves neither behind.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from weakref import WeakKeyDictionary

from playwright.async_api import Error, Playwright, async_playwright

FORCED_LOOPBACK = "PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK"
"""A variable that lets pages reach this machine past the proxy."""


_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()
"""Whose turn it is to start: all drivers inherit this process's one environment."""


@asynccontextmanager
async def driver(folder: Path) -> AsyncIterator[Playwright]:
    """Start a driver that writes into a folder; it stays unless the block fails.

    Raises:
        Error: It does not start.
    """
    turn = _turns.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    async with turn, _environment(folder):
        try:
            playwright = await async_playwright().start()
        except Exception as error:  # it raises bare ones when the driver dies
            raise Error(f"The driver does not start: {error}") from error
    try:
        yield playwright
    except BaseException:
        await playwright.stop()
        raise


def temporary(folder: Path) -> dict[str, str]:
    """Give the variables that name the folder for temporary files."""
    return dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder))


def home(folder: Path) -> dict[str, str]:
    """Give the variable that names a home where nobody knows the user's: the driver does not start without one."""
    try:
        Path.home()
    except RuntimeError:
        return {"HOME": str(folder)}
    return {}


@asynccontextmanager
async def _environment(folder: Path) -> AsyncIterator[None]:
    """Set, while the driver starts, what it inherits: it takes its temporary folder from nowhere else."""
    tempfile.gettempdir()  # remembered from now on, so nothing else of this process moves
    before = dict(os.environ)
    ours = {**temporary(folder), **home(folder)}
    os.environ.update(ours)
    os.environ.pop(FORCED_LOOPBACK, None)
    try:
        yield
    finally:
        for name in (*ours, FORCED_LOOPBACK):
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)
