"""One side of a proxied exchange: a socket and the HTTP/1.1 framing of what passes through it."""

import asyncio
import contextlib
import re
import socket
from types import TracebackType
from typing import Self

import h11

from mediakit.engines.network.lease import Lease
from mediakit.engines.network.message import MalformedRequestError

CHUNK = 64 * 1024
"""Bytes read at a time, and the most that a message's head may have."""

LINGER_SECONDS = 1.0

_BARE_LF = re.compile(rb"(?<!\r)\n")


class Peer:
    """The browser (our role is the server's) or an origin (our role is the client's).

    As a context manager it closes its connection in peace, and at once after an error.
    """

    def __init__(
        self,
        role: type[h11.CLIENT | h11.SERVER],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        lease: Lease,
    ) -> None:
        self.http = h11.Connection(role, max_incomplete_event_size=CHUNK)
        self._reader = reader
        self._writer = writer
        self._lease = lease
        lease.hold(writer.transport)
        # asyncio does this for the sockets that it made itself, and small writes wait 40 ms without it.
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
        """Close the connection at once."""
        self._lease.release(self._writer.transport)

    async def read(self) -> bytes:
        """Read what comes next, up to a chunk; nothing at the end."""
        data = await self._reader.read(CHUNK)
        self._lease.count_bytes(len(data))
        return data

    async def write(self, data: bytes) -> None:
        """Send bytes, waiting while the other side is slow."""
        self._writer.write(data)
        await self._writer.drain()

    def write_eof(self) -> None:
        """Say that no more will be sent, and stay open to read."""
        self._writer.write_eof()

    async def linger(self) -> None:
        """Let the other side read the last answer: closing on bytes that were not read would reset the connection."""
        self._writer.write_eof()
        with contextlib.suppress(OSError):
            async with asyncio.timeout(LINGER_SECONDS):
                while await self.read():
                    pass

    async def send(self, event: h11.Event) -> None:
        """Send a part of an HTTP message."""
        if data := self.http.send(event):
            await self.write(data)

    async def next_event(self) -> h11.Event | type[h11.PAUSED]:
        """Receive the next part of an HTTP message."""
        while True:
            event = self.http.next_event()
            if not isinstance(event, type) or event is h11.PAUSED:
                return event
            self.http.receive_data(await self.read())

    async def receive_request(self) -> h11.Request | None:
        """Receive a request's head; None when the browser is done.

        Raises:
            MalformedRequestError: It breaks the framing of HTTP/1.1, or is too large.
        """
        head = await self._head()
        if not head:
            return None
        self.http.receive_data(head)
        try:
            event = self.http.next_event()
        except h11.RemoteProtocolError as error:
            raise MalformedRequestError("the head is malformed") from error
        if not isinstance(event, h11.Request):
            raise MalformedRequestError("the head is malformed")
        return event

    async def _head(self) -> bytes:
        """Read up to the blank line; h11 takes a bare line feed for a line's end, and other parsers do not."""
        head = bytearray()
        end = -1
        while end < 0:
            checked = len(head)
            head += await self.read()
            if len(head) == checked:
                return b""
            end = head.find(b"\r\n\r\n", max(0, checked - 3))
            limit = len(head) if end < 0 else end
            if limit > CHUNK or _BARE_LF.search(head, max(0, checked - 1), limit):
                raise MalformedRequestError("the head is too large or its lines end in a bare line feed")
        return bytes(head)
