"""A canary server on loopback that records every contact, down to a bare connection.

The first part of the path names the vector that made the contact. Vectors that send no path use a port of their own.
Each port listens on TCP and UDP, on 127.0.0.1 and ::1. A connection that starts with a TLS handshake gets an untrusted
certificate.
"""

import contextlib
import selectors
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

import trustme

Kind = Literal["connection", "datagram", "tls", "http", "websocket"]

SECRET = "the-canary-sang"
"""Text that only the canary's pages contain."""
COLOR = (255, 0, 254)
"""Color that only the canary's images and pages have."""

_CSS_COLOR = f"rgb{COLOR}"
_SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'>"
    f"<rect width='40' height='40' fill='{_CSS_COLOR}'/></svg>"
)
_RESPONSES = {
    ".html": ("text/html", f"<body style='background:{_CSS_COLOR}'>{SECRET}"),
    ".svg": ("image/svg+xml", _SVG),
    ".css": ("text/css", f"body{{background:{_CSS_COLOR}!important}} body::after{{content:'{SECRET}'}}"),
    ".js": ("text/javascript", f"globalThis.document?.body?.append('{SECRET}')"),
    ".vtt": ("text/vtt", f"WEBVTT\n\n00:00.000 --> 01:00.000\n{SECRET}\n"),
    ".json": ("application/json", "{}"),
}


class Contact(NamedTuple):
    """One connection, datagram or request."""

    kind: Kind
    vector: str
    """Name of the vector, or an empty string if only the common port is known."""
    detail: str = ""


class Canary:
    """Listens until `close`. Its threads append to `contacts`."""

    def __init__(self) -> None:
        self.contacts: list[Contact] = []
        self._selector = selectors.DefaultSelector()
        self._ports: dict[str, int] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self.port = self.port_of("")
        self._thread = threading.Thread(target=self._run, name="canary", daemon=True)
        self._thread.start()

    def port_of(self, vector: str) -> int:
        """Return the port of one vector, and open it on the first call."""
        with self._lock:
            if vector not in self._ports:
                self._ports[vector] = self._open(vector)
            return self._ports[vector]

    def url(self, vector: str, suffix: str = ".png", host: str = "127.0.0.1") -> str:
        """Return a URL without its scheme: `//host:port/vector.suffix`."""
        return f"//{host}:{self.port}/{vector}{suffix}"

    @property
    def reached(self) -> set[str]:
        """The vectors that made contact, and `""` for a bare connection to the common port."""
        return {contact.vector for contact in self.contacts}

    def clear(self) -> None:
        """Remove all contacts."""
        self.contacts.clear()

    def close(self) -> None:
        """Stop listening."""
        self._closed.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()

    def _open(self, vector: str) -> int:
        first = socket.create_server(("127.0.0.1", 0), backlog=128)
        port = int(first.getsockname()[1])
        sockets = [first, _udp_socket(socket.AF_INET, "127.0.0.1", port)]
        with contextlib.suppress(OSError):  # a machine without IPv6
            sockets += [
                socket.create_server(("::1", port), family=socket.AF_INET6, backlog=128),
                _udp_socket(socket.AF_INET6, "::1", port),
            ]
        for sock in sockets:
            sock.setblocking(False)
            self._selector.register(sock, selectors.EVENT_READ, vector)
        return port

    def _run(self) -> None:
        while not self._closed.is_set():
            for key, _ in self._selector.select(0.05):
                assert isinstance(key.fileobj, socket.socket)
                with contextlib.suppress(OSError):
                    self._accept(key.fileobj, key.data)

    def _accept(self, sock: socket.socket, vector: str) -> None:
        if sock.type == socket.SOCK_DGRAM:
            data, _ = sock.recvfrom(2048)
            self.contacts.append(Contact("datagram", vector, data[:8].hex()))
            return
        stream, _ = sock.accept()
        self.contacts.append(Contact("connection", vector))
        threading.Thread(target=self._serve, args=(stream, vector), daemon=True).start()

    def _serve(self, stream: socket.socket, vector: str) -> None:
        stream.settimeout(2)
        with contextlib.suppress(OSError, ValueError), stream:  # a contact that disconnects early is already recorded
            if stream.recv(1, socket.MSG_PEEK) != b"\x16":
                self._serve_request(stream, vector)
                return
            self.contacts.append(Contact("tls", vector))
            with _tls_context().wrap_socket(stream, server_side=True, do_handshake_on_connect=False) as secured:
                secured.do_handshake()
                self._serve_request(secured, vector)

    def _serve_request(self, stream: socket.socket, vector: str) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            data = stream.recv(2**16)
            if not data:
                raise ConnectionError("no request was received")
            head += data
        self._respond(stream, head, vector)

    def _respond(self, stream: socket.socket, head: bytes, vector: str) -> None:
        method, path, *_ = head.decode("latin-1").split(" ")
        name = PurePosixPath(path.partition("?")[0].lstrip("/").partition("/")[0])
        kind: Kind = "websocket" if b"upgrade: websocket" in head.lower() else "http"
        self.contacts.append(Contact(kind, vector or name.stem, f"{method} {path}"))
        mime_type, body = _RESPONSES.get(name.suffix, ("image/svg+xml", _SVG))
        lines = [
            "HTTP/1.1 200 OK",
            f"Content-Type: {mime_type}",
            f"Content-Length: {len(body)}",
            "Access-Control-Allow-Origin: *",
            "Access-Control-Allow-Headers: *",
            "Connection: close",
        ]
        stream.sendall("\r\n".join([*lines, "", body]).encode())


@contextmanager
def open_canary() -> Iterator[Canary]:
    canary = Canary()
    try:
        yield canary
    finally:
        canary.close()


@cache
def _tls_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1", "::1", "localhost").configure_cert(context)
    return context


def _udp_socket(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_DGRAM)
    sock.bind((host, port))
    return sock
