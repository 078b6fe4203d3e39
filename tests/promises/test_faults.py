"""Faults of the database, the disk and the process: an error that can be retried, no free call, and no lost credit."""

import asyncio
import contextlib
import json
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import psutil
import pytest

from mediakit.accounts import Accounts
from mediakit.api.app import create_app
from mediakit.core.request import request
from mediakit.core.tool import tool
from mediakit.results.files import FileResult
from mediakit.settings import AccountSettings, Settings
from tests.support.own_services import OwnPostgres, own_postgres
from tests.support.server_process import ServerProcess, running_server, wait_until

started, finish = asyncio.Event(), asyncio.Event()


@request
class EchoRequest:
    """What to return."""

    text: str
    """The text."""


@tool(EchoRequest, tag="Files", raw={}, produces=("text/plain",))
async def echo(request: EchoRequest) -> FileResult:
    """Return a text; "slow" waits for the test."""
    if request.text == "slow":
        started.set()
        while not finish.is_set():  # noqa: ASYNC110  # set by another event loop
            await asyncio.sleep(0.01)
    return FileResult(request.text.encode(), "text/plain", "echo.txt")


class PostgresSettings(Settings):
    """Settings with accounts in a PostgreSQL server."""

    def __init__(self, home: Path, database_url: str) -> None:
        self.__dict__["accounts"] = AccountSettings(home=home, database_url=database_url)


@pytest.fixture(scope="module")
def postgres() -> Iterator[OwnPostgres]:
    with own_postgres() as server:
        yield server


@pytest.fixture
async def http(postgres: OwnPostgres, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an app on PostgreSQL, with the key of a new account."""
    started.clear()
    finish.clear()
    settings = PostgresSettings(tmp_path, postgres.url)
    with closing(Accounts.open(settings.accounts)) as accounts:
        email = f"{tmp_path.name}@example.com"
        accounts.create_account(email, "scale", verified=True)
        key = accounts.create_key(email).key
    app = create_app(settings, tools=(echo,))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1", headers={"x-api-key": key}
        ) as client:
            yield client


async def call(http: httpx.AsyncClient, text: str, key: str) -> httpx.Response:
    return await http.post("/echo", json={"text": text}, headers={"idempotency-key": key})


async def used(http: httpx.AsyncClient) -> int:
    return int((await http.get("/status")).json()["used"])


async def until_success(http: httpx.AsyncClient, text: str, key: str) -> httpx.Response:
    """Repeat a call until the app uses the database again."""
    async with asyncio.timeout(30):
        while True:
            response = await call(http, text, key)
            if response.status_code == 200:
                return response
            assert response.status_code in (409, 503)
            await asyncio.sleep(0.1)


@pytest.mark.anyio
async def test_calls_return_503_until_the_database_is_back(http: httpx.AsyncClient, postgres: OwnPostgres) -> None:
    assert (await call(http, "a", "1")).status_code == 200
    await asyncio.to_thread(postgres.stop)
    try:
        for response in (await call(http, "b", "2"), await http.get("/status")):
            assert response.status_code == 503
            assert response.headers["retry-after"] == str(response.json()["retry_after"])
    finally:
        await asyncio.to_thread(postgres.start)
    await until_success(http, "b", "2")
    assert await used(http) == 2


@pytest.mark.anyio
async def test_calls_return_503_while_the_database_is_frozen(http: httpx.AsyncClient, postgres: OwnPostgres) -> None:
    assert (await call(http, "a", "1")).status_code == 200
    with postgres.frozen():
        async with asyncio.timeout(60):
            responses = await asyncio.gather(
                *(call(http, "b", f"{number}") for number in range(5)), http.get("/status")
            )
        assert [response.status_code for response in responses] == [503] * 6
    await until_success(http, "c", "2")
    assert await used(http) == 2


@pytest.mark.anyio
async def test_call_that_cannot_be_charged_returns_503(http: httpx.AsyncClient, postgres: OwnPostgres) -> None:
    running = asyncio.create_task(call(http, "slow", "1"))
    while not started.is_set():  # noqa: ASYNC110  # set by another event loop
        await asyncio.sleep(0.01)
    await asyncio.to_thread(postgres.stop)
    try:
        finish.set()
        assert (await running).status_code == 503
    finally:
        await asyncio.to_thread(postgres.start)
    response = await until_success(http, "slow", "1")
    assert "idempotency-replayed" not in response.headers
    assert await used(http) == 1


def post(server: ServerProcess, number: int) -> httpx.Response:
    body = {"data": f"call {number}", "size": 64}
    return httpx.post(f"{server.url}/qr", json=body, headers={"x-api-key": server.key}, timeout=60)


def status(server: ServerProcess) -> int:
    return int(httpx.get(f"{server.url}/status", headers={"x-api-key": server.key}, timeout=60).json()["used"])


def test_full_disk_of_sqlite_returns_503_and_charges_nothing(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:
        assert post(server, 0).status_code == 200
        files = [path.stat().st_size for path in tmp_path.glob("accounts.sqlite3*")]
        unlimited = psutil.RLIM_INFINITY
        server.process.rlimit(psutil.RLIMIT_FSIZE, (max(files) + 30_000, unlimited))
        responses = [post(server, number) for number in range(1, 60)]
        statuses = [response.status_code for response in responses]
        server.process.rlimit(psutil.RLIMIT_FSIZE, (unlimited, unlimited))
        assert 503 in statuses
        assert set(statuses) <= {200, 503}  # SQLite finds room again when it reuses its write-ahead log
        assert all("retry-after" in response.headers for response in responses if response.status_code == 503)
        charged = 1 + statuses.count(200)
        wait_until(lambda: post(server, 99).status_code == 200)
        assert status(server) == charged + 1


@pytest.mark.parametrize("workers", [1, 2])
def test_sigterm_finishes_running_calls_and_closes_the_others(tmp_path: Path, workers: int) -> None:
    with running_server(tmp_path, workers=workers) as server:
        body = json.dumps({"data": "sent slowly", "size": 64}).encode()
        head = f"POST /qr HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {server.key}\r\ncontent-type: application/json\r\n"
        with connect(server) as running, connect(server) as idle:
            idle.sendall(b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            healthy = b""
            while not healthy.endswith(b'{"status":"ok"}'):
                healthy += idle.recv(10_000)
            running.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body[:9])
            wait_until(lambda: server.connections == 2)
            assert httpx.get(f"{server.url}/healthz").is_success  # the request before it has been read
            server.process.send_signal(signal.SIGTERM)
            assert idle.recv(10_000) == b""
            wait_until(lambda: not accepts_connections(server))
            running.sendall(body[9:])
            answer = b"".join(iter(lambda: running.recv(65_536), b""))
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"connection: close" in answer.lower()
        with contextlib.suppress(psutil.NoSuchProcess):
            server.process.wait(30)
    with closing(Accounts.open(AccountSettings(home=tmp_path))) as accounts:
        account = accounts.list_accounts()[0]
        assert accounts.usage(account).used == 1
        assert [call.status for call in accounts.ledger.recent(account.account_id)] == [200]


def connect(server: ServerProcess) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=30)


def accepts_connections(server: ServerProcess) -> bool:
    try:
        connect(server).close()
    except ConnectionRefusedError:
        return False
    return True
