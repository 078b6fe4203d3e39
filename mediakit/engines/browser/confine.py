"""How far a Chromium can be confined on this machine: its renderers by the sandbox, all of it by a network of its own.

In a network namespace the only address there is is that of a render's proxy, so the kernel itself lets nothing past
it. Where the system allows no such thing, Chromium's own flags have to do.
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

SCRIPT = Path(__file__).with_name("launcher.py")
DOOR = "door"
"""Name of the Unix socket that the launcher sends its listening socket through."""

BACKLOG = 128
"""Connections that may wait to be accepted; a browser opens at most 32 to one proxy."""

NOBODY = 65534
"""The user without rights, by its number; Chromium refuses its sandbox to root."""


class Confinement(NamedTuple):
    """What holds a Chromium in."""

    namespace: bool
    """A network namespace: the kernel lets nothing past the proxy."""
    sandbox: bool
    """Chromium's own sandbox around the processes that draw pages."""

    @property
    def drops_root(self) -> bool:
        """Whether Chromium runs as another user than this process."""
        return self.sandbox and is_root()

    @property
    def needs_launcher(self) -> bool:
        """Whether something must be done between the driver and Chromium."""
        return self.namespace or self.drops_root

    def __str__(self) -> str:
        network = "a network of its own" if self.namespace else "this machine's network, behind the proxy"
        return f"{'sandbox' if self.sandbox else 'no sandbox'}, {network}"


BARE = Confinement(namespace=False, sandbox=False)


def ladder() -> Iterator[Confinement]:
    """Give the confinements to try, the best first."""
    for sandbox in (True, False):
        for namespace in (True, False):
            confinement = Confinement(namespace, sandbox)
            if sys.platform == "linux" or not confinement.needs_launcher:
                yield confinement


def is_root() -> bool:
    """Say whether this process may do everything."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


class Launcher:
    """The command that starts a Chromium: its own, or one that confines itself before it becomes Chromium."""

    def __init__(self, chromium: Path, confinement: Confinement, folder: Path) -> None:
        """Write the command.

        Args:
            chromium: What is started in the end.
            confinement: What is done first.
            folder: Where it and Chromium may write; it lasts as long as Chromium does.

        Raises:
            OSError: The system does not allow it.
        """
        self.command = chromium
        self._parent: socket.socket | None = None
        with ExitStack() as unless_all_is_well:
            self._ends = unless_all_is_well
            if confinement.namespace:
                self._parent = self._listen(folder)
            if confinement.drops_root:
                os.chown(folder, NOBODY, NOBODY)
            if confinement.needs_launcher:
                self.command = self._program(_script(chromium, confinement, folder), folder)
            self._ends = unless_all_is_well.pop_all()

    async def door(self) -> socket.socket:
        """Give a socket that listens where Chromium's pages find it; Chromium must have started."""
        if self._parent is None:
            return loopback_listener()
        child, _ = await asyncio.get_running_loop().sock_accept(self._parent)
        with child:
            child.settimeout(1)
            _, descriptors, _, _ = socket.recv_fds(child, 1, 1)
        return socket.socket(fileno=descriptors[0])

    def close(self) -> None:
        """Wait for Chromium's socket no longer."""
        self._ends.close()

    def _listen(self, folder: Path) -> socket.socket:
        parent = self._ends.enter_context(socket.socket(socket.AF_UNIX))
        with short(folder) as name:
            parent.bind(f"{name}/{DOOR}")
        self._ends.callback((folder / DOOR).unlink)
        parent.listen(1)
        parent.settimeout(0)
        return parent

    def _program(self, script: str, folder: Path) -> Path:
        """Write a script where it can be run."""
        if os.statvfs(folder).f_flag & os.ST_NOEXEC:
            return self._program_in_memory(script)
        program = folder / "chromium"
        program.write_text(script)
        program.chmod(0o755)
        return program

    def _program_in_memory(self, script: str) -> Path:
        with open(os.memfd_create("chromium"), "w") as file:  # noqa: PTH123  # it has no path
            file.write(script)
            file.flush()
            # What is open for writing cannot be run.
            program = os.open(f"/proc/self/fd/{file.fileno()}", os.O_RDONLY)
        self._ends.callback(os.close, program)
        return Path(f"/proc/{os.getpid()}/fd/{program}")


@contextmanager
def short(folder: Path) -> Iterator[str]:
    """Give a folder another name, since that of a Unix socket holds 107 bytes (unix(7))."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)


def _script(chromium: Path, confinement: Confinement, folder: Path) -> str:
    user = str(NOBODY) if confinement.drops_root else ""
    arguments = (folder / DOOR, int(confinement.namespace), user, chromium)
    return f'#!/bin/sh\nexec {shlex.join(map(str, (sys.executable, "-I", "-S", SCRIPT, *arguments)))} "$@"\n'


def loopback_listener() -> socket.socket:
    """Listen on a free port of 127.0.0.1."""
    return socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
