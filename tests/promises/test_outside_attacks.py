"""Attacks from outside on a real server process: its memory and its calls are not affected."""

import io
import random
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import redis
from PIL import Image

from mediakit import Client
from mediakit.api.http_protocol import MAX_DISCARDED_BYTES
from tests.support.accounts_kit import REDIS
from tests.support.server_process import (
    ServerProcess,
    little_memory,
    running_server,
    serve_customer,
    wait_until,
)

OPEN_FILES = 256
CHUNKED = b"POST /%s HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with few file descriptors, which has already run a call."""
    with running_server(tmp_path_factory.mktemp("home"), open_files=OPEN_FILES) as server:
        serve_customer(server)
        yield server


@contextmanager
def connect(server: ServerProcess) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        yield connection


def is_stopped(connection: socket.socket, data: bytes) -> bool:
    """Send data again and again, and return whether the server closes the connection."""
    sent = 0
    with suppress(ConnectionError):
        while sent < 4 * MAX_DISCARDED_BYTES:
            sent += connection.send(data)
        return False
    return True


@pytest.mark.parametrize("path", [b"nope", b"qr", b"healthz"])
@pytest.mark.parametrize(
    "data",
    [b"0\r\n" + b"a: b\r\n" * 10_000, b"0\r\na: " + b"x" * 65536, b"0\r\n" + b"x" * 65536],
    ids=["many lines", "one line", "no colon"],
)
def test_endless_trailers_are_rejected(process: ServerProcess, path: bytes, data: bytes) -> None:
    with little_memory(process), connect(process) as connection:
        connection.sendall(CHUNKED % path)
        assert is_stopped(connection, data)


@pytest.mark.parametrize(
    ("head", "data"),
    [
        (b"POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", b"x" * 65536),
        (b"POST /qr HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", b"x" * 65536),
        (b"DELETE /qr HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", b"x" * 65536),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", b"x" * 65536),
        (CHUNKED % b"nope", b"10000\r\n" + b"x" * 65536 + b"\r\n"),
        (CHUNKED % b"qr", b"1;" + b"x" * 65536 + b"\r\nx\r\n"),
        (CHUNKED % b"nope", b"0" * 65536),
        (b"", b"\r\n" * 32768),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", b"\r\n" * 32768),
        (b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 1000),
    ],
    ids=["404", "401", "405", "GET", "chunks", "extensions", "chunk size", "lines", "lines between", "pipelined"],
)
def test_endless_input_is_accepted_up_to_a_limit(process: ServerProcess, head: bytes, data: bytes) -> None:
    with little_memory(process), connect(process) as connection:
        connection.sendall(head)
        assert is_stopped(connection, data)


def test_idle_connections_do_not_make_calls_fail(process: ServerProcess) -> None:
    with little_memory(process), ExitStack() as idle:
        for _ in range(400):
            idle.enter_context(connect(process))
        for _ in range(3):
            serve_customer(process)
        assert process.process.num_fds() < OPEN_FILES / 2


def test_connections_over_limit_get_503_with_retry_after(process: ServerProcess) -> None:
    unfinished = f"POST /qr HTTP/1.1\r\nHost: x\r\nx-api-key: {process.key}\r\nContent-Length: 9\r\n\r\n".encode()
    with ExitStack() as opened:
        for _ in range(90):
            opened.enter_context(connect(process)).sendall(unfinished)
        wait_until(lambda: "connections are in use" in process.log)
        with connect(process) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ")
        assert b"\r\nretry-after: 5" in head
        assert b"too many connections" in body
        assert process.log.count("connections are in use") == 1
    wait_until(process.is_healthy)


@pytest.fixture(scope="module")
def noise() -> bytes:
    """A PNG of 6 MB that cannot be compressed."""
    buffer = io.BytesIO()
    Image.frombytes("RGB", (1440, 1440), random.Random(1).randbytes(1440 * 1440 * 3)).save(buffer, "PNG")
    return buffer.getvalue()


def post_image(server: ServerProcess, image: bytes, **options: str) -> httpx.Response:
    headers = {"x-api-key": server.key, "content-type": "image/png"}
    return httpx.post(
        f"{server.url}/images", content=image, params={"format": "png", **options}, headers=headers, timeout=60
    )


@pytest.fixture(scope="module")
def redis_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that stores links in Redis."""
    with redis.Redis.from_url(REDIS, socket_connect_timeout=2) as client:
        try:
            client.ping()
        except redis.RedisError as error:
            pytest.skip(f"no Redis at {REDIS} (set MEDIAKIT_TEST_REDIS): {error}")
        before = set(client.scan_iter("mediakit:link:*"))
        with running_server(tmp_path_factory.mktemp("home"), MEDIAKIT_REDIS_URL=REDIS) as server:
            yield server
        for key in set(client.scan_iter("mediakit:link:*")) - before:
            client.expire(key, 60)


@pytest.mark.parametrize("store", ["process", "redis_process"])
def test_clients_that_do_not_read_their_links_need_little_memory(
    request: pytest.FixtureRequest, store: str, noise: bytes
) -> None:
    server: ServerProcess = request.getfixturevalue(store)
    path = urlsplit(post_image(server, noise, output="url").json()["url"]).path
    assert len(httpx.get(server.url + path).content) > 6_000_000
    with little_memory(server), ExitStack() as readers:
        for _ in range(40):
            reader = readers.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect(("127.0.0.1", server.port))
            reader.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert reader.recv(15) == b"HTTP/1.1 200 OK"
        assert server.is_healthy()
        assert httpx.get(server.url + path, headers={"range": "bytes=0-9"}).status_code == 206


@pytest.mark.parametrize("output", ["binary", "json"])
def test_clients_that_do_not_read_their_results_need_little_memory(
    process: ServerProcess, noise: bytes, output: str
) -> None:
    assert len(post_image(process, noise, output=output).content) > 6_000_000
    with little_memory(process), ExitStack() as readers:
        for _ in range(30):
            reader = readers.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect(("127.0.0.1", process.port))
            head = (
                f"POST /images?format=png&output={output} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: {process.key}\r\n"
                f"Content-Type: image/png\r\nContent-Length: {len(noise)}\r\n\r\n"
            )
            reader.sendall(head.encode() + noise)
            assert reader.recv(15) == b"HTTP/1.1 200 OK"
        assert process.is_healthy()


@pytest.mark.parametrize("path", ["qr", "images", "pdf-merge"])
@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=b", "image/png"])
def test_endless_body_of_a_key_is_rejected(process: ServerProcess, path: str, kind: str) -> None:
    head = f"POST /{path} HTTP/1.1\r\nHost: x\r\nx-api-key: {process.key}\r\nContent-Type: {kind}\r\n"
    start = b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n' if "form" in kind else b'{"data": "'
    with little_memory(process), connect(process) as connection:
        connection.sendall(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(start), start))
        assert is_stopped(connection, b"10000\r\n" + b"x" * 65536 + b"\r\n")


def test_link_on_full_disk_returns_503_and_costs_nothing(tmp_path: Path, noise: bytes) -> None:
    with running_server(tmp_path, file_bytes=4_000_000) as server:
        response = post_image(server, noise, output="url")
        assert response.status_code == 503
        assert response.headers["retry-after"] == "5"
        assert list((tmp_path / "links").iterdir()) == []
        with Client(server.url, api_key=server.key) as client:
            assert client.status().used == 0
            client.qr("hi")
            assert client.status().used == 1
        small = post_image(server, noise, output="url", width="100").json()
        assert httpx.get(small["url"]).status_code == 200
