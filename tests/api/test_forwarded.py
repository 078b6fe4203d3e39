"""The client's address and the external URL, with headers of trusted and of unknown proxies."""

from ipaddress import ip_network

import httpx
import pytest
from starlette.requests import Request

from mediakit.api.addresses import PROXIES_KEY, TrustedProxies, client_ip, client_network, external_base_url
from tests.conftest import Api

PROXIES = TrustedProxies([ip_network("10.0.0.0/8"), ip_network("::1/128")])


def request_from(peer: str | None, **headers: str) -> Request:
    """Return a request of a connection from an address; header names have underscores for hyphens."""
    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request(
        {
            "type": "http",
            "method": "GET",
            "scheme": "http",
            "path": "/",
            "query_string": b"",
            "headers": [(b"host", b"10.0.0.9:8000"), *lines],
            "client": (peer, 1234) if peer else None,
            "server": ("10.0.0.9", 8000),
            PROXIES_KEY: PROXIES,
        }
    )


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("198.51.100.7", "203.0.113.9", "198.51.100.7"),
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "1.2.3.4, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "10.0.0.3,10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "203.0.113.9:4711", "203.0.113.9"),
        ("10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"),
        ("10.0.0.1", "2001:DB8:0::7", "2001:db8::7"),
        ("10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"),
        ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        (None, "203.0.113.9", "203.0.113.9"),
    ],
)
def test_client_ip_is_last_address_outside_trusted_proxies(peer: str | None, forwarded: str, expected: str) -> None:
    assert client_ip(request_from(peer, x_forwarded_for=forwarded)) == expected


@pytest.mark.parametrize(
    ("forwarded", "expected"),
    [
        ("for=203.0.113.9", "203.0.113.9"),
        ('for=1.2.3.4, for="[2001:db8::7]:4711";proto=https', "2001:db8::7"),
        ('for="a,b\\", for=1.2.3.4', "10.0.0.1"),
        ("for=unknown", "10.0.0.1"),
        ("proto=https", "10.0.0.1"),
    ],
)
def test_client_ip_is_read_from_forwarded_header(forwarded: str, expected: str) -> None:
    assert client_ip(request_from("10.0.0.1", forwarded=forwarded)) == expected
    assert client_ip(request_from("198.51.100.7", forwarded=forwarded)) == "198.51.100.7"


def test_forwarded_header_is_ignored_beside_x_forwarded_for() -> None:
    request = request_from("10.0.0.1", forwarded="for=1.2.3.4;host=evil.example", x_forwarded_for="203.0.113.9")
    assert client_ip(request) == "203.0.113.9"
    assert external_base_url(request) == "http://10.0.0.9:8000"


def test_client_network_is_slash_64_of_ipv6_address() -> None:
    assert client_network("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64"
    assert client_network("203.0.113.9") == "203.0.113.9"


@pytest.mark.parametrize(
    "headers",
    [
        {"x_forwarded_proto": "https", "x_forwarded_host": "a.example", "x_forwarded_prefix": "/tools"},
        {"x_forwarded_proto": "https, http", "x_forwarded_host": "a.example, b", "x_forwarded_prefix": "/tools/"},
        {"forwarded": "proto=https;host=a.example, proto=http;host=b"},
    ],
)
def test_base_url_uses_headers_of_trusted_proxy_only(headers: dict[str, str]) -> None:
    prefix = "/tools" if "x_forwarded_prefix" in headers else ""
    assert external_base_url(request_from("10.0.0.1", **headers)) == f"https://a.example{prefix}"
    assert external_base_url(request_from("198.51.100.7", **headers)) == "http://10.0.0.9:8000"


@pytest.mark.parametrize("host", ["evil.example/path", "a b", "user@evil.example", "evil.example:x", "[::1", '"<b>'])
def test_malformed_forwarded_host_is_ignored(host: str) -> None:
    request = request_from("10.0.0.1", x_forwarded_host=host)
    assert external_base_url(request) == "http://10.0.0.9:8000"


@pytest.mark.anyio
async def test_link_ignores_forwarded_headers_of_unknown_peer(api: Api) -> None:
    headers = {"x-api-key": api.key, "x-forwarded-proto": "https", "x-forwarded-prefix": "/evil"}
    transport = httpx.ASGITransport(api.transport.app, client=("198.51.100.7", 1234))
    async with httpx.AsyncClient(transport=transport, base_url="http://api.test") as http:
        response = await http.post("/qr", json={"data": "x", "output": "url"}, headers=headers)
    assert response.json()["url"].startswith("http://api.test/files/")
