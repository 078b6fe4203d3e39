"""The proxy of the pages: its listening port, and each connection to it."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Container
from http import HTTPStatus

import h11

from mediakit.engines.network.addresses import Guard
from mediakit.engines.network.dial import BlockedError, Dialer, Resolve, system_resolve
from mediakit.engines.network.http import (
    CHUNK_BYTES,
    MalformedRequestError,
    Peer,
    Target,
    check_framing,
    is_connect,
    to_browser,
    to_origin,
)
from mediakit.engines.network.lease import Budget, Lease

logger = logging.getLogger(__name__)


class Connection:
    """Serves one connection of the browser."""

    def __init__(self, browser: Peer, dialer: Dialer, lease: Lease) -> None:
        self._browser = browser
        self._dialer = dialer
        self._lease = lease

    async def serve(self) -> None:
        """Handle requests until either side closes or the connection becomes a tunnel."""
        async with self._browser as browser:
            try:
                while request := await browser.receive_request():
                    await self._handle(request)
                    http = browser.http
                    is_done = http.our_state is h11.DONE and http.their_state is h11.DONE
                    if not is_done or http.trailing_data[0]:
                        return
                    http.start_next_cycle()
            except MalformedRequestError as error:
                logger.debug("Malformed request from the browser: %s.", error)
                await self._send_error(HTTPStatus.BAD_REQUEST)
            except (OSError, h11.ProtocolError) as error:
                logger.debug("A connection of the browser failed: %r", error)
                browser.abort()

    async def _handle(self, request: h11.Request) -> None:
        target = Target.of(request)
        check_framing(request)
        self._lease.count_request()
        origin = await self._connect(target)
        if origin is None:
            await self._send_error(HTTPStatus.BAD_GATEWAY)
            return
        async with origin:
            if is_connect(request):
                await self._browser.next_event()
                await self._browser.send(h11.Response(status_code=200, reason=b"Connection established", headers=[]))
                await self._tunnel(origin)
            else:
                await self._forward(request, target, origin)

    async def _connect(self, target: Target) -> Peer | None:
        """Connect to a target. Return None for a blocked and for an unreachable target, which must look the same."""
        try:
            streams = await self._dialer.dial(target)
        except BlockedError as reason:
            self._lease.count_blocked(target.host)
            logger.info("Blocked %s, port %d: %s.", target.host, target.port, reason)
        except OSError as error:
            self._record_failure(target, error)
        else:
            return Peer(h11.CLIENT, *streams, self._lease)
        return None

    async def _forward(self, request: h11.Request, target: Target, origin: Peer) -> None:
        try:
            await origin.send(to_origin(request, target))
            upload = self._lease.spawn(self._upload(origin))
            try:
                await self._relay_response(origin)
            finally:
                upload.cancel()
        except (OSError, h11.RemoteProtocolError) as error:
            if self._browser.http.our_state is not h11.SEND_RESPONSE:
                raise  # part of the response was sent, so only a broken connection can report the failure
            self._record_failure(target, error)
            await self._send_error(HTTPStatus.BAD_GATEWAY)

    async def _upload(self, origin: Peer) -> None:
        """Send the request body. The response can arrive meanwhile, for example when the body is too large."""
        try:
            while isinstance(event := await self._browser.next_event(), h11.Data):
                await origin.send(event)
            await origin.send(h11.EndOfMessage())
        except (OSError, h11.ProtocolError) as error:
            logger.debug("An upload failed: %r", error)
            origin.abort()

    async def _relay_response(self, origin: Peer) -> None:
        while True:
            match await origin.next_event():
                case h11.Data() as data:
                    await self._browser.send(data)
                case h11.Response() as response:
                    await self._browser.send(to_browser(response))
                case h11.InformationalResponse() as response:
                    await self._browser.send(response)
                    if response.status_code == 101:
                        return await self._tunnel(origin)
                case h11.EndOfMessage():
                    return await self._browser.send(h11.EndOfMessage())
                case _:
                    raise ConnectionError("the origin closed the connection before its response")

    async def _tunnel(self, origin: Peer) -> None:
        """Copy bytes in both directions until both sides have finished."""
        try:
            async with asyncio.TaskGroup() as copies:
                copies.create_task(_copy(self._browser, origin))
                copies.create_task(_copy(origin, self._browser))
        except* OSError as errors:
            raise ConnectionError("a tunnel failed") from errors

    async def _send_error(self, status: HTTPStatus) -> None:
        """Send a response without a body and close the connection."""
        headers = [("Content-Length", "0"), ("Connection", "close")]
        await self._browser.send(h11.Response(status_code=status, reason=status.phrase, headers=headers))
        await self._browser.send(h11.EndOfMessage())
        await self._browser.linger()

    def _record_failure(self, target: Target, error: Exception) -> None:
        self._lease.failed_hosts.add(target.host)
        logger.info("Could not reach %s, port %d.", target.host, target.port)
        logger.debug("%s, port %d: %r", target.host, target.port, error)


async def _copy(source: Peer, sink: Peer) -> None:
    data, _ = source.http.trailing_data
    data = data or await source.read()
    while data:
        await sink.write(data)
        data = await source.read()
    sink.write_eof()


BACKLOG = 128
"""Pending connections. A browser opens at most 32 connections to one proxy."""


class EgressProxy:
    """Gives renders access to the public internet and to the networks that the operator allows.

    Chromium must be started with flags that disable all other access:
    `--proxy-bypass-list=<-loopback>`, no QUIC, no WebRTC over UDP.
    """

    def __init__(self, guard: Guard, *, resolve: Resolve = system_resolve) -> None:
        """Create a proxy. It opens no socket before the first lease."""
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
        own = _own_listener(listener)
        port = own.getsockname()[1]
        lease = Lease(budget or Budget(), port)
        dialer = Dialer(lease, self._guard, self._resolve, self._own_ports)

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            is_client = clients is None or writer.get_extra_info("peername")[0] in clients
            if lease.full or not is_client:
                writer.transport.abort()
            else:
                lease.serve(Connection(Peer(h11.SERVER, reader, writer, lease), dialer, lease).serve())

        server = await asyncio.start_server(accept, sock=own, limit=CHUNK_BYTES)
        loop = asyncio.get_running_loop()
        timer = loop.call_later(lease.budget.seconds, lease.expire)
        self._own_ports.add(port)
        try:
            yield lease
        finally:
            timer.cancel()
            lease.close()
            try:
                # Handle connections that were just accepted; a server that closes before that leaves them open.
                with contextlib.suppress(NotImplementedError):  # the proactor event loop of Windows
                    loop.remove_reader(own)
                await asyncio.sleep(0)
            finally:
                server.close()
            self._own_ports.discard(port)
            await lease.wait_closed()


def _own_listener(listener: socket.socket | None) -> socket.socket:
    """Return a listener on 127.0.0.1, or a duplicate of one whose backlog of an earlier render is closed."""
    if listener is None:
        own = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
        own.settimeout(0)
        return own
    own = listener.dup()
    own.settimeout(0)
    with contextlib.suppress(BlockingIOError):
        while True:
            own.accept()[0].close()
    return own
