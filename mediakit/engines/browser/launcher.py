"""Runs in Chromium's place for a moment: confines the process, then becomes Chromium.

It uses the standard library alone, for it runs as a script of its own (`confine.py` says how), before which nothing
of mediakit may be imported:

    python -I -S launcher.py SOCKET NAMESPACE USER CHROMIUM ARGUMENTS...

NAMESPACE is 1 to leave the network but for a new one that holds a single door: a listening socket on 127.0.0.1, sent
through the Unix socket SOCKET to the one who accepts on it. USER is a user's number to become, or empty.
"""

import ctypes
import fcntl
import os
import socket
import struct
import sys
from pathlib import Path

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
PR_SET_NO_NEW_PRIVS = 38
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
"""Of unshare(2), prctl(2) and netdevice(7)."""

BACKLOG = 128


def main(address: str, namespace: str, user: str, *command: str) -> None:
    """Confine this process and become the command."""
    if namespace == "1":
        # Connected before the networks part; a Unix socket outlives that.
        with socket.socket(socket.AF_UNIX) as parent:
            knock(parent, Path(address))
            leave_the_network()
            with socket.create_server(("127.0.0.1", 0), backlog=BACKLOG) as door:
                socket.send_fds(parent, [b"\0"], [door.fileno()])
    if user:
        become(int(user), [argument.partition("=")[2] for argument in command if "user-data-dir=" in argument])
    os.execv(command[0], command)  # noqa: S606  # the browser that the parent has chosen


def knock(parent: socket.socket, address: Path) -> None:
    """Connect to a Unix socket by a name that is short enough: it may hold 107 bytes, unix(7) says."""
    folder = os.open(address.parent, os.O_RDONLY)
    parent.connect(f"/proc/self/fd/{folder}/{address.name}")
    os.close(folder)


def leave_the_network() -> None:
    """Move into a network of its own, with nothing in it but a loopback interface that is up.

    Raises:
        OSError: The system does not allow it.
    """
    uid, gid = os.getuid(), os.getgid()
    unshare(CLONE_NEWNET if uid == 0 else CLONE_NEWNET | CLONE_NEWUSER)
    if uid != 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sH22x", b"lo", 0)
        (flags,) = struct.unpack_from("16xH", fcntl.ioctl(control, SIOCGIFFLAGS, request))
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", flags | IFF_UP))


def become(user: int, folders: list[str]) -> None:
    """Give up root for good, taking along the folders that Chromium writes into."""
    for folder in folders:
        for path in (Path(folder), *Path(folder).rglob("*")):
            os.chown(path, user, user)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def unshare(flags: int) -> None:
    """Part from what this process shares with others; Python knows the system call from 3.12 on only."""
    if ctypes.CDLL(None, use_errno=True).unshare(flags):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    main(*sys.argv[1:])
