"""The filtering proxy that all of a page's traffic goes through: one listening port per render.

The port says which render a connection belongs to. Proxy credentials would say it too, but they make Playwright
intercept every request, which costs several times as much.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

import h11

from mediakit.engines.network.addresses import Guard
from mediakit.engines.network.connection import Connection
from mediakit.engines.network.dial import Dialer
from mediakit.engines.network.lease import Budget, Lease
from mediakit.engines.network.peer import CHUNK, Peer
from mediakit.engines.network.resolve import Resolve, system_resolve

BACKLOG = 128
"""Connections that may wait to be accepted; a browser opens at most 32 to one proxy."""


class EgressProxy:
    """Lends renders a way to the public internet, and to what the operator allows beyond it.

    Chromium must be told to use no other way: `--proxy-bypass-list=<-loopback>`, no QUIC, no WebRTC over UDP.
    """

    def __init__(self, guard: Guard, *, resolve: Resolve = system_resolve) -> None:
        """Make a proxy; it opens no socket until the first lease.

        Args:
            guard: Which addresses may be reached.
            resolve: Gives the literal addresses of a name.
        """
        self._guard = guard
        self._resolve = resolve
        self._own_ports: set[int] = set()

    @contextlib.asynccontextmanager
    async def lease(
        self, budget: Budget | None = None, *, listener: socket.socket | None = None
    ) -> AsyncIterator[Lease]:
        """Open a port for one render; leaving the block closes it and cuts every connection.

        Args:
            budget: What the render may use; `Budget()` when left out.
            listener: A listening socket to accept on instead of a new port on 127.0.0.1, such as one that lives in
                the browser's network namespace. It stays open and is the caller's to close.
        """
        own = _loopback_listener() if listener is None else _borrowed(listener)
        port = own.getsockname()[1]
        lease = Lease(budget or Budget(), port)
        dialer = Dialer(lease, self._guard, self._resolve, self._own_ports)
        server = await asyncio.start_server(lambda *streams: _accept(lease, dialer, *streams), sock=own, limit=CHUNK)
        timer = asyncio.get_running_loop().call_later(lease.budget.seconds, lease.run_out_of_time)
        self._own_ports.add(port)
        try:
            yield lease
        finally:
            timer.cancel()
            lease.cut()
            try:
                await _settle(own)
            finally:
                server.close()
            self._own_ports.discard(port)
            await lease.finished()


def _accept(lease: Lease, dialer: Dialer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if lease.full:
        writer.transport.abort()
    else:
        lease.serve(Connection(Peer(h11.SERVER, reader, writer, lease), dialer, lease).serve())


async def _settle(listener: socket.socket) -> None:
    """Let connections that were just accepted arrive: a server that is closed before they do forgets them, open."""
    with contextlib.suppress(NotImplementedError):  # Windows accepts in another way
        asyncio.get_running_loop().remove_reader(listener)
    await asyncio.sleep(0)


def _loopback_listener() -> socket.socket:
    listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    listener.settimeout(0)
    return listener


def _borrowed(listener: socket.socket) -> socket.socket:
    """Share a caller's listener, without the connections that an earlier render left waiting."""
    own = listener.dup()
    own.settimeout(0)
    with contextlib.suppress(BlockingIOError):
        while True:
            own.accept()[0].close()
    return own
