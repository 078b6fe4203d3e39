"""One account cannot keep the others from the server."""

import socket
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from mediakit.accounts import Accounts
from mediakit.settings import AccountSettings
from tests.support.server_process import ServerProcess, running_server


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[ServerProcess]:
    with running_server(home, MEDIAKIT_RENDER_SLOTS="2", MEDIAKIT_ALLOWED_NETWORKS="127.0.0.1/32") as server:
        yield server


def new_keys(home: Path, email: str, count: int = 1) -> list[str]:
    with closing(Accounts.open(AccountSettings(home=home))) as accounts:
        accounts.create_account(email, "free", verified=True)
        return [accounts.create_key(email).key for _ in range(count)]


def make_pdf(server: ServerProcess, key: str, html: str) -> httpx.Response:
    return httpx.post(f"{server.url}/pdf", json={"html": html}, headers={"x-api-key": key}, timeout=120)


def test_renders_of_one_account_do_not_delay_those_of_another(server: ServerProcess, home: Path) -> None:
    attacker, other = new_keys(home, "attacker@example.com", 6), new_keys(home, "other@example.com")[0]
    assert make_pdf(server, other, "<p>The browser has started.</p>").status_code == 200
    with ThreadPoolExecutor(6) as threads, socket.create_server(("127.0.0.1", 0)) as silent:
        page = f"<img src='http://127.0.0.1:{silent.getsockname()[1]}/'><p>This page loads when the address is closed."
        attacks: list[Future[httpx.Response]] = [threads.submit(make_pdf, server, key, page) for key in attacker]
        wait(attacks, timeout=2)
        responses = [make_pdf(server, other, f"<p>{number}</p>") for number in range(3)]
        still_running = sum(not attack.done() for attack in attacks)
    assert [response.status_code for response in responses] == [200] * 3
    assert still_running >= 5
    assert {attack.result().status_code for attack in attacks} <= {200, 422, 429, 503}


def test_keys_of_an_account_share_its_rate_limit(server: ServerProcess, home: Path) -> None:
    keys = new_keys(home, "many-keys@example.com", 4)
    codes = [
        httpx.post(f"{server.url}/qr", json={"data": "x"}, headers={"x-api-key": key}, timeout=60).status_code
        for key in keys * 3
    ]
    assert codes == [200] * 10 + [429] * 2
