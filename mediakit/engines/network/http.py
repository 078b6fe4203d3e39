"""HTTP/1.1 as the proxy forwards it."""

import asyncio
import contextlib
import re
import socket
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import h11

from mediakit.engines.network.lease import Lease

Headers = list[tuple[bytes, bytes]]

HOP_BY_HOP = frozenset(
    b"connection proxy-connection keep-alive te trailer transfer-encoding upgrade proxy-authenticate "
    b"proxy-authorization proxy-authentication-info".split()
)
"""Header fields that apply to a single connection (RFC 9110, section 7.6.1)."""

_AUTHORITY = rb"(?P<authority>(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))%s)"
_ABSOLUTE_FORM = re.compile(rb"http://" + _AUTHORITY % b"?" + rb"(?P<path>[/?][^#]*)?", re.IGNORECASE)
_AUTHORITY_FORM = re.compile(_AUTHORITY % b"", re.IGNORECASE)


class MalformedRequestError(ValueError):
    """The request is not one that a browser sends to a proxy."""


@dataclass(frozen=True, slots=True)
class Target:
    """Destination of a request."""

    host: str
    """In lower case; an IPv6 address without brackets."""
    port: int
    authority: bytes
    """Host and port as received, for the `Host` field."""
    path: bytes = b""
    """Path and query; empty for a tunnel."""

    @classmethod
    def of(cls, request: h11.Request) -> Self:
        """Parse the target of a request: authority form for CONNECT, absolute form with `http` for other methods.

        Raises:
            MalformedRequestError: The target has another form, or contains user information.
        """
        form = _AUTHORITY_FORM if is_connect(request) else _ABSOLUTE_FORM
        match = form.fullmatch(request.target)
        if match is None:
            raise MalformedRequestError("the request target has the wrong form")
        parts = match.groupdict()
        path = parts.get("path") or b"/"
        return cls(
            host=parts["host"].decode("ascii").strip("[]").lower(),
            port=int(parts["port"] or 80),
            authority=parts["authority"],
            path=path if path.startswith(b"/") else b"/" + path,
        )


def is_connect(request: h11.Request) -> bool:
    """Return whether a request opens a tunnel."""
    return request.method == b"CONNECT"


def check_framing(request: h11.Request) -> None:
    """Reject a request whose body length is ambiguous (RFC 9112, section 6.1).

    Raises:
        MalformedRequestError: The request has both a length and a transfer coding, or is a CONNECT with a body.
    """
    framing = [name for name, _ in request.headers if name in {b"content-length", b"transfer-encoding"}]
    if len(framing) > 1 or (framing and is_connect(request)):
        raise MalformedRequestError("the framing is ambiguous")


def to_origin(request: h11.Request, target: Target) -> h11.Request:
    """Return the request for the origin. The target overrides the `Host` field (RFC 9112, section 3.2.2)."""
    headers = [(b"Host", target.authority)]
    headers += [(name, value) for name, value in _end_to_end(request) if name.lower() != b"host"]
    if _field(request, b"transfer-encoding"):
        headers.append((b"Transfer-Encoding", b"chunked"))
    if _field(request, b"upgrade").lower() == b"websocket":
        headers += [(b"Connection", b"Upgrade"), (b"Upgrade", b"websocket")]
    else:
        headers.append((b"Connection", b"close"))
    return h11.Request(method=request.method, target=target.path, headers=headers)


def to_browser(response: h11.Response) -> h11.Response:
    """Return the response for the browser. Chunked coding overrides a length (RFC 9112, section 6.3)."""
    headers = _end_to_end(response)
    if _field(response, b"transfer-encoding"):
        headers = [(name, value) for name, value in headers if name.lower() != b"content-length"]
    return h11.Response(status_code=response.status_code, reason=response.reason, headers=headers)


def _end_to_end(message: h11.Request | h11.Response) -> Headers:
    connection_options = {token.strip() for token in _field(message, b"connection").lower().split(b",")}
    return [
        (name, value)
        for name, value in message.headers.raw_items()
        if name.lower() not in HOP_BY_HOP | connection_options
    ]


def _field(message: h11.Request | h11.Response, name: bytes) -> bytes:
    return b",".join(value for field, value in message.headers if field == name)


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
