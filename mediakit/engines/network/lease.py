"""Network limits and usage of one render."""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")
Limit = Literal["requests", "bytes", "seconds"]


@dataclass(frozen=True, slots=True)
class Budget:
    """Network limits of one render. Exceeding one closes all its connections."""

    requests: int = 500
    """Plain requests and tunnels."""
    connections: int = 64
    """Connections open at the same time. Further ones are closed without a response; the others stay open."""
    bytes: int = 64 * 2**20
    """Bytes read from the browser and from origins, on the wire."""
    seconds: float = 60.0
    """Time since the start of the lease."""


class Lease:
    """Network access of one render: its own proxy port, limits, and usage counters.

    The counters can be read after the lease has ended.
    """

    def __init__(self, budget: Budget, port: int) -> None:
        self.budget = budget
        self.port = port
        """Proxy port on 127.0.0.1, as the browser sees it."""
        self.requests = 0
        """Number of plain requests and tunnels, including blocked ones."""
        self.bytes = 0
        """Bytes read from the browser and from origins."""
        self.blocked = 0
        """Number of requests that the policy blocked."""
        self.blocked_hosts: set[str] = set()
        """Hosts that the policy blocked at least once."""
        self.failed_hosts: set[str] = set()
        """Hosts that did not resolve, did not accept the connection, or closed it before their response."""
        self.exhausted: Limit | None = None
        """The limit that was exceeded, if one was."""
        self.closed = False
        self._open = 0
        self._transports: set[asyncio.WriteTransport] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def url(self) -> str:
        """Proxy URL for the browser."""
        return f"http://127.0.0.1:{self.port}"

    def count_request(self) -> None:
        """Count a request or a tunnel. Exceeding the limit closes the lease."""
        self.requests += 1
        if self.requests > self.budget.requests:
            self._exhaust("requests")

    def count_bytes(self, size: int) -> None:
        """Count bytes that were read. Exceeding the limit closes the lease."""
        self.bytes += size
        if self.bytes > self.budget.bytes:
            self._exhaust("bytes")

    def count_blocked(self, host: str) -> None:
        """Count a request that the policy blocked."""
        self.blocked += 1
        self.blocked_hosts.add(host)

    def expire(self) -> None:
        """Close the lease because its time limit has passed."""
        self._exhaust("seconds")

    @property
    def full(self) -> bool:
        """Whether another connection would exceed the limit."""
        return self.closed or self._open >= self.budget.connections

    def serve(self, work: Coroutine[Any, Any, None]) -> None:
        """Run the coroutine that serves one connection of the browser."""
        self._open += 1
        self.spawn(work).add_done_callback(self._on_connection_closed)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a coroutine that is cancelled when the lease ends."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def register(self, transport: asyncio.WriteTransport) -> None:
        """Register a transport that is closed when the lease ends."""
        self._transports.add(transport)

    def release(self, transport: asyncio.WriteTransport) -> None:
        """Abort a transport and remove it from the lease."""
        transport.abort()
        self._transports.discard(transport)

    def close(self) -> None:
        """Abort all connections and accept no more. May be called more than once."""
        self.closed = True
        for transport in self._transports:
            transport.abort()
        for task in self._tasks:
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until all tasks of a closed lease have ended."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _exhaust(self, limit: Limit) -> None:
        if self.closed:
            return
        self.exhausted = limit
        logger.info("A render exceeded its network limit of %s %s.", getattr(self.budget, limit), limit)
        self.close()

    def _on_connection_closed(self, _: asyncio.Task[None]) -> None:
        self._open -= 1

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("A connection of the egress proxy failed.", exc_info=error)
