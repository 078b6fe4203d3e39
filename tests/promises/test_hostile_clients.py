"""Hostile connections, with and without a key: the server needs little memory, serves others, and sends no 500."""

import os
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import httpx
import psutil
import pytest

from tests.support.server_process import (
    MEGABYTE,
    ServerProcess,
    little_memory,
    running_server,
    serve_customer,
    wait_until,
)

CONNECTIONS = 300
LOGO = b"RIFF\x1a\x00\x00\x00WEBPVP8L\r\x00\x00\x00/\xff\xff\xb1\x0c" + bytes(9)
"""The header of a WebP with 16,384 x 12,744 pixels."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("home")) as process:
        serve_customer(process)
        yield process


@pytest.fixture(autouse=True)
def _no_server_error(server: ServerProcess) -> Iterator[None]:
    yield
    assert not re.search(r" 500 \d+ ms", server.log)
    assert "Traceback" not in server.log


def connect(server: ServerProcess, receive_buffer: int | None = None) -> socket.socket:
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(30)
    connection.connect(("127.0.0.1", server.port))
    return connection


def head(method: str, path: str, *lines: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *lines, "\r\n"]).encode()


def post(server: ServerProcess, path: str, kind: str, body: bytes, *lines: str) -> bytes:
    length = f"Content-Length: {len(body)}"
    return head("POST", path, f"x-api-key: {server.key}", f"Content-Type: {kind}", length, *lines) + body


@pytest.mark.parametrize(
    ("path", "connections"),
    [("/openapi.json", CONNECTIONS), ("/templates", 60), ("/docs", 60), ("/metrics", 20), ("/nope", 60)],
)
def test_pipelined_responses_that_are_not_read(server: ServerProcess, path: str, connections: int) -> None:
    with little_memory(server), ExitStack() as opened:
        for _ in range(connections):
            connection = opened.enter_context(connect(server, 4096))
            connection.sendall(head("GET", path, "Accept: text/html") * 16)
        assert httpx.get(f"{server.url}/healthz", timeout=30).is_success


PARTS: dict[str, Callable[[ServerProcess], bytes]] = {
    "no bytes": lambda _: b"",
    "half a method": lambda _: b"PO",
    "half a head": lambda _: b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: ",
    "half a body": lambda server: post(server, "/qr", "text/plain", b"x" * 1000)[:-1],
    "half a chunk size": lambda _: head("POST", "/qr", "Transfer-Encoding: chunked") + b"00000",
    "half a trailer": lambda _: head("POST", "/qr", "Transfer-Encoding: chunked") + b"0\r\nA: b",
    "no body after Expect": lambda server: post(server, "/qr", "text/plain", b"x", "Expect: 100-continue")[:-1],
    "half a form": lambda server: post(server, "/images", "multipart/form-data; boundary=b", b"--b\r\n" * 999)[:-2],
}


@pytest.mark.parametrize("name", PARTS)
def test_unfinished_requests_on_many_connections(server: ServerProcess, name: str) -> None:
    with little_memory(server), ExitStack() as opened:
        for _ in range(CONNECTIONS):
            opened.enter_context(connect(server)).sendall(PARTS[name](server))
        serve_customer(server)


@pytest.mark.parametrize("has_request", [True, False])
def test_connections_that_are_reset(server: ServerProcess, has_request: bool) -> None:
    with little_memory(server):
        for _ in range(CONNECTIONS):
            with connect(server) as connection:
                if has_request:
                    connection.sendall(post(server, "/qr", "text/plain", b"hi") + head("GET", "/openapi.json"))
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_connections_that_are_closed_for_writing(server: ServerProcess) -> None:
    with little_memory(server), ExitStack() as opened:
        for _ in range(CONNECTIONS):
            connection = opened.enter_context(connect(server))
            connection.sendall(head("GET", "/openapi.json"))
            connection.shutdown(socket.SHUT_WR)


BODIES: dict[str, tuple[str, str, bytes, set[int]]] = {
    "nested arrays": ("/qr", "application/json", b"[" * 100_000, {400}),
    "nested objects": ("/qr", "application/json", b'{"a":' * 20_000, {400}),
    "long number": ("/qr", "application/json", b'{"data": "x", "size": ' + b"9" * 100_000 + b"}", {400}),
    "many members": ("/qr", "application/json", b"{" + b",".join(b'"%d":1' % n for n in range(9000)) + b"}", {400}),
    "equal members": ("/qr", "application/json", b"{" + b'"data":"x",' * 9000 + b'"data":"x"}', {400}),
    "long member": ("/qr", "application/json", b'{"' + b"x" * 90_000 + b'": 1}', {400}),
    "surrogates": ("/qr", "application/json", b'{"data": "' + b"\\ud800" * 1000 + b'"}', {400}),
    "NUL bytes": ("/qr", "text/plain", bytes(1000), {200, 400}),
    "unknown charset": ("/qr", "text/plain; charset=idna", b"x" * 1000, {400}),
    "semicolons": ("/qr", f"text/plain; x={';' * 30_000}", b"x", {200, 400}),
    "boundaries": ("/images", "multipart/form-data; boundary=b", b"--b\r\n" * 100_000, {400}),
    "empty parts": (
        "/images",
        "multipart/form-data; boundary=b",
        b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n' * 5000,
        {400},
    ),
    "long part header": ("/images", "multipart/form-data; boundary=b", b"--b\r\nA: " + b"x" * 10**6, {400}),
    "no boundary": ("/images", "multipart/form-data", b"x" * 1000, {400}),
    "a huge WebP": ("/images", "image/webp", LOGO, {400}),
    "a WebP without pixels": ("/image-info", "image/webp", LOGO.replace(b"\xb1\x0c", b"\x0b\x00"), {200, 400}),
    "many columns": ("/data-profile", "text/csv", b",".join(b"c%d" % n for n in range(200_000)) + b"\n1\n", {400}),
}


@pytest.mark.parametrize("name", BODIES)
def test_hostile_bodies(server: ServerProcess, name: str) -> None:
    path, kind, body, statuses = BODIES[name]
    with little_memory(server):
        for _ in range(5):
            with connect(server) as connection:
                connection.sendall(post(server, path, kind, body))
                assert int(connection.recv(12)[9:]) in statuses


HEADERS = {
    "many encodings": ("Accept-Encoding", ",".join(f"e{n};q=0.{n}" for n in range(5000))),
    "many types": ("Accept", ",".join(f"a/{n};q=0.5" for n in range(5000))),
    "many proxies": ("X-Forwarded-For", "1.2.3.4," * 7000),
    "an unclosed quote": ("Forwarded", 'for="' + '\\"' * 20_000),
    "many ranges": ("Range", "bytes=" + ",".join(f"{n}-{n}" for n in range(9000))),
    "many cookies": ("Cookie", "; ".join(f"c{n}={n}" for n in range(5000))),
    "a long token": ("x-api-key", "mk_live_" + "x" * 60_000),
    "a long request id": ("x-request-id", "x" * 60_000),
    "Latin-1": ("x-api-key", "\xff" * 100),
    "an upgrade": ("Upgrade", "websocket\r\nConnection: Upgrade"),
}


@pytest.mark.parametrize("path", ["/openapi.json", "/status", "/dashboard", "/files/x", "/"])
@pytest.mark.parametrize("name", HEADERS)
def test_hostile_headers(server: ServerProcess, name: str, path: str) -> None:
    field, value = HEADERS[name]
    with connect(server) as connection:
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{field}: {value}\r\n\r\n"
        connection.sendall(request.encode("latin-1"))
        assert int(connection.recv(12)[9:]) in {200, 303, 302, 307, 401, 403, 404, 431}


def test_keys_that_are_guessed(server: ServerProcess) -> None:
    def guess() -> None:
        with httpx.Client() as http:
            for number in range(100):
                key = f"mk_live_{number:032}"
                assert http.post(f"{server.url}/qr", json={"data": "x"}, headers={"x-api-key": key}).status_code == 401

    with little_memory(server):
        threads = [threading.Thread(target=guess) for _ in range(4)]
        for thread in threads:
            thread.start()
        serve_customer(server)
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("seconds", [0.0, 0.02])
def test_bodies_of_one_byte_chunks(server: ServerProcess, seconds: float) -> None:
    """Send a body in chunks of a byte: as fast as possible, and slowly on many connections."""
    start = head("POST", "/qr", f"x-api-key: {server.key}", "Content-Type: text/plain", "Transfer-Encoding: chunked")
    with little_memory(server), ExitStack() as opened:
        connections = [opened.enter_context(connect(server)) for _ in range(30 if seconds else 2)]
        for connection in connections:
            connection.sendall(start)
        with suppress(ConnectionError):
            for _ in range(20):
                for connection in connections:
                    connection.sendall(b"1\r\nx\r\n" * (1 if seconds else 20_000))
        serve_customer(server)


def test_client_that_reads_slowly_gets_the_whole_document(server: ServerProcess) -> None:
    with connect(server, 16_384) as connection:
        connection.sendall(head("GET", "/openapi.json", "Connection: close"))
        received = 0
        pause = threading.Event()
        while part := connection.recv(16_384):
            received += len(part)
            pause.wait(0.05)
    assert received > 600_000


def test_workers_need_little_memory_for_small_hostile_logos(server: ServerProcess) -> None:
    import pybase64

    body = {"data": "https://example.com", "logo": pybase64.b64encode(LOGO).decode()}
    answer = httpx.post(f"{server.url}/qr", json=body, headers={"x-api-key": server.key}, timeout=60)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("logo: must have at most 50 megapixels")
    children = server.process.children(recursive=True)
    assert all(child.memory_info().rss < 400 * MEGABYTE for child in children if child.status() != psutil.STATUS_ZOMBIE)


def test_descriptors_are_released_after_attacks(server: ServerProcess) -> None:
    wait_until(lambda: server.connections <= 1)
    assert server.process.num_fds() < 200
    assert os.path.exists(f"/proc/{server.process.pid}")  # noqa: PTH110
