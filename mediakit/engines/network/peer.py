"""One side of a proxied exchange: a socket with HTTP/1.1 framing."""

import asyncio
import contextlib
import re
import socket
from types import TracebackType
from typing import Self

import h11

from mediakit.engines.network.lease import Lease
from mediakit.engines.network.message import MalformedRequestError

CHUNK_BYTES = 64 * 1024
"""Bytes per read, and the limit of a message's header section."""

LINGER_TIMEOUT_SECONDS = 1.0

_BARE_LF = re.compile(rb"(?<!\r)\n")


class Peer:
    """The browser (the proxy acts as its server) or an origin (the proxy acts as its client).

    The context manager closes the connection gracefully, or aborts it after an exception.
    """

    def __init__(
        self,
        role: type[h11.CLIENT | h11.SERVER],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        lease: Lease,
    ) -> None:
        self.http = h11.Connection(role, max_incomplete_event_size=CHUNK_BYTES)
        self._reader = reader
        self._writer = writer
        self._lease = lease
        lease.register(writer.transport)
        # asyncio sets this only on sockets that it creates. Without it, small writes wait 40 ms.
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._writer.close()
                with contextlib.suppress(OSError):
                    await self._writer.wait_closed()
        finally:
            self.abort()

    def abort(self) -> None:
        """Abort the connection."""
        self._lease.release(self._writer.transport)

    async def read(self) -> bytes:
        """Read up to `CHUNK_BYTES`; empty at the end of the stream."""
        data = await self._reader.read(CHUNK_BYTES)
        self._lease.count_bytes(len(data))
        return data

    async def write(self, data: bytes) -> None:
        """Send bytes, and wait while the send buffer is full."""
        self._writer.write(data)
        await self._writer.drain()

    def write_eof(self) -> None:
        """Close the sending direction and keep reading."""
        self._writer.write_eof()

    async def linger(self) -> None:
        """Wait until the other side has read the response; closing with unread bytes would reset the connection."""
        self._writer.write_eof()
        with contextlib.suppress(OSError):
            async with asyncio.timeout(LINGER_TIMEOUT_SECONDS):
                while await self.read():
                    pass

    async def send(self, event: h11.Event) -> None:
        """Send one event of an HTTP message."""
        if data := self.http.send(event):
            await self.write(data)

    async def next_event(self) -> h11.Event | type[h11.PAUSED]:
        """Receive the next event of an HTTP message."""
        while True:
            event = self.http.next_event()
            if not isinstance(event, type) or event is h11.PAUSED:
                return event
            self.http.receive_data(await self.read())

    async def receive_request(self) -> h11.Request | None:
        """Receive the header section of a request, or None when the browser has closed the connection.

        Raises:
            MalformedRequestError: The header section is malformed or too large.
        """
        header = await self._header_section()
        if not header:
            return None
        self.http.receive_data(header)
        try:
            event = self.http.next_event()
        except h11.RemoteProtocolError as error:
            raise MalformedRequestError("the header section is malformed") from error
        if not isinstance(event, h11.Request):
            raise MalformedRequestError("the header section is malformed")
        return event

    async def _header_section(self) -> bytes:
        """Read up to the empty line. Reject bare line feeds, which h11 accepts and other parsers do not."""
        header = bytearray()
        end = -1
        while end < 0:
            checked = len(header)
            header += await self.read()
            if len(header) == checked:
                return b""
            end = header.find(b"\r\n\r\n", max(0, checked - 3))
            limit = len(header) if end < 0 else end
            if limit > CHUNK_BYTES or _BARE_LF.search(header, max(0, checked - 1), limit):
                raise MalformedRequestError("the header section is too large or contains a bare line feed")
        return bytes(header)
