"""HTTP/1.1 connections on real sockets: limits, timeouts and error responses."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mediakit import Client
from mediakit.accounts import Links
from mediakit.api import body_stream, http_protocol
from mediakit.api.http_protocol import MAX_HEAD_BYTES, MAX_HEADERS, MAX_PIPELINED
from mediakit.errors import RequestHeadersTooLarge
from mediakit.server import Server
from mediakit.settings import AccountSettings
from tests.support.server_process import wait_until

HEALTH_REQUEST = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
HEALTH_BODY = b'{"status":"ok"}'


@pytest.fixture(autouse=True)
def _frequent_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "CHECK_SECONDS", 0.1)


@contextmanager
def connect(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection((server.host, server.port), timeout=30) as connection:
        yield connection


def receive_until_closed(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def send(server: Server, request: bytes) -> tuple[bytes, bytes]:
    """Send a request, and return the head and the body of the response once the server has closed the connection."""
    with connect(server) as connection:
        connection.sendall(request)
        head, _, body = receive_until_closed(connection).partition(b"\r\n\r\n")
    return head, body


def health_request(*headers: bytes) -> bytes:
    return b"\r\n".join([b"GET /healthz HTTP/1.1", b"Host: x", b"Connection: close", *headers, b"\r\n"])


UPGRADE_REQUEST = (
    b"POST /qr HTTP/1.1\r\nHost: x\r\nx-api-key: %s\r\nConnection: Upgrade, close\r\nupGRADE: h2c\r\n"
    b"Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi"
)


@pytest.mark.parametrize(
    "after",
    [
        b"POST",
        b"x\r",
        b"close",
        b"close\r",
        b"close\r\n",
        b"close\r\nup",
        b"upGRADE",
        b"upGRADE:",
        b"2\r\n",
        b"2\r\n\r",
        b"2\r\n\r\n",
    ],
)
def test_upgrade_header_is_ignored_in_two_packets(server: Server, after: bytes) -> None:
    request = UPGRADE_REQUEST % server.key.encode()
    at = request.index(after) + len(after)
    with connect(server) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(request[:at])
        time.sleep(0.05)
        connection.sendall(request[at:])
        head = receive_until_closed(connection).partition(b"\r\n")[0]
    assert head == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x16\x03\x01\x02\r\n\r\n",
        b"POST /qr HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
        b"POST /qr HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        b"POST /qr HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
        b"POST /qr HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"POST /qr HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /qr HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"a: b\r\n" * 100_000 + b"\r\n",
    ],
    ids=[
        "TLS",
        "invalid length",
        "two lengths",
        "length and chunked",
        "no host",
        "two hosts",
        "two codings",
        "chunked in HTTP/1.0",
        "100,000 trailers",
    ],
)
def test_malformed_request_returns_400_as_json(server: Server, request_bytes: bytes) -> None:
    head, body = send(server, request_bytes)
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/json" in head
    assert isinstance(json.loads(body)["error"], str)


@pytest.mark.parametrize(
    "request_bytes",
    [
        health_request(*(b"a: b" for _ in range(MAX_HEADERS - 1))),
        health_request(*(b"x%07d: y" % number for number in range(100_000))),
        health_request(b"a: " + b"x" * MAX_HEAD_BYTES),
        health_request(*(b"a: " + b"x" * 8000 for _ in range(9))),
        b"GET /healthz?" + b"x" * MAX_HEAD_BYTES + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: " + b"x" * MAX_HEAD_BYTES,
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 3_000_000,
    ],
    ids=[
        "101 headers",
        "100,000 headers",
        "long header",
        "long headers together",
        "long URL",
        "unfinished header",
        "unfinished header of 3 MB",
    ],
)
def test_too_large_head_returns_431_as_json_and_closes_connection(server: Server, request_bytes: bytes) -> None:
    head, body = send(server, request_bytes)
    assert head.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")
    assert b"content-type: application/json" in head
    assert b"connection: close" in head
    assert json.loads(body)["error"].startswith("headers: ")


@pytest.mark.parametrize(
    "headers",
    [[b"a: b"] * (MAX_HEADERS - 2), [b"a: " + b"x" * (MAX_HEAD_BYTES - 200)], [b"a: " + b"x" * 8000] * 8],
    ids=["100 headers", "one header of almost 64 KB", "headers of almost 64 KB"],
)
def test_head_within_limits_is_accepted(server: Server, headers: list[bytes]) -> None:
    head, body = send(server, health_request(*headers))
    assert head.startswith(b"HTTP/1.1 200 ")
    assert body == HEALTH_BODY


def test_head_sent_in_small_parts_is_counted_while_it_arrives(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n")
        for _ in range(MAX_HEAD_BYTES // 4096 + 1):
            connection.sendall(b"a: " + b"x" * 4096 + b"\r\n")
        assert receive_until_closed(connection).startswith(b"HTTP/1.1 431 ")


def test_head_limits_apply_to_each_request_of_a_connection(server: Server) -> None:
    request = health_request(*[b"a: " + b"x" * 800] * 60).replace(b"Connection: close", b"Connection: keep-alive")
    with connect(server) as connection:
        connection.sendall(request * 4 + health_request())
        assert receive_until_closed(connection).count(HEALTH_BODY) == 5


@pytest.mark.parametrize(("length", "status"), [(60_000, b"401"), (70_000, b"431")])
def test_long_api_key_returns_401_within_head_limit_and_431_beyond(server: Server, length: int, status: bytes) -> None:
    with connect(server) as connection:
        key = b"x" * length
        connection.sendall(b"POST /qr HTTP/1.1\r\nHost: x\r\nx-api-key: %s\r\nContent-Length: 0\r\n\r\n" % key)
        head, _, body = receive_until_closed(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %s " % status)
    assert isinstance(json.loads(body)["error"], str)


def test_client_raises_request_headers_too_large_for_431(server: Server) -> None:
    with Client(server.url, api_key="x" * MAX_HEAD_BYTES) as client, pytest.raises(RequestHeadersTooLarge):
        client.status()


@pytest.mark.parametrize("part", [b"", b"GET /healthz HTTP/1.1\r\nHost: "], ids=["no bytes", "unfinished head"])
def test_head_timeout_closes_connection(server: Server, monkeypatch: pytest.MonkeyPatch, part: bytes) -> None:
    monkeypatch.setattr(http_protocol, "HEAD_TIMEOUT_SECONDS", 0.2)
    with connect(server) as connection:
        connection.sendall(part)
        assert receive_until_closed(connection) == b""


def test_head_timeout_of_second_request_closes_connection(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "HEAD_TIMEOUT_SECONDS", 0.5)
    with connect(server) as connection:
        connection.sendall(HEALTH_REQUEST + b"GET /healthz HT")
        assert receive_until_closed(connection).count(HEALTH_BODY) == 1


def test_body_timeout_returns_400_and_closes_connection(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_stream, "BODY_TIMEOUT_SECONDS", 0.3)
    head = f"POST /qr HTTP/1.1\r\nHost: x\r\nx-api-key: {server.key}\r\nContent-Type: text/plain\r\n"
    for part in (b"1\r\nx\r\n", b"1\r\nx\r\n0\r\na: b\r\n"):
        response_head, body = send(server, head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + part)
        assert response_head.startswith(b"HTTP/1.1 400 ")
        assert json.loads(body)["error"].startswith("The body must arrive within ")


def test_too_many_large_bodies_return_503(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_stream.buffered, "limit", 1000)
    head = f"POST /qr HTTP/1.1\r\nHost: x\r\nx-api-key: {server.key}\r\nContent-Type: text/plain\r\nContent-Length: "
    with connect(server) as unfinished:
        unfinished.sendall(f"{head}1000\r\n\r\n{'x' * 900}".encode())
        wait_until(lambda: body_stream.buffered.used == 900)
        response_head, body = send(server, f"{head}200\r\n\r\n{'x' * 200}".encode())
        assert response_head.startswith(b"HTTP/1.1 503 ")
        assert json.loads(body)["error"] == "The server is receiving too many large bodies. Try again in 5 seconds."
        unfinished.sendall(b"x" * 100)
        assert unfinished.recv(12) == b"HTTP/1.1 200"
    wait_until(lambda: body_stream.buffered.used == 0)


@pytest.mark.parametrize("limit", ["READ_TIMEOUT_SECONDS", "MAX_RESPONSE_SECONDS"])
def test_client_that_does_not_read_is_disconnected(server: Server, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(http_protocol, limit, 0.2)
    link = Links.open(AccountSettings()).store(bytes(20_000_000), "image/png", "large.png")
    with connect(server) as connection:
        connection.sendall(b"GET /files/%s HTTP/1.1\r\nHost: x\r\n\r\n" % link.token.encode())
        wait_until(lambda: is_reset(connection))


def is_reset(connection: socket.socket) -> bool:
    return connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0


def test_trailers_are_not_added_to_headers(server: Server) -> None:
    request = (
        b"POST /qr HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"1\r\nx\r\n0\r\nx-api-key: %s\r\n\r\n"
    )
    assert send(server, request % server.key.encode())[0].startswith(b"HTTP/1.1 401 ")


def test_pipelined_requests_are_limited(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(HEALTH_REQUEST * 100)
        received = receive_until_closed(connection)
    assert received.count(HEALTH_BODY) == MAX_PIPELINED + 1
    assert received.count(b"HTTP/1.1 400 ") == 1


def test_invalid_request_does_not_end_the_call_before_it(server: Server) -> None:
    head = f"POST /qr HTTP/1.1\r\nHost: x\r\nx-api-key: {server.key}\r\nContent-Type: text/plain\r\n"
    with connect(server) as connection:
        connection.sendall(head.encode() + b"Content-Length: 2\r\n\r\nhi" + b"GET / HTTP/1.1\r\nno colon\r\n\r\n")
        received = receive_until_closed(connection)
    assert received.startswith(b"HTTP/1.1 200 ")
    assert received.count(b"HTTP/1.1 400 ") == 1


def test_connection_serves_several_requests_including_rejected_ones(server: Server) -> None:
    head = f"POST /qr HTTP/1.1\r\nHost: x\r\nx-api-key: {server.key}\r\nContent-Type: application/json\r\n"
    invalid = f"{head}Content-Length: 2\r\n\r\n{{}}".encode()
    with connect(server) as connection:
        for request, expected in [(HEALTH_REQUEST, HEALTH_BODY), (invalid, b"data: is required.")] * 2:
            connection.sendall(request)
            received = b""
            while expected not in received:
                received += connection.recv(65536)


def test_client_that_expects_100_continue_sends_its_body_after_it(server: Server) -> None:
    head = (
        f"POST /file-info HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: {server.key}\r\n"
        "Content-Type: application/octet-stream\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
    )
    with connect(server) as connection:
        connection.sendall(head.encode())
        assert connection.recv(65536).startswith(b"HTTP/1.1 100 Continue\r\n")
        connection.sendall(b"hello")
        response = receive_until_closed(connection)
    assert response.startswith(b"HTTP/1.1 200 OK\r\n")
    assert json.loads(response.partition(b"\r\n\r\n")[2])["size_bytes"] == 5
