"""Script that confines its own process and then replaces it with Chromium.

It runs as a standalone script (see `process.py`) and uses only the standard library, because mediakit cannot be
imported in the confined process:

    python -I -S launcher.py SOCKET USER CHROMIUM ARGUMENTS...

SOCKET is the file descriptor of a Unix socket, or empty. With one, the process enters a new network namespace, listens
on 127.0.0.1 inside it, and sends the listening socket through the Unix socket. USER is the user ID to switch to, or
empty.
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
"""Constants of unshare(2), prctl(2) and netdevice(7)."""

BACKLOG = 128


def main(unix_socket: str, user: str, *command: str) -> None:
    """Confine this process and execute the command."""
    if unix_socket:
        with socket.socket(fileno=int(unix_socket)) as parent:
            enter_network_namespace()
            with socket.create_server(("127.0.0.1", 0), backlog=BACKLOG) as listener:
                socket.send_fds(parent, [b"\0"], [listener.fileno()])
    if user:
        drop_root(int(user), [argument.partition("=")[2] for argument in command if "user-data-dir=" in argument])
    os.execv(command[0], command)  # noqa: S606  # the browser that the parent selected


def enter_network_namespace() -> None:
    """Enter a new network namespace that has only a loopback interface, and bring the interface up.

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


def drop_root(user: int, folders: list[str]) -> None:
    """Switch to an unprivileged user for good, and make the user own the folders that Chromium writes to."""
    for folder in folders:
        for path in (Path(folder), *Path(folder).rglob("*")):
            os.chown(path, user, user)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def unshare(flags: int) -> None:
    """Move this process into new namespaces. The `os` module has this call only since Python 3.12."""
    if ctypes.CDLL(None, use_errno=True).unshare(flags):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    main(*sys.argv[1:])
