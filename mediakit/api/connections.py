"""The limit for the number of connections of a process, and which connection is closed when it is reached."""

import logging
import time
from contextlib import suppress
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import uvicorn
from uvicorn.server import ServerState

MAX_DEFAULT_CONNECTIONS = 2048
MIN_DEFAULT_CONNECTIONS = 16
RESERVED_DESCRIPTORS = 128
"""File descriptors for the database, the browser, worker processes and the log."""
DESCRIPTORS_PER_CONNECTION = 2
"""A socket, and the file of a temporary link that is being downloaded."""
MAX_REJECTED = 32
"""Connections over the limit that get a response at the same time; more are closed without one."""
LOG_INTERVAL_SECONDS = 60.0

_log = logging.getLogger("mediakit.api")


class Connection(Protocol):
    """A connection that can be closed to make room for another."""

    def evict(self) -> None:
        """Close the connection at once."""


class HttpConfig(uvicorn.Config):
    """uvicorn's configuration, and the maximum number of connections of a process."""

    def __init__(self, *args: Any, max_connections: int | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.max_connections = max_connections


class ConnectionLimit:
    """The open connections of a process. At the limit, the connection that has been idle longest is closed."""

    def __init__(self, maximum: int) -> None:
        self.maximum = maximum
        self._open: set[Connection] = set()
        self._idle: dict[Connection, None] = {}
        """Connections without a complete request head, the longest idle one first."""
        self._rejected: set[Connection] = set()
        self._next_log_time = 0.0

    def admit(self, connection: Connection) -> bool:
        """Add a new connection, and return whether there is room for it."""
        if len(self._open) >= self.maximum:
            self._evict_idle()
        if len(self._open) >= self.maximum:
            return False
        self._open.add(connection)
        self.set_idle(connection)
        return True

    def admit_rejected(self, connection: Connection) -> bool:
        """Add a connection over the limit, and return whether it gets a response before it is closed."""
        if time.monotonic() >= self._next_log_time:
            self._next_log_time = time.monotonic() + LOG_INTERVAL_SECONDS
            _log.warning("All %d connections are in use; new connections get a 503.", self.maximum)
        if len(self._rejected) >= MAX_REJECTED:
            return False
        self._rejected.add(connection)
        return True

    def set_idle(self, connection: Connection) -> None:
        """Record that a connection waits for a request."""
        if connection in self._open:
            self._idle[connection] = None

    def set_busy(self, connection: Connection) -> None:
        """Record that a connection has a request to respond to."""
        self._idle.pop(connection, None)

    def remove(self, connection: Connection) -> None:
        """Remove a connection that was closed."""
        self._open.discard(connection)
        self._idle.pop(connection, None)
        self._rejected.discard(connection)

    def _evict_idle(self) -> None:
        if connection := next(iter(self._idle), None):
            self.remove(connection)
            connection.evict()


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


_limits: WeakKeyDictionary[ServerState, ConnectionLimit] = WeakKeyDictionary()


def connection_limit(state: ServerState, config: uvicorn.Config) -> ConnectionLimit:
    """Return the limit that all connections of a server share."""
    limit = _limits.get(state)
    if limit is None:
        maximum = config.max_connections if isinstance(config, HttpConfig) else None
        limit = _limits[state] = ConnectionLimit(maximum or default_max_connections())
    return limit
