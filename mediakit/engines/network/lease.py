"""What one render may use of the network, and what it used."""

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
    """The most that one render may use; past it, all its connections are cut."""

    requests: int = 500
    """Plain requests and tunnels together."""
    connections: int = 64
    """Open at the same time; one more is closed unanswered, the others stay."""
    bytes: int = 64 * 2**20
    """Read from the browser and from origins, as they are on the wire."""
    seconds: float = 60.0
    """From the start of the lease."""


class Lease:
    """One render's way out: a port of its own, a budget, and the account of what happened.

    The counters stay readable after the lease has ended.
    """

    def __init__(self, budget: Budget, port: int) -> None:
        self.budget = budget
        self.port = port
        """Port on 127.0.0.1, as the browser sees it."""
        self.requests = 0
        """Plain requests and tunnels asked for, refused ones too."""
        self.bytes = 0
        """Bytes read from the browser and from origins."""
        self.refused = 0
        """Requests that the policy turned away."""
        self.refused_hosts: set[str] = set()
        """Hosts that the policy turned away at least once."""
        self.failed_hosts: set[str] = set()
        """Hosts that did not resolve, did not answer, or broke off before their answer began."""
        self.exhausted: Limit | None = None
        """The limit that ended the lease early."""
        self.closed = False
        self._open = 0
        self._transports: set[asyncio.WriteTransport] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def url(self) -> str:
        """Address to give the browser as its proxy."""
        return f"http://127.0.0.1:{self.port}"

    def count_request(self) -> None:
        """Count a request or a tunnel; the one too many cuts the lease."""
        self.requests += 1
        if self.requests > self.budget.requests:
            self._exhaust("requests")

    def count_bytes(self, size: int) -> None:
        """Count bytes that were read; the one too many cuts the lease."""
        self.bytes += size
        if self.bytes > self.budget.bytes:
            self._exhaust("bytes")

    def count_refusal(self, host: str) -> None:
        """Count a request that the policy turned away."""
        self.refused += 1
        self.refused_hosts.add(host)

    def run_out_of_time(self) -> None:
        """Cut the lease because its seconds have passed."""
        self._exhaust("seconds")

    @property
    def full(self) -> bool:
        """Whether one more connection would be too many."""
        return self.closed or self._open >= self.budget.connections

    def serve(self, work: Coroutine[Any, Any, None]) -> None:
        """Run the service of one browser connection."""
        self._open += 1
        self.spawn(work).add_done_callback(self._close_one)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a coroutine that ends with the lease at the latest."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._reap)
        return task

    def hold(self, transport: asyncio.WriteTransport) -> None:
        """Make a transport end with the lease at the latest."""
        self._transports.add(transport)

    def release(self, transport: asyncio.WriteTransport) -> None:
        """Close a transport at once and forget it."""
        transport.abort()
        self._transports.discard(transport)

    def cut(self) -> None:
        """Close every connection at once and accept no more; may be called twice."""
        self.closed = True
        for transport in self._transports:
            transport.abort()
        for task in self._tasks:
            task.cancel()

    async def finished(self) -> None:
        """Wait until nothing of a cut lease runs any more."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _exhaust(self, limit: Limit) -> None:
        if self.closed:
            return
        self.exhausted = limit
        logger.info("A render crossed its network budget of %s %s.", getattr(self.budget, limit), limit)
        self.cut()

    def _close_one(self, _: asyncio.Task[None]) -> None:
        self._open -= 1

    def _reap(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logger.error("A connection of the egress proxy broke.", exc_info=error)
