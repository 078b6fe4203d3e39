"""The filtering proxy for all traffic of rendered pages, with one listening port per render.

The port identifies the render of a connection. Proxy credentials could too, but with credentials Playwright intercepts
every request, which takes several times as long.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Container

import h11

from mediakit.engines.network.addresses import Guard
from mediakit.engines.network.connection import Connection
from mediakit.engines.network.dial import Dialer
from mediakit.engines.network.lease import Budget, Lease
from mediakit.engines.network.peer import CHUNK_BYTES, Peer
from mediakit.engines.network.resolve import Resolve, system_resolve

BACKLOG = 128
"""Pending connections. A browser opens at most 32 connections to one proxy."""


class EgressProxy:
    """Gives renders access to the public internet and to the networks that the operator allows.

    Chromium must be started with flags that disable all other access:
    `--proxy-bypass-list=<-loopback>`, no QUIC, no WebRTC over UDP.
    """

    def __init__(self, guard: Guard, *, resolve: Resolve = system_resolve) -> None:
        """Create a proxy. It opens no socket before the first lease.

        Args:
            guard: Checks which addresses may be reached.
            resolve: Returns the literal addresses of a name.
        """
        self._guard = guard
        self._resolve = resolve
        self._own_ports: set[int] = set()

    @contextlib.asynccontextmanager
    async def lease(
        self,
        budget: Budget | None = None,
        *,
        listener: socket.socket | None = None,
        clients: Container[str] | None = None,
    ) -> AsyncIterator[Lease]:
        """Open a port for one render. At the end of the block, the port and all connections are closed.

        Args:
            budget: Limits of the render; `Budget()` by default.
            listener: Listening socket to use instead of a new port on 127.0.0.1, for example one in the network
                namespace of the browser. The caller must close it.
            clients: The only addresses that may connect; None for all that reach the listener.
        """
        own = _loopback_listener() if listener is None else _duplicate(listener)
        port = own.getsockname()[1]
        lease = Lease(budget or Budget(), port)
        dialer = Dialer(lease, self._guard, self._resolve, self._own_ports)
        server = await asyncio.start_server(
            lambda *streams: _accept(lease, dialer, clients, *streams), sock=own, limit=CHUNK_BYTES
        )
        timer = asyncio.get_running_loop().call_later(lease.budget.seconds, lease.expire)
        self._own_ports.add(port)
        try:
            yield lease
        finally:
            timer.cancel()
            lease.close()
            try:
                await _accept_pending(own)
            finally:
                server.close()
            self._own_ports.discard(port)
            await lease.wait_closed()


def _accept(
    lease: Lease,
    dialer: Dialer,
    clients: Container[str] | None,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    is_client = clients is None or writer.get_extra_info("peername")[0] in clients
    if lease.full or not is_client:
        writer.transport.abort()
    else:
        lease.serve(Connection(Peer(h11.SERVER, reader, writer, lease), dialer, lease).serve())


async def _accept_pending(listener: socket.socket) -> None:
    """Handle connections that were just accepted; a server that closes before that leaves them open."""
    with contextlib.suppress(NotImplementedError):  # the proactor event loop of Windows
        asyncio.get_running_loop().remove_reader(listener)
    await asyncio.sleep(0)


def _loopback_listener() -> socket.socket:
    listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    listener.settimeout(0)
    return listener


def _duplicate(listener: socket.socket) -> socket.socket:
    """Duplicate a listener and close connections that an earlier render left in its backlog."""
    own = listener.dup()
    own.settimeout(0)
    with contextlib.suppress(BlockingIOError):
        while True:
            own.accept()[0].close()
    return own
