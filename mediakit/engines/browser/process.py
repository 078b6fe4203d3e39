"""A running Chromium process and its reliable shutdown."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import psutil
from playwright.async_api import Browser, CDPSession, Error, Playwright

from mediakit.engines.browser.confinement import Confinement
from mediakit.engines.browser.scratch import Scratch

CLOSE_TIMEOUT_SECONDS = 5.0
"""A Chromium or driver that takes longer to close is killed."""


@dataclass(frozen=True)
class LocalProcess:
    """The processes and files of a Chromium on this machine."""

    pid: int
    driver_pid: int | None
    """Process ID of the driver, which can hang too."""
    scratch: Scratch
    confinement: Confinement


class ChromiumProcess:
    """A running Chromium with its Playwright driver."""

    def __init__(
        self,
        playwright: Playwright,
        browser: Browser,
        session: CDPSession,
        listener: socket.socket,
        local: LocalProcess | None,
        *,
        proxy_host: str = "127.0.0.1",
        clients: frozenset[str] | None = None,
    ) -> None:
        """Take ownership of a running Chromium.

        Args:
            playwright: The driver.
            browser: The browser.
            session: Chrome DevTools Protocol session of the browser.
            listener: Listening socket that the browser's pages use as their proxy.
            local: Processes and files to clean up, or None for a remote Chromium.
            proxy_host: Name or address of the proxy, as the browser's pages see it.
            clients: The only addresses that may use the listener; None for all that reach it.
        """
        self.browser = browser
        self.session = session
        self.listener = listener
        self.local = local
        self.proxy_host = proxy_host
        self.clients = clients
        self.killed = False
        """Whether `kill` was called."""
        self._playwright = playwright

    @property
    def alive(self) -> bool:
        """Whether the process can run another render."""
        return self.browser.is_connected() and not self.killed

    @property
    def proxy(self) -> str:
        """Proxy URL, as the browser's pages see it."""
        host = f"[{self.proxy_host}]" if ":" in self.proxy_host else self.proxy_host
        return f"http://{host}:{self.listener.getsockname()[1]}"

    async def ping(self) -> None:
        """Send a request to the main process of Chromium, and wait for its response.

        Raises:
            Error: Chromium or the driver has exited.
        """
        await self.session.send("Browser.getVersion")

    def kill(self) -> None:
        """Kill Chromium at once, even if it hangs."""
        if self.local and not self.killed:
            with suppress(ProcessLookupError):
                _kill(self.local.pid, group=True)
        self.killed = True

    async def close(self) -> None:
        """Stop Chromium and the driver, and remove their files."""
        try:
            for close in (self.browser.close, self._playwright.stop):
                await self._close_or_kill(close)
        finally:
            self.listener.close()
            if self.local:
                self.local.scratch.remove()

    async def _close_or_kill(self, close: Callable[[], Awaitable[None]]) -> None:
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
                await close()
        except (Error, TimeoutError):
            self.kill()
            self._kill_driver()

    def _kill_driver(self) -> None:
        if self.local and self.local.driver_pid:
            with suppress(ProcessLookupError):
                _kill(self.local.driver_pid)


def parent_pid(pid: int) -> int | None:
    """Return the process ID of the parent of a process, or None if the process has exited."""
    with suppress(psutil.Error):
        return psutil.Process(pid).ppid()
    return None


def _kill(pid: int, *, group: bool = False) -> None:
    if sys.platform == "win32":
        os.kill(pid, signal.SIGTERM)
    elif group:
        # The driver starts Chromium as the leader of its own process group.
        os.killpg(pid, signal.SIGKILL)
    else:
        os.kill(pid, signal.SIGKILL)
