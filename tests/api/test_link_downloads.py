"""Downloads of temporary links on a real server: ranges, conditional requests, and safe headers."""

import random
import socket
from datetime import UTC, datetime

import httpx
import psutil
import pytest

from mediakit.accounts import Link, Links
from mediakit.server import Server
from mediakit.settings import AccountSettings
from tests.support.server_process import wait_until

CONTENT = random.Random(1).randbytes(700_000)
SIZE = len(CONTENT)


@pytest.fixture(scope="module")
def link() -> Link:
    return store(CONTENT)


def store(content: bytes, mime_type: str = "image/png", filename: str = "a.png") -> Link:
    return Links.open(AccountSettings()).store(content, mime_type, filename)


def get(server: Server, link: Link, method: str = "GET", **headers: str) -> httpx.Response:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.request(method, f"{server.url}/files/{link.token}", headers=names, timeout=30)


def test_file_is_returned_with_etag_and_safe_headers(server: Server, link: Link) -> None:
    response = get(server, link)
    assert response.status_code == 200
    assert response.content == CONTENT
    headers = response.headers
    assert headers["content-length"] == str(SIZE)
    assert headers["accept-ranges"] == "bytes"
    assert headers["etag"].startswith('"')
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "private, no-store"
    assert "sandbox" in headers["content-security-policy"]
    assert "transfer-encoding" not in headers


@pytest.mark.parametrize(
    ("asked", "start", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=0-499", 0, 500),
        ("bytes=500-", 500, SIZE),
        ("bytes=-500", SIZE - 500, SIZE),
        ("bytes=-9999999", 0, SIZE),
        ("bytes=262143-262144", 262_143, 262_145),
        ("bytes=0-9999999", 0, SIZE),
        (f"bytes={SIZE - 1}-", SIZE - 1, SIZE),
        ("Bytes=1-2", 1, 3),
    ],
)
def test_range_returns_part_of_file(server: Server, link: Link, asked: str, start: int, end: int) -> None:
    response = get(server, link, range=asked)
    assert response.status_code == 206
    assert response.content == CONTENT[start:end]
    assert response.headers["content-range"] == f"bytes {start}-{end - 1}/{SIZE}"
    assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "ignored",
    [
        "bytes=2-1",
        "bytes=-",
        "bytes= -",
        "bytes=a-b",
        "items=0-1",
        "bytes=0-1,5-6",
        "bytes=0",
        "bytes=+0-1",
        "bytes=٠-١",
        "",
    ],
)
def test_range_that_is_not_supported_returns_whole_file(server: Server, link: Link, ignored: str) -> None:
    response = httpx.get(f"{server.url}/files/{link.token}", headers={b"range": ignored.encode()})
    assert response.status_code == 200
    assert len(response.content) == SIZE


@pytest.mark.parametrize("asked", [f"bytes={SIZE}-", "bytes=9999999-", "bytes=-0"])
def test_range_after_end_returns_416(server: Server, link: Link, asked: str) -> None:
    response = get(server, link, range=asked)
    assert response.status_code == 416
    assert response.headers["content-range"] == f"bytes */{SIZE}"
    assert response.json()["error"].startswith("Range: must begin within the 700,000 bytes of the file, got ")


def test_range_of_empty_file_returns_416(server: Server) -> None:
    empty = store(b"")
    assert get(server, empty).content == b""
    assert get(server, empty, range="bytes=0-").status_code == 416


def test_if_range_of_other_file_returns_whole_file(server: Server, link: Link) -> None:
    etag = get(server, link, "HEAD").headers["etag"]
    assert get(server, link, range="bytes=0-9", if_range=etag).status_code == 206
    for other in ('"other"', f"W/{etag}", "Sun, 22 Nov 2026 10:00:00 GMT"):
        assert get(server, link, range="bytes=0-9", if_range=other).status_code == 200


def test_if_none_match_returns_304_without_content(server: Server, link: Link) -> None:
    etag = get(server, link, "HEAD").headers["etag"]
    for value in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        for method in ("GET", "HEAD"):
            response = get(server, link, method, if_none_match=value, range="bytes=0-1")
            assert (response.status_code, response.content) == (304, b"")
            assert response.headers["etag"] == etag
    assert get(server, link, if_none_match='"other"').status_code == 200


def test_head_returns_headers_of_get(server: Server, link: Link) -> None:
    head, whole = get(server, link, "HEAD", range="bytes=0-1"), get(server, link)
    assert (head.status_code, head.content) == (200, b"")
    changing = ("date", "x-request-id")
    assert [item for item in head.headers.items() if item[0] not in changing] == [
        item for item in whole.headers.items() if item[0] not in changing
    ]


def test_unknown_link_returns_404_for_every_kind_of_request(server: Server) -> None:
    unknown = Link("A" * 43, datetime.now(UTC), 0)
    for headers in ({}, {"range": "bytes=0-1"}, {"if_none_match": "*"}):
        for method in ("GET", "HEAD"):
            assert get(server, unknown, method, **headers).status_code == 404


@pytest.mark.parametrize("mime_type", ["image/svg+xml", "text/html", "application/xml"])
def test_file_that_can_contain_scripts_is_downloaded(server: Server, mime_type: str) -> None:
    response = get(server, store(b"<p>", mime_type, "a.x"))
    assert response.headers["content-disposition"] == 'attachment; filename="a.x"'


def test_file_name_cannot_add_headers(server: Server) -> None:
    response = get(server, store(b"x", "image/png", 'a"; x="\r\nset-cookie: b=c\r\n\u2713.png'))
    assert "set-cookie" not in response.headers
    assert response.headers["content-disposition"].startswith('inline; filename="a_; x=___set-cookie')


def test_server_closes_file_when_client_disconnects(server: Server) -> None:
    large = store(bytes(30_000_000))
    process = psutil.Process()
    with socket.create_connection((server.host, server.port)) as connection:
        connection.sendall(f"GET /files/{large.token} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        wait_until(lambda: any("/links/" in each.path for each in process.open_files()))
    wait_until(lambda: not any("/links/" in each.path for each in process.open_files()))
