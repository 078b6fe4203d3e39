"""A reverse proxy on loopback that loses some of the responses of its server."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

import httpx

Fault = Literal["lose the response", "refuse the request", "bad gateway", "busy"]

FORWARDED_HEADERS = {"content-type", "retry-after", "idempotency-replayed"}
BUSY = {"error": "The server is busy. Try again in 1 second.", "retry_after": 1}


@dataclass
class FlakyProxy:
    """The addresses of the proxy and of its server, the faults of the next requests, and what was forwarded."""

    upstream: str
    url: str = ""
    faults: list[Fault | None] = field(default_factory=list)
    """One for each `POST`; later requests are forwarded."""
    keys: list[str | None] = field(default_factory=list)
    """The idempotency key of each `POST`."""
    responses: list[httpx.Response] = field(default_factory=list)
    """The responses of the server, also the lost ones."""


@contextmanager
def flaky_proxy(upstream: str) -> Iterator[FlakyProxy]:
    """Run a proxy of a server."""
    proxy = FlakyProxy(upstream)
    handler = type("Handler", (_Handler,), {"proxy": proxy})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        proxy.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield proxy
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    proxy: FlakyProxy

    def do_GET(self) -> None:
        self._respond(self._forward(b""))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.proxy.keys.append(self.headers.get("idempotency-key"))
        fault = self.proxy.faults.pop(0) if self.proxy.faults else None
        match fault:
            case "bad gateway":
                self._respond(httpx.Response(502, text="<h1>Bad gateway</h1>"))
            case "busy":
                self._respond(httpx.Response(503, json=BUSY, headers={"retry-after": "1"}))
            case "refuse the request":
                self.close_connection = True
            case _:
                self._answer(body, lose=fault is not None)

    def _answer(self, body: bytes, *, lose: bool) -> None:
        response = self._forward(body)
        self.proxy.responses.append(response)
        if lose:
            self.close_connection = True
        else:
            self._respond(response)

    def _forward(self, body: bytes) -> httpx.Response:
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
        with httpx.Client(trust_env=False, timeout=60) as http:
            return http.request(self.command, f"{self.proxy.upstream}{self.path}", content=body, headers=headers)

    def _respond(self, response: httpx.Response) -> None:
        self.send_response(response.status_code)
        for name, value in response.headers.items():
            if name in FORWARDED_HEADERS:
                self.send_header(name, value)
        self.send_header("content-length", str(len(response.content)))
        self.end_headers()
        self.wfile.write(response.content)

    def log_message(self, *_: object) -> None:
        pass
