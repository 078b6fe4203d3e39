"""Playwright's driver: the process that stands between this one and a Chromium.

It ends when its pipe closes, and Chromium with it, so even a killed process leaves neither behind.
"""

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from playwright.async_api import Error, Playwright, async_playwright

FORCED_LOOPBACK = "PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK"
"""A variable that lets pages reach this machine past the proxy."""


@asynccontextmanager
async def driver(folder: Path) -> AsyncIterator[Playwright]:
    """Start a driver that writes into a folder; it stays unless the block fails.

    Raises:
        Error: It does not start.
    """
    with _environment(folder):
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


@contextmanager
def _environment(folder: Path) -> Iterator[None]:
    """Set, while the driver starts, what it inherits: it takes its temporary folder from nowhere else."""
    tempfile.gettempdir()  # remembered from now on, so nothing else of this process moves
    before = dict(os.environ)
    os.environ.update(temporary(folder))
    os.environ.pop(FORCED_LOOPBACK, None)
    try:
        yield
    finally:
        for name in (*temporary(folder), FORCED_LOOPBACK):
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)
