"""How Chromium is confined on this machine: Chromium's sandbox around its renderers, and a network namespace.

In the network namespace, the only reachable address is the proxy of the current render, and the kernel enforces that.
Where the system does not allow namespaces, Chromium's own flags restrict its network.
"""

import asyncio
import os
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

LAUNCHER_SCRIPT = Path(__file__).with_name("launcher.py")

SOCKET_NAME = "listener"
"""Name of the Unix socket through which the launcher sends its listening socket."""

BACKLOG = 128
"""Pending connections. A browser opens at most 32 connections to one proxy."""

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


class Launcher:
    """The command that starts Chromium. It runs the launcher script if the confinement requires it."""

    def __init__(self, chromium: Path, confinement: Confinement, folder: Path) -> None:
        """Create the command.

        Args:
            chromium: The Chromium executable.
            confinement: The measures to apply before Chromium starts.
            folder: Writable folder for the command and for Chromium. It must exist as long as Chromium runs.

        Raises:
            OSError: The system does not allow the confinement.
        """
        self.command = chromium
        self._unix_socket: socket.socket | None = None
        with ExitStack() as on_failure:
            self._resources = on_failure
            if confinement.namespace:
                self._unix_socket = self._listen(folder)
            if confinement.drops_root:
                os.chown(folder, UNPRIVILEGED_UID, UNPRIVILEGED_UID)
            if confinement.needs_launcher:
                self.command = self._executable(_script(chromium, confinement, folder), folder)
            self._resources = on_failure.pop_all()

    async def listener(self) -> socket.socket:
        """Return a listening socket that Chromium's pages can connect to. Call it after Chromium has started."""
        if self._unix_socket is None:
            return loopback_listener()
        connection, _ = await asyncio.get_running_loop().sock_accept(self._unix_socket)
        with connection:
            connection.settimeout(1)
            _, descriptors, _, _ = socket.recv_fds(connection, 1, 1)
        return socket.socket(fileno=descriptors[0])

    def close(self) -> None:
        """Release the Unix socket and the command."""
        self._resources.close()

    def _listen(self, folder: Path) -> socket.socket:
        unix_socket = self._resources.enter_context(socket.socket(socket.AF_UNIX))
        with short_path(folder) as short:
            unix_socket.bind(f"{short}/{SOCKET_NAME}")
        self._resources.callback((folder / SOCKET_NAME).unlink)
        unix_socket.listen(1)
        unix_socket.settimeout(0)
        return unix_socket

    def _executable(self, script: str, folder: Path) -> Path:
        """Write a script to a file that can be executed."""
        if os.statvfs(folder).f_flag & os.ST_NOEXEC:
            return self._executable_in_memory(script)
        path = folder / "chromium"
        path.write_text(script)
        path.chmod(0o755)
        return path

    def _executable_in_memory(self, script: str) -> Path:
        with open(os.memfd_create("chromium"), "w") as file:  # noqa: PTH123  # a memory file has no path
            file.write(script)
            file.flush()
            # A file that is open for writing cannot be executed.
            descriptor = os.open(f"/proc/self/fd/{file.fileno()}", os.O_RDONLY)
        self._resources.callback(os.close, descriptor)
        return Path(f"/proc/{os.getpid()}/fd/{descriptor}")


@contextmanager
def short_path(folder: Path) -> Iterator[str]:
    """Yield a short alias of a folder, because the path of a Unix socket is limited to 107 bytes (unix(7))."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)


def _script(chromium: Path, confinement: Confinement, folder: Path) -> str:
    user = str(UNPRIVILEGED_UID) if confinement.drops_root else ""
    arguments = (folder / SOCKET_NAME, int(confinement.namespace), user, chromium)
    command = shlex.join(map(str, (sys.executable, "-I", "-S", LAUNCHER_SCRIPT, *arguments)))
    return f'#!/bin/sh\nexec {command} "$@"\n'


def loopback_listener() -> socket.socket:
    """Return a socket that listens on a free port of 127.0.0.1."""
    return socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
