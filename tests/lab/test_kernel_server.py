"""`mediakit.serve()` in a notebook: its URL behind proxies, its display, and its request log."""

import html
import json
import logging
import re
import socket
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.server import Server, serve
from mediakit.server.kernel import MAX_ENTRIES, Entry, RequestLog
from mediakit.usage import Loyalty, Usage
from tests.conftest import free_port
from tests.support.server_process import wait_until

pytest_plugins = ["tests.support.shell_fixtures"]

PROXY_VARIABLES = (
    "VSCODE_PROXY_URI",
    "CODESPACE_NAME",
    "JUPYTERHUB_PUBLIC_URL",
    "JUPYTERHUB_SERVICE_PREFIX",
    "JPY_PARENT_PID",
)


@pytest.fixture(autouse=True)
def _without_proxy_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXY_VARIABLES:
        monkeypatch.delenv(name, raising=False)


def test_server_displays_url_and_example_without_key(server: Server) -> None:
    output = server._repr_html_()
    assert f'href="{server.url}/docs"' in output
    assert server.key[:12] in output
    assert server.key not in output
    assert "mediakit.Client(mediakit.serve().url, api_key=mediakit.serve().key)" in output


@pytest.fixture
def with_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate that jupyter-server-proxy is installed."""
    monkeypatch.setattr("mediakit.api.proxy_urls.find_spec", lambda _: object())


@pytest.mark.usefixtures("with_proxy")
def test_server_displays_url_behind_jupyterhub(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/ann/")
    assert server.proxied == f"/user/ann/proxy/{server.port}"
    assert f'href="/user/ann/proxy/{server.port}/docs"' in server._repr_html_()


@pytest.mark.usefixtures("with_proxy")
def test_proxied_url_includes_host_of_public_hub(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/ann/")
    monkeypatch.setenv("JUPYTERHUB_PUBLIC_URL", "https://hub.example/user/ann/")
    assert server.proxied == f"https://hub.example/user/ann/proxy/{server.port}"


def test_server_displays_install_command_if_hub_has_no_proxy(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.api.proxy_urls.find_spec", lambda _: None)
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/ann/")
    assert server.proxied is None
    assert f"{sys.executable} -m pip install " in server._repr_html_()


def test_proxied_url_in_codespace(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODESPACE_NAME", "fuzzy-lamp")
    assert server.proxied == f"https://fuzzy-lamp-{server.port}.app.github.dev"


def test_server_displays_window_command_in_colab(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
    assert f"output.serve_kernel_port_as_window({server.port})" in server._repr_html_()


def test_examples_use_variable_of_server(server: Server, shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.user_ns["api"] = server
    output = server._repr_html_()
    assert "<code>api.stop()</code>" in output
    (python, curl) = html.unescape(output.partition("<pre")[2].partition(">")[2].partition("</pre>")[0]).split("\n")
    shell.user_ns["mediakit"] = mediakit
    with eval(python.partition(".qr(")[0], shell.user_ns) as client:
        assert client.qr("https://example.com") == mediakit.qr("https://example.com")
    assert f"x-api-key: {server.key}" in shell.var_expand(curl)


def test_proxied_url_in_code_server(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VSCODE_PROXY_URI", "https://code.example/proxy/{{port}}/")
    assert server.proxied == f"https://code.example/proxy/{server.port}"


def test_proxied_url_behind_jupyter_server_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "jpserver-4711.json").write_text(json.dumps({"base_url": "/lab/"}))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("JPY_PARENT_PID", "4711")
    monkeypatch.setattr("mediakit.api.proxy_urls.find_spec", lambda _: None)
    assert server.proxied is None
    monkeypatch.setattr("mediakit.api.proxy_urls.find_spec", lambda _: object())
    assert server.proxied == f"/lab/proxy/{server.port}"


def test_log_records_requests_without_query(server: Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        client.qr("secret")
    last = server.log[-1]
    assert isinstance(last, Entry)
    assert (last.message, last.status) == ("POST /qr", 200)
    assert ">POST /qr</td>" in server.log._repr_html_()
    assert "secret" not in repr(server.log)


def test_log_hides_token_of_link(server: Server) -> None:
    headers = {"x-api-key": server.key}
    link = httpx.post(f"{server.url}/qr", json={"data": "hi", "output": "url"}, headers=headers).json()["url"]
    assert httpx.get(link).status_code == 200
    wait_until(lambda: [entry.message for entry in server.log][-1] == "GET /files/…")


def test_log_records_warnings_instead_of_printing_them(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(b"this is not HTTP\r\n\r\n")
        while connection.recv(1000):
            pass
    logging.getLogger("mediakit.tools").warning("odd <b>things</b>")
    assert [entry.message for entry in server.log if entry.status is None][-2:] == [
        "Invalid HTTP request received.",
        "odd <b>things</b>",
    ]
    assert "odd &lt;b&gt;things" in server.log._repr_html_()
    assert capfd.readouterr() == ("", "")


def test_log_keeps_newest_entries() -> None:
    log = RequestLog()
    assert repr(log) == "no requests yet"
    for number in range(MAX_ENTRIES + 10):
        log.add(Entry(f"GET /{number}", 200, 0.1))
    assert len(log) == MAX_ENTRIES
    assert "GET /9<" not in log._repr_html_()
    assert f"GET /{MAX_ENTRIES + 9}<" in log._repr_html_()


def test_stopped_server_detaches_log_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.server.kernel._current_server", None)  # keeps the server of other tests running
    before = list(logging.getLogger("mediakit").handlers)
    running = serve(port=free_port())
    assert running.log._handler in logging.getLogger("mediakit").handlers
    running.stop()
    assert running.log._handler not in logging.getLogger("mediakit").handlers
    assert [handler for handler in logging.getLogger("mediakit").handlers if handler not in before] == []
    assert "has stopped" in running._repr_html_()


def test_status_returns_usage_of_account(server: Server) -> None:
    usage = mediakit.status(server.url, api_key=server.key)

    assert (usage.unlimited, usage.limit, usage.remaining) == (True, None, None)
    assert re.search(r"plan, unlimited: \d+ credits? used", usage._repr_html_())


def test_usage_displays_progress_and_remaining_credits() -> None:
    usage = Usage("pro", 1200, False, 300, 900, Loyalty(0, 0), "2026-12-21T00:00:00Z")

    output = usage._repr_html_()

    assert '<progress max="1200" value="300">' in output
    assert "900 left" in output
    assert "2026-12-21" in output


def test_status_uses_server_of_this_process_by_default(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    monkeypatch.setattr("mediakit.server.kernel._current_server", server)
    assert mediakit.status() == mediakit.status(server.url, api_key=server.key)

    monkeypatch.setattr("mediakit.server.kernel._current_server", None)
    with pytest.raises(InvalidInput, match=r"mediakit\.serve\(\)"):
        mediakit.status()
