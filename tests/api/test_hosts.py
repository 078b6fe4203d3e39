"""The `Host` header: names that a server accepts, and names that may appear in its links."""

import json
from pathlib import Path

import httpx
import pytest

from mediakit import errors
from mediakit.api import proxy_urls
from mediakit.api.addresses import KnownHosts
from mediakit.server import Server
from mediakit.settings import ServerSettings

PROXY_VARIABLES = ("VSCODE_PROXY_URI", "CODESPACE_NAME", "JUPYTERHUB_SERVICE_PREFIX", "JUPYTERHUB_PUBLIC_URL")
LAN = ("192.168.1.5", 8000)
LOCAL = ("127.0.0.1", 8000)


@pytest.fixture(autouse=True)
def _no_notebook_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*PROXY_VARIABLES, "JPY_PARENT_PID"):
        monkeypatch.delenv(name, raising=False)


def link(server: Server, **headers: str) -> httpx.Response:
    lines = {"x-api-key": server.key, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return httpx.post(f"{server.url}/qr", json={"data": "x", "output": "url"}, headers=lines)


@pytest.mark.parametrize("path", ["/status", "/metrics", "/unknown"])
def test_server_on_loopback_rejects_unknown_host(server: Server, path: str) -> None:
    response = httpx.get(f"{server.url}{path}", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert response.json()["error"].startswith('Host: must be a name of this server, got "evil.example".')
    assert response.headers["x-request-id"]


@pytest.mark.parametrize("host", ["localhost:{}", "127.0.0.1:{}", "[::1]:{}", "app.localhost:{}", "LOCALHOST"])
def test_link_has_host_of_request_on_loopback(server: Server, host: str) -> None:
    host = host.format(server.port)
    assert link(server, host=host).json()["url"].startswith(f"http://{host}/files/")


def test_link_has_address_of_server_for_names_that_it_does_not_know(server: Server) -> None:
    for host in ("192.0.2.1", "intranet"):
        assert link(server, host=host).json()["url"].startswith(f"http://127.0.0.1:{server.port}/files/")


def test_link_has_host_of_proxy_on_same_machine(server: Server) -> None:
    response = link(server, x_forwarded_host="api.example.com", x_forwarded_proto="https")
    assert response.json()["url"].startswith("https://api.example.com/files/")


@pytest.mark.parametrize(
    ("host", "address", "expected"),
    [
        ("evil.example", LOCAL, False),
        ("evil.example:8000", LOCAL, False),
        ("localhost.evil.example", LOCAL, False),
        ("127.0.0.1.evil.example", LOCAL, False),
        ("evil.example", ("::1", 8000), False),
        ("evil.example", ("::ffff:127.0.0.1", 8000), False),
        ("evil.example", LAN, True),
        ("localhost", LOCAL, True),
        ("localhost.", LOCAL, True),
        ("192.0.2.1", LOCAL, True),
        ("", LOCAL, True),
    ],
)
def test_only_loopback_rejects_unknown_names_by_default(host: str, address: tuple[str, int], expected: bool) -> None:
    assert KnownHosts().accepts(host, *address) is expected


def test_allowed_hosts_apply_to_every_address() -> None:
    hosts = KnownHosts(["api.example.com", "*.example.org"])
    assert all(hosts.accepts(name, *LAN) for name in ("api.example.com:8000", "API.example.com", "a.b.example.org"))
    assert all(hosts.accepts(name, *LAN) for name in ("localhost", "192.168.1.5:8000"))
    assert not any(hosts.accepts(name, *LAN) for name in ("example.com", "example.org", "192.0.2.1", "intranet"))


def test_public_url_and_star_allow_names() -> None:
    assert KnownHosts(public_url="https://api.example.com/tools").accepts("api.example.com", *LOCAL)
    assert KnownHosts(["*"]).accepts("evil.example", *LOCAL)


def test_names_of_notebook_proxies_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODESPACE_NAME", "fuzzy-train")
    assert KnownHosts().accepts("fuzzy-train-8000.app.github.dev", *LOCAL)
    assert not KnownHosts().accepts("evil.example", *LOCAL)
    monkeypatch.setenv("VSCODE_PROXY_URI", "https://code.example.com/proxy/{{port}}/")
    assert KnownHosts().accepts("code.example.com", *LOCAL)
    assert not KnownHosts().accepts("evil.example", *LOCAL)


@pytest.mark.parametrize(
    ("name", "value"), [("JUPYTERHUB_SERVICE_PREFIX", "/user/ada/"), ("VSCODE_PROXY_URI", "./proxy/{{port}}")]
)
def test_any_name_is_accepted_if_name_of_notebook_proxy_is_unknown(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    assert KnownHosts().accepts("hub.example.com", *LOCAL)


@pytest.mark.parametrize(("hostname", "expected"), [("localhost", False), ("0.0.0.0", True)])
def test_any_name_is_accepted_if_jupyter_is_on_the_network(
    hostname: str, expected: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "jpserver-7.json").write_text(json.dumps({"hostname": hostname, "base_url": "/"}))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("JPY_PARENT_PID", "7")
    assert (proxy_urls.proxy_hosts(8000) is None) is expected
    assert KnownHosts().accepts("gpu.example.com", *LOCAL) is expected


@pytest.mark.parametrize("value", ["https://api.example.com", "api.example.com:8000", "a b"])
def test_invalid_allowed_hosts_name_the_variable(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_ALLOWED_HOSTS", value)
    with pytest.raises(errors.InvalidInput, match="MEDIAKIT_ALLOWED_HOSTS: must be host names"):
        ServerSettings()
