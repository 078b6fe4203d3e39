"""A running Chromium, and its certain end."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import psutil
from playwright.async_api import Browser, Error, Playwright

from mediakit.engines.browser.confine import Confinement
from mediakit.engines.browser.scratch import Scratch

CLOSING = 5.0
"""Seconds that a Chromium may take to close before it is killed."""


@dataclass(frozen=True)
class Local:
    """What a Chromium of this machine leaves to end and to remove."""

    pid: int
    driver: int | None
    """Process of the driver, which may hang as well."""
    scratch: Scratch
    confinement: Confinement


class Launched:
    """A running Chromium with the driver that speaks to it."""

    def __init__(self, playwright: Playwright, browser: Browser, door: socket.socket, local: Local | None) -> None:
        """Take charge of a Chromium.

        Args:
            playwright: Its driver.
            browser: It.
            door: A socket that listens where its pages find their proxy.
            local: Its processes, if it runs on this machine.
        """
        self.browser = browser
        self.door = door
        self.local = local
        self.killed = False
        """Whether we ended it ourselves."""
        self._playwright = playwright

    @property
    def alive(self) -> bool:
        """Whether it can take another render."""
        return self.browser.is_connected() and not self.killed

    @property
    def proxy(self) -> str:
        """Address of the door as its pages see it."""
        return f"http://127.0.0.1:{self.door.getsockname()[1]}"

    def kill(self) -> None:
        """End it at once, however it hangs."""
        if self.local and not self.killed:
            with suppress(ProcessLookupError):
                _kill(self.local.pid, group=True)
        self.killed = True

    async def close(self) -> None:
        """End Chromium and the driver, and remove what they wrote."""
        try:
            for close in (self.browser.close, self._playwright.stop):
                await self._in_time(close)
        finally:
            self.door.close()
            if self.local:
                self.local.scratch.remove()

    async def _in_time(self, close: Callable[[], Awaitable[None]]) -> None:
        try:
            async with asyncio.timeout(CLOSING):
                await close()
        except (Error, TimeoutError):
            self.kill()
            self._kill_driver()

    def _kill_driver(self) -> None:
        if self.local and self.local.driver:
            with suppress(ProcessLookupError):
                _kill(self.local.driver)


def driver_of(chromium: int) -> int | None:
    """Give the process that has started a Chromium."""
    with suppress(psutil.Error):
        return psutil.Process(chromium).ppid()
    return None


def _kill(pid: int, *, group: bool = False) -> None:
    if sys.platform == "win32":
        os.kill(pid, signal.SIGTERM)
    elif group:
        # The driver starts Chromium as the leader of its own process group.
        os.killpg(pid, signal.SIGKILL)
    else:
        os.kill(pid, signal.SIGKILL)
