"""Connections, byte by byte: what is no HTTP is refused as JSON, and whoever is too slow or too long is let go."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mediakit.api import protocol
from mediakit.server import Server

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@contextmanager
def connected(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection((server.host, server.port), timeout=30) as connection:
        yield connection


def until_closed(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x16\x03\x01\x02\r\n\r\n",
        b"POST /qr HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
        b"POST /qr HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
        b"POST /qr HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
    ],
    ids=["no HTTP", "a length that is no number", "two lengths", "a length and chunks"],
)
def test_what_is_no_http_is_refused_as_json(server: Server, request_bytes: bytes) -> None:
    with connected(server) as connection:
        connection.sendall(request_bytes)
        head, _, body = until_closed(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/json" in head
    assert isinstance(json.loads(body)["error"], str)


@pytest.mark.parametrize("part", [b"", b"GET /healthz HTTP/1.1\r\nHost: "], ids=["silence", "half a head"])
def test_a_head_that_does_not_come_closes_the_connection(
    server: Server, monkeypatch: pytest.MonkeyPatch, part: bytes
) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.2)
    with connected(server) as connection:
        connection.sendall(part)
        assert until_closed(connection) == b""


def test_a_second_head_that_does_not_come_closes_the_connection(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.5)
    with connected(server) as connection:
        connection.sendall(HEALTH + b"GET /healthz HT")
        assert until_closed(connection).count(b'{"status":"ok"}') == 1


def test_a_head_without_end_is_refused(server: Server) -> None:
    with connected(server) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: " + b"x" * protocol.HEAD_BYTES)
        assert b"headers are too large" in until_closed(connection)


def test_a_connection_takes_one_request_after_another(server: Server) -> None:
    head = f"POST /qr HTTP/1.1\r\nHost: x\r\nx-api-key: {server.key}\r\nContent-Type: application/json\r\n"
    refused = f"{head}Content-Length: 2\r\n\r\n{{}}".encode()
    with connected(server) as connection:
        for request, answer in [(HEALTH, b'{"status":"ok"}'), (refused, b"data: is required.")] * 2:
            connection.sendall(request)
            received = b""
            while answer not in received:
                received += connection.recv(65536)
