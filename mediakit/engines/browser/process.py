"""A running Chromium process and its reliable shutdown."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from mediakit.engines.browser.client import BrowserClient
from mediakit.engines.browser.confinement import Confinement
from mediakit.engines.browser.protocol import ProtocolError, kill_group
from mediakit.engines.browser.scratch import Scratch

CLOSE_TIMEOUT_SECONDS = 5.0
"""A Chromium or driver that takes longer to close is killed."""


@dataclass(frozen=True)
class LocalProcess:
    """The processes and files of a Chromium on this machine."""

    pid: int
    driver_pid: int | None
    """Process ID of the driver, which can hang too; None for a Chromium without one."""
    scratch: Scratch
    confinement: Confinement


class ChromiumProcess:
    """A running Chromium."""

    def __init__(
        self,
        client: BrowserClient,
        listener: socket.socket,
        local: LocalProcess | None,
        *,
        proxy_host: str = "127.0.0.1",
        clients: frozenset[str] | None = None,
    ) -> None:
        """Take ownership of a running Chromium.

        Args:
            client: The connection to it.
            listener: Listening socket that the browser's pages use as their proxy.
            local: Processes and files to clean up, or None for a remote Chromium.
            proxy_host: Name or address of the proxy, as the browser's pages see it.
            clients: The only addresses that may use the listener; None for all that reach it.
        """
        self.client = client
        self.listener = listener
        self.local = local
        self.proxy_host = proxy_host
        self.clients = clients
        self.killed = False
        """Whether `kill` was called."""

    @property
    def alive(self) -> bool:
        """Whether the process can run another render."""
        return self.client.is_connected and not self.killed

    @property
    def proxy(self) -> str:
        """Proxy URL, as the browser's pages see it."""
        host = f"[{self.proxy_host}]" if ":" in self.proxy_host else self.proxy_host
        return f"http://{host}:{self.listener.getsockname()[1]}"

    async def ping(self) -> None:
        """Send a request to the main process of Chromium, and wait for its response.

        Raises:
            ProtocolError: Chromium or the driver has exited.
        """
        await self.client.session.send("Browser.getVersion")

    def kill(self) -> None:
        """Kill Chromium at once, even if it hangs."""
        if self.local and not self.killed:
            with suppress(ProcessLookupError):
                _kill(self.local.pid, group=True)
        self.killed = True

    async def close(self) -> None:
        """Stop Chromium and the driver, and remove their files."""
        try:
            for step in self.client.closing_steps:
                await self._finish_or_kill(step)
        finally:
            self.listener.close()
            if self.local:
                self.local.scratch.remove()

    async def _finish_or_kill(self, step: Callable[[], Awaitable[None]]) -> None:
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
                await step()
        except (ProtocolError, TimeoutError):
            self.kill()
            self._kill_driver()

    def _kill_driver(self) -> None:
        if self.local and self.local.driver_pid:
            with suppress(ProcessLookupError):
                _kill(self.local.driver_pid)


async def kill_and_close(client: BrowserClient, pid: int) -> None:
    """Kill a Chromium that is not used, and release its connection."""
    with suppress(ProcessLookupError):
        _kill(pid, group=True)
    for step in client.closing_steps:
        with suppress(ProtocolError):
            await step()


def _kill(pid: int, *, group: bool = False) -> None:
    if sys.platform == "win32":
        os.kill(pid, signal.SIGTERM)
    elif group:
        kill_group(pid)  # Chromium leads its own process group
    else:
        os.kill(pid, signal.SIGKILL)
