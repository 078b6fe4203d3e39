"""Shared fixtures: a temporary home, an app with an account, and a running server."""

import asyncio
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

if sys.dont_write_bytecode:
    # Without bytecode each subprocess compiles hundreds of modules again. It is kept outside of the checkout.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(Path(sys.prefix) / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Set before mediakit is imported, so that no test uses the accounts of the user.
os.environ["MEDIAKIT_HOME"] = tempfile.mkdtemp(prefix="mediakit-tests-")

import httpx
import hypothesis
import pytest

import mediakit.server
from mediakit import AsyncClient
from mediakit.accounts import Accounts
from mediakit.api.app import create_app
from mediakit.core.tool import Tool
from mediakit.server import Server, serve
from mediakit.settings import DEFAULT_RATES, AccountSettings, Plan, Settings
from tests.support import web_page

# The same examples in each run, so that a failure is caused by a change.
hypothesis.settings.register_profile(
    "deterministic",
    derandomize=True,
    deadline=None,  # a busy machine is not a failure
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("deterministic")


LAB = "tests/lab/"
LAB_HALF = (f"{LAB}test_forms", f"{LAB}test_keyboard")
"""Modules whose tests take about as long as all others in JupyterLab."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests in JupyterLab first, and repeat a failed test once if it needs a browser.

    The processes of browsers depend on the load of the machine. The summary lists repeated tests, so that a defect that
    shows now and then is seen.
    """
    items.sort(key=lambda item: not item.nodeid.startswith(LAB))
    for item in items:
        if item.get_closest_marker("lab") or item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_collection_finish() -> None:
    """Exclude the collected tests and the imported modules from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return a scheduler that keeps the tests of a module in one process, and those in JupyterLab in two.

    These share a server, a browser and a page, which take long to load. They are the longest work, so they begin first.
    """
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
        def _split_scope(self, nodeid: str) -> str:
            if nodeid.startswith(LAB):
                return LAB_HALF[0] if nodeid.startswith(LAB_HALF) else LAB
            return nodeid.partition("::")[0]

    return Scheduling(config, log) if config.getvalue("dist") == "loadscope" else None


def pytest_configure() -> None:
    """Restore the signals that `nohup` and background jobs of a shell ignore, and avoid work that is not needed."""
    gc.set_threshold(20_000, 20, 100)  # the default walks the thousands of collected tests again and again
    # jsonschema imports it for a format that no test needs, and its grammars take a second to compile.
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show why tests were repeated."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.section(f"first run of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)


class TestSettings(Settings):
    """Settings with accounts in a temporary folder."""

    __test__ = False

    def __init__(self, home: Path, rates: dict[Plan, int] | None = None) -> None:
        self.__dict__["accounts"] = AccountSettings(home=home, rate_limits=DEFAULT_RATES | (rates or {}))


@dataclass
class Api:
    """An app with an account, called without a socket."""

    http: httpx.AsyncClient
    transport: httpx.ASGITransport
    accounts: Accounts
    key: str
    email: str = "ada@example.com"

    async def post(self, path: str, *, key: str | None = None, **options: object) -> httpx.Response:
        return await self.http.post(path, headers=self._headers(key, options), **options)  # type: ignore[arg-type]

    async def json(self, path: str, values: object, **options: object) -> httpx.Response:
        return await self.post(path, json=values, **options)  # type: ignore[arg-type]

    async def raw(self, path: str, content: bytes | str, kind: str, **query: object) -> httpx.Response:
        return await self.post(path, content=content, headers={"content-type": kind}, params=query)

    def client(self) -> AsyncClient:
        """Return a mediakit client of this app."""
        return AsyncClient("http://api.test", api_key=self.key, transport=self.transport)

    async def status(self) -> dict[str, object]:
        response = await self.http.get("/status", headers={"x-api-key": self.key})
        assert response.status_code == 200
        return dict(response.json())

    def _headers(self, key: str | None, options: dict[str, object]) -> dict[str, str]:
        given = options.pop("headers", {})
        assert isinstance(given, dict)
        return {"x-api-key": self.key if key is None else key, **given}


@pytest.fixture(scope="session", autouse=True)
def _page_on_loopback() -> Iterator[None]:
    with web_page.served():
        yield


@pytest.fixture
def _queries_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run SQL queries in this process: a process for each query takes longer to start than most queries to run."""

    from mediakit.engines.sql.query import run_query

    async def run(_name: str, query: Any, **_limits: Any) -> Any:
        return await asyncio.to_thread(run_query, query)

    monkeypatch.setattr("mediakit.engines.sql.query._limit_address_space", lambda: None)
    monkeypatch.setattr("mediakit.tools.data.data_query.run_guarded", run)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    """An app with a verified account on the scale plan."""
    async for api in open_api(tmp_path):
        yield api


async def open_api(
    home: Path,
    *,
    plan: Plan = "scale",
    rates: dict[Plan, int] | None = None,
    tools: tuple[Tool[..., Any], ...] | None = None,
) -> AsyncIterator[Api]:
    made, key = _home_with_account(plan)
    shutil.copytree(made, home, dirs_exist_ok=True)
    settings = TestSettings(home, rates)
    accounts = Accounts.open(settings.accounts)
    app = create_app(settings, tools=tools)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://api.test") as http:
            yield Api(http, transport, accounts, key)
    accounts.close()


@cache
def _home_with_account(plan: Plan) -> tuple[Path, str]:
    """Return a folder with a database and a verified account, which tests copy, and the key of the account."""
    home = Path(tempfile.mkdtemp(prefix="mediakit-tests-"))
    with closing(Accounts.open(TestSettings(home).accounts)) as accounts:
        accounts.create_account(Api.email, plan, verified=True)
        return home, accounts.create_key(Api.email).key


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server of `mediakit.serve()` on a free port."""
    running = serve(port=free_port())
    mediakit.server.kernel._current_server = None  # keeps it running when other tests start and stop servers
    yield running
    running.stop()


def free_port() -> int:
    import socket

    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])
