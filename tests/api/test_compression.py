"""Compressed responses: which ones, with which coding, and that their content stays the same."""

import gzip

import brotli
import httpx
import pytest

from mediakit.server import Server

DECODERS = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}
HTML = "<article>" + "<p>A paragraph of a page that is long enough to be compressed.</p>" * 100 + "</article>"


def fetch(server: Server, path: str, accepted: str, **headers: str) -> tuple[httpx.Response, bytes]:
    """Return a response, and its body as it was sent."""
    with httpx.Client(timeout=60) as http:
        values = {"accept-encoding": accepted, **{name.replace("_", "-"): value for name, value in headers.items()}}
        with http.stream("GET", f"{server.url}{path}", headers=values) as response:
            return response, b"".join(response.iter_raw())


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0.5, gzip;q=0.8", "gzip"),
        ("*", "br"),
        ("br;q=0, *;q=0.1", "gzip"),
        ("identity", None),
        ("gzip;q=0, br;q=0", None),
        ("br;q=x", None),
        ("", None),
    ],
)
@pytest.mark.parametrize("path", ["/openapi.json", "/docs/base.css"])
def test_text_has_preferred_coding_and_same_content(
    server: Server, path: str, accepted: str, coding: str | None
) -> None:
    _, plain = fetch(server, path, "identity")
    response, sent = fetch(server, path, accepted)
    assert response.headers.get("content-encoding") == coding
    assert DECODERS[coding](sent) == plain
    assert response.headers["content-length"] == str(len(sent))
    assert "accept-encoding" in response.headers["vary"].lower()
    assert coding is None or len(sent) < len(plain) / 2


@pytest.mark.parametrize("path", ["/healthz", "/docs/thumbnails/qr.webp", "/dashboard", "/files/unknown"])
def test_short_files_and_private_responses_are_not_compressed(server: Server, path: str) -> None:
    response, _ = fetch(server, path, "gzip, br", accept="text/html")
    assert "content-encoding" not in response.headers


def test_data_is_compressed_and_files_in_json_are_not(server: Server) -> None:
    headers = {"x-api-key": server.key, "accept-encoding": "br"}
    page = httpx.post(f"{server.url}/web-to-markdown", json={"html": HTML}, headers=headers, timeout=60)
    assert (page.status_code, page.headers["content-encoding"]) == (200, "br")
    assert "A paragraph of a page" in page.json()["content"]
    code = httpx.post(f"{server.url}/qr", json={"data": "x", "size": 900}, headers=headers, timeout=60)
    assert len(code.content) > 1024
    assert "content-encoding" not in code.headers


def test_unchanged_openapi_document_is_not_sent_again(server: Server) -> None:
    for coding in ("br", "gzip", "identity"):
        first, _ = fetch(server, "/openapi.json", coding)
        again, body = fetch(server, "/openapi.json", coding, if_none_match=first.headers["etag"])
        assert (again.status_code, body) == (304, b"")
        assert again.headers["vary"] == "Accept-Encoding"


def test_entity_tag_of_compressed_asset_is_weak_and_matches(server: Server) -> None:
    plain, _ = fetch(server, "/docs/base.css", "identity")
    compressed, _ = fetch(server, "/docs/base.css", "br")
    assert compressed.headers["etag"] == f"W/{plain.headers['etag']}"
    for response in (plain, compressed):
        again, body = fetch(server, "/docs/base.css", "br", if_none_match=response.headers["etag"])
        assert (again.status_code, body) == (304, b"")
