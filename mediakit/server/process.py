"""A server process seen from the inside: its socket and its configuration."""

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from mediakit.core.messages import quote
from mediakit.core.snippets.http import NOTEBOOK_PORT
from mediakit.errors import InvalidInput

LOCALHOST = "127.0.0.1"

SHUTDOWN_TIMEOUT_SECONDS = 30
"""Maximum time to wait for running requests when the server stops."""

PORTS_TO_TRY = 20
"""Number of ports to try, starting at 8765, before the system selects any free port.

A restarted kernel thus often uses the same port as before, and saved links continue to work.
"""

MAX_DEFAULT_CONNECTIONS = 2048
MIN_DEFAULT_CONNECTIONS = 16
RESERVED_DESCRIPTORS = 128
"""File descriptors for the database, the browser, worker processes and the log."""
DESCRIPTORS_PER_CONNECTION = 2
"""A socket, and the file of a result or a temporary link that is being sent."""

_UNSENT_BYTES = 16_384
"""Bytes of a connection that the system holds before it sends them, on Linux and macOS.

Unread responses thus take little kernel memory, and a slow reader makes steady progress.
"""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        InvalidInput: The port is taken or out of range, or the host is not an address of this machine.
    """
    if port not in range(2**16):
        raise InvalidInput(f"port: must be between 0 and 65535, got {quote(port)}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only on sockets whose protocol is TCP.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        reason = f"cannot listen on {host}:{port}: {error.strerror}"
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            raise InvalidInput(f"port: {reason}. Choose another port.") from error
        raise InvalidInput(f"host: {reason}. Use an address of this machine, such as 127.0.0.1.") from error
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)  # accepted sockets inherit it
    sock.listen(2048)
    sock.setblocking(False)  # noqa: FBT003  # setblocking() takes a positional argument
    return sock


def server_url(host: str, port: int) -> str:
    """Return the URL of a server. A wildcard address is replaced by the loopback address."""
    host = {"0.0.0.0": LOCALHOST, "::": "::1"}.get(host, host)  # noqa: S104  # compared, not bound
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def listen_on_any_port(host: str, first: int | None) -> socket.socket:
    """Return a listening socket on the port `first`, on one of `PORTS_TO_TRY` ports, or on any free port."""
    for port in dict.fromkeys((first or NOTEBOOK_PORT, *range(NOTEBOOK_PORT, NOTEBOOK_PORT + PORTS_TO_TRY))):
        try:
            return listen(host, port)
        except InvalidInput as error:
            if not isinstance(error.__cause__, OSError) or error.__cause__.errno != errno.EADDRINUSE:
                raise
    return listen(host, 0)


def config(
    app: ASGIApp | str,
    *,
    log_config: dict[str, Any] | None = None,
    max_connections: int | None = None,
    **options: Any,
) -> uvicorn.Config:
    """Return the uvicorn configuration of the app.

    Args:
        app: The app, or the path of a function that returns it.
        log_config: Configuration of the loggers. By default, that of the process does not change.
        max_connections: Maximum number of connections per process. By default, it depends on the limit for file
            descriptors.
        options: Other options of uvicorn.
    """
    from mediakit.api.http_protocol import HttpConfig

    return HttpConfig(
        app,
        ws="none",
        max_connections=max_connections or default_max_connections(),
        log_config=log_config,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the app reads them, and knows which proxies to trust
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_SECONDS,
        **options,
    )


def default_max_connections() -> int:
    """Return the number of connections for which the process has enough file descriptors."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return MAX_DEFAULT_CONNECTIONS
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if limit == resource.RLIM_INFINITY:
        return MAX_DEFAULT_CONNECTIONS
    available = (limit - RESERVED_DESCRIPTORS) // DESCRIPTORS_PER_CONNECTION
    return max(MIN_DEFAULT_CONNECTIONS, min(available, MAX_DEFAULT_CONNECTIONS))


def raise_descriptor_limit() -> None:
    """Raise the limit of this process for file descriptors as far as the system allows, for more connections."""
    with suppress(ModuleNotFoundError):  # Windows
        import resource

        wanted = RESERVED_DESCRIPTORS + DESCRIPTORS_PER_CONNECTION * MAX_DEFAULT_CONNECTIONS
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft not in (resource.RLIM_INFINITY, hard) and soft < wanted:
            limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


class KernelServer(uvicorn.Server):
    """A uvicorn server that installs no signal handlers; the kernel has its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Change no signal handlers."""
        yield


class Processes(Multiprocess):
    """Several server processes. When they stop, the system refuses new connections at once."""

    def terminate_all(self) -> None:
        """Close the listening sockets here first, so that no connection waits for a process that has ended."""
        for sock in self.sockets:
            sock.close()
        super().terminate_all()
