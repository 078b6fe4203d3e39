"""A canary on loopback: it answers whoever comes and remembers every touch, down to a bare connection.

Who came is told by the first part of the path, or, where no path is sent, by a port that belongs to one vector alone.
Each port listens to TCP on 127.0.0.1 and ::1, and to UDP; a connection that begins with a TLS handshake gets a
certificate that nobody trusts.
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
"""What its pages say; nobody else does."""
COLOUR = (255, 0, 254)
"""What its pictures and pages show; nobody else does."""

_CSS_COLOUR = f"rgb{COLOUR}"
_SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'>"
    f"<rect width='40' height='40' fill='{_CSS_COLOUR}'/></svg>"
)
_ANSWERS = {
    ".html": ("text/html", f"<body style='background:{_CSS_COLOUR}'>{SECRET}"),
    ".svg": ("image/svg+xml", _SVG),
    ".css": ("text/css", f"body{{background:{_CSS_COLOUR}!important}} body::after{{content:'{SECRET}'}}"),
    ".js": ("text/javascript", f"globalThis.document?.body?.append('{SECRET}')"),
    ".vtt": ("text/vtt", f"WEBVTT\n\n00:00.000 --> 01:00.000\n{SECRET}\n"),
    ".json": ("application/json", "{}"),
}


class Touch(NamedTuple):
    """One sign of a visitor."""

    kind: Kind
    who: str
    """The vector that a port or a path belongs to; nothing where only the common port was seen."""
    detail: str = ""


class Canary:
    """Listens until `close`; `touches` grows from threads of its own."""

    def __init__(self) -> None:
        self.touches: list[Touch] = []
        self._selector = selectors.DefaultSelector()
        self._owners: dict[str, int] = {}
        self._lock = threading.Lock()
        self._over = threading.Event()
        self.port = self.port_of("")
        self._thread = threading.Thread(target=self._accept, name="canary", daemon=True)
        self._thread.start()

    def port_of(self, who: str) -> int:
        """Give the port that belongs to one vector alone, and open it when it is first asked for."""
        with self._lock:
            if who not in self._owners:
                self._owners[who] = self._open(who)
            return self._owners[who]

    def address(self, who: str, suffix: str = ".png", host: str = "127.0.0.1") -> str:
        """Give an address without its scheme: `//host:port/who.suffix`."""
        return f"//{host}:{self.port}/{who}{suffix}"

    @property
    def reached(self) -> set[str]:
        """The vectors that came, and `""` for a bare connection to the common port."""
        return {touch.who for touch in self.touches}

    def forget(self) -> None:
        """Start from nothing, as if nobody had come."""
        self.touches.clear()

    def close(self) -> None:
        """Stop listening."""
        self._over.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()

    def _open(self, who: str) -> int:
        first = socket.create_server(("127.0.0.1", 0), backlog=128)
        port = int(first.getsockname()[1])
        sockets = [first, _datagrams(socket.AF_INET, "127.0.0.1", port)]
        with contextlib.suppress(OSError):  # a machine without IPv6
            sockets += [
                socket.create_server(("::1", port), family=socket.AF_INET6, backlog=128),
                _datagrams(socket.AF_INET6, "::1", port),
            ]
        for sock in sockets:
            sock.setblocking(False)
            self._selector.register(sock, selectors.EVENT_READ, who)
        return port

    def _accept(self) -> None:
        while not self._over.is_set():
            for key, _ in self._selector.select(0.05):
                assert isinstance(key.fileobj, socket.socket)
                with contextlib.suppress(OSError):
                    self._take(key.fileobj, key.data)

    def _take(self, sock: socket.socket, who: str) -> None:
        if sock.type == socket.SOCK_DGRAM:
            data, _ = sock.recvfrom(2048)
            self.touches.append(Touch("datagram", who, data[:8].hex()))
            return
        stream, _ = sock.accept()
        self.touches.append(Touch("connection", who))
        threading.Thread(target=self._serve, args=(stream, who), daemon=True).start()

    def _serve(self, stream: socket.socket, who: str) -> None:
        stream.settimeout(2)
        with contextlib.suppress(OSError, ValueError), stream:  # whoever leaves early has been noted all the same
            if stream.recv(1, socket.MSG_PEEK) != b"\x16":
                self._converse(stream, who)
                return
            self.touches.append(Touch("tls", who))
            with _certified().wrap_socket(stream, server_side=True, do_handshake_on_connect=False) as secured:
                secured.do_handshake()
                self._converse(secured, who)

    def _converse(self, stream: socket.socket, who: str) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            data = stream.recv(2**16)
            if not data:
                raise ConnectionError("no request came")
            head += data
        self._answer(stream, head, who)

    def _answer(self, stream: socket.socket, head: bytes, who: str) -> None:
        method, path, *_ = head.decode("latin-1").split(" ")
        name = PurePosixPath(path.partition("?")[0].lstrip("/").partition("/")[0])
        kind: Kind = "websocket" if b"upgrade: websocket" in head.lower() else "http"
        self.touches.append(Touch(kind, who or name.stem, f"{method} {path}"))
        mime_type, body = _ANSWERS.get(name.suffix, ("image/svg+xml", _SVG))
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
def singing() -> Iterator[Canary]:
    canary = Canary()
    try:
        yield canary
    finally:
        canary.close()


@cache
def _certified() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1", "::1", "localhost").configure_cert(context)
    return context


def _datagrams(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_DGRAM)
    sock.bind((host, port))
    return sock
