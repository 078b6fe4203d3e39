"""A running Chromium: its confinement, its temporary folder, and its end."""

import asyncio
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

import psutil

from mediakit.engines.browser.page import BrowserClient
from mediakit.engines.browser.protocol import ProtocolError, kill_group
from mediakit.engines.network.proxy import BACKLOG

PREFIX = "mediakit-browser-"
LOCK_NAME = "in-use"

MIN_AGE_SECONDS = 5.0
"""A newer folder without a lock is not removed, because another process may still be creating it."""


class Scratch:
    """A private folder in the system's temporary folder, locked by this process.

    Unlike a process ID, a lock is never reused, and it works between containers that share the folder.
    """

    def __init__(self) -> None:
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = (self.path / LOCK_NAME).open("w")
        _try_lock(self._lock)

    def remove(self) -> None:
        """Remove the folder and its content."""
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def sweep() -> None:
    """Remove the folders of processes that ended without removing them."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # owned by another user, or being removed by another process
            if time.time() - folder.stat().st_mtime > MIN_AGE_SECONDS and _is_unlocked(folder / LOCK_NAME):
                shutil.rmtree(folder, ignore_errors=True)


def _is_unlocked(lock: Path) -> bool:
    if not lock.exists():  # Chromium wrote files while its folder was being removed
        return True
    with lock.open("r+") as file:
        return _try_lock(file)


def _try_lock(file: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


LAUNCHER_SCRIPT = Path(__file__).with_name("launcher.py")

UNPRIVILEGED_UID = 65534
"""The user ID 65534, which has no rights. Chromium does not start its sandbox as root."""


class Confinement(NamedTuple):
    """The measures that confine a Chromium process."""

    namespace: bool
    """Chromium runs in its own network namespace, in which the kernel blocks everything but the proxy."""
    sandbox: bool
    """Chromium's own sandbox is on for the processes that render pages."""

    @property
    def drops_root(self) -> bool:
        """Whether Chromium runs as another user than this process."""
        return self.sandbox and is_root()

    @property
    def needs_launcher(self) -> bool:
        """Whether the launcher script must run before Chromium."""
        return self.namespace or self.drops_root

    def __str__(self) -> str:
        network = "own network namespace" if self.namespace else "network of this machine, through the proxy"
        return f"{'sandbox' if self.sandbox else 'no sandbox'}, {network}"


UNCONFINED = Confinement(namespace=False, sandbox=False)


def supported_confinements() -> Iterator[Confinement]:
    """Yield the confinements to try, the strongest first."""
    for sandbox in (True, False):
        for namespace in (True, False):
            confinement = Confinement(namespace, sandbox)
            if sys.platform == "linux" or not confinement.needs_launcher:
                yield confinement


def is_root() -> bool:
    """Return whether this process runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def confined_command(chromium: Path, confinement: Confinement, listener_fd: int) -> list[str]:
    """Return the begin of the command that starts Chromium, with the launcher script if the confinement requires it.

    The launcher sends its listening socket through the Unix socket with the file descriptor `listener_fd`.
    """
    if not confinement.needs_launcher:
        return [str(chromium)]
    socket_fd = str(listener_fd) if confinement.namespace else ""
    user = str(UNPRIVILEGED_UID) if confinement.drops_root else ""
    return [sys.executable, "-I", "-S", str(LAUNCHER_SCRIPT), socket_fd, user, str(chromium)]


def received_listener(unix_socket: socket.socket) -> socket.socket:
    """Return the listening socket that the launcher sent before Chromium started."""
    unix_socket.settimeout(1)
    _, descriptors, _, _ = socket.recv_fds(unix_socket, 1, 1)
    return socket.socket(fileno=descriptors[0])


def loopback_listener() -> socket.socket:
    """Return a socket that listens on a free port of 127.0.0.1."""
    return socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)


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
        """Take ownership of a running Chromium."""
        self.client = client
        self.listener = listener
        """Listening socket that the browser's pages use as their proxy."""
        self.local = local
        """Processes and files to clean up, or None for a remote Chromium."""
        self.proxy_host = proxy_host
        """Name or address of the proxy, as the browser's pages see it."""
        self.clients = clients
        """The only addresses that may use the listener; None for all that reach it."""
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
            kill_group(self.local.pid)
        self.killed = True

    async def close(self) -> None:
        """Stop Chromium and the driver, and remove their files."""
        try:
            for step in self.client.closing_steps:
                try:
                    async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
                        await step()
                except (ProtocolError, TimeoutError):
                    self.kill()
                    if self.local and self.local.driver_pid:
                        with suppress(psutil.Error):
                            psutil.Process(self.local.driver_pid).kill()
        finally:
            self.listener.close()
            if self.local:
                self.local.scratch.remove()


async def kill_and_close(client: BrowserClient) -> None:
    """Kill a Chromium that is not used, and release its connection."""
    kill_group(client.pid)
    for step in client.closing_steps:
        with suppress(ProtocolError):
            await step()
