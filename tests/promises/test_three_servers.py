"""Three servers on PostgreSQL and Redis count exactly, although a server is killed and both services stop for seconds.

A call that fails for the time of a fault is repeated at another server with its idempotency key, as clients do.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from mediakit.accounts import Account, Accounts
from mediakit.settings import AccountSettings
from tests.support.own_services import OwnPostgres, OwnRedis, own_postgres, own_redis
from tests.support.server_process import ServerProcess, running_server

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

CALLS = 2000
CONCURRENT_CALLS = 24
REPEATED_CALLS = 100
OUTAGE_SECONDS = 2.0
LONGEST_HOLD_SECONDS = 3600
TEMPORARY_STATUSES = frozenset((409, 503))


@dataclass
class Cluster:
    """The servers and the services that they share."""

    servers: list[ServerProcess]
    postgres: OwnPostgres
    redis: OwnRedis
    accounts: Accounts


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as stack, ThreadPoolExecutor(3) as pool:
        redis_folder = tmp_path / "redis"
        redis_folder.mkdir()
        postgres, redis = stack.enter_context(own_postgres()), stack.enter_context(own_redis(redis_folder))
        accounts = stack.enter_context(
            closing(Accounts.open(AccountSettings(home=tmp_path, database_url=postgres.url)))
        )
        accounts.list_accounts()  # creates the tables
        settings = {
            "MEDIAKIT_DATABASE_URL": postgres.url,
            "MEDIAKIT_REDIS_URL": redis.url,
            "MEDIAKIT_RATE_LIMITS": "1000000",
        }

        def start(number: int) -> ServerProcess:
            home = tmp_path / f"server {number}"
            home.mkdir()
            return stack.enter_context(
                running_server(home, port=None, workers=1, open_files=None, file_bytes=None, **settings)
            )

        yield Cluster(list(pool.map(start, range(3))), postgres, redis, accounts)


@dataclass
class Caller:
    """An account with its key, and the outcomes of its calls."""

    account: Account
    key: str
    succeeded: set[str] = field(default_factory=set)
    """Idempotency keys of successful calls, or numbers of calls without one."""
    unanswered: int = 0
    """Calls without an idempotency key that may have been charged, although they have no response."""


def caller(accounts: Accounts, name: str, plan: str) -> Caller:
    account = accounts.create_account(f"{name}@example.com", plan, verified=True)
    return Caller(account, accounts.create_key(account.email).key)


class Load:
    """Mixed calls to random servers."""

    def __init__(self, cluster: Cluster) -> None:
        self.urls = [server.url for server in cluster.servers]
        self.keyed, self.plain = caller(cluster.accounts, "ada", "scale"), caller(cluster.accounts, "bob", "scale")
        self.limited = caller(cluster.accounts, "eve", "free")
        self.done = 0
        self.statuses: Counter[int] = Counter()
        self.repeats = 0
        self._random = random.Random(14)
        self.http = httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=None))

    async def run(self) -> None:
        """Make all calls."""
        numbers = iter(range(CALLS))

        async def work() -> None:
            for number in numbers:
                await self._call(number)
                self.done += 1

        async with asyncio.TaskGroup() as group:
            for _ in range(CONCURRENT_CALLS):
                group.create_task(work())

    async def use_up(self, caller: Caller) -> None:
        """Call until every credit of the month is used; credits of the killed server become free again."""
        deadline = time.monotonic() + 60
        for number in range(1000):
            assert time.monotonic() < deadline, f"{len(caller.succeeded)} credits were used"
            response = await self._post_until_answered(caller, f"last-{number}", json={"data": "last", "size": 64})
            if response.status_code == 429:
                if response.json()["retry_after"] > LONGEST_HOLD_SECONDS:
                    return
                await asyncio.sleep(0.5)

    async def _call(self, number: int) -> None:
        kind = self._random.choices(
            ["json", "raw", "link", "invalid", "limited", "plain", "status"], [50, 12, 8, 6, 10, 10, 4]
        )[0]
        body: dict[str, Any] = {"data": f"call {number}", "size": 64}
        match kind:
            case "json":
                await self._post_until_answered(self.keyed, f"call-{number}", json=body)
            case "raw":
                await self._post_until_answered(
                    self.keyed, f"call-{number}", content=f"call {number}", headers={"content-type": "text/plain"}
                )
            case "link":
                await self._post_until_answered(self.keyed, f"call-{number}", json=body | {"output": "url"})
            case "invalid":
                await self._post_until_answered(self.keyed, f"call-{number}", json=body | {"size": 9})
            case "limited":
                await self._post_until_answered(self.limited, f"call-{number}", json=body)
            case "plain":
                await self._post_once(number, body)
            case _:
                await self._status()

    async def _post_until_answered(self, caller: Caller, key: str, **options: Any) -> httpx.Response:
        headers = {"x-api-key": caller.key, "idempotency-key": key, **options.pop("headers", {})}

        async def post() -> httpx.Response:
            return await self.http.post(f"{self._random.choice(self.urls)}/qr", headers=headers, **options)

        response = await _until_answered(post)
        self.statuses[response.status_code] += 1
        if response.status_code == 200:
            caller.succeeded.add(key)
            if self._random.random() < REPEATED_CALLS / CALLS:
                again = await _until_answered(post)
                assert again.headers["idempotency-replayed"] == "true"
                self.repeats += 1
                assert again.content == response.content
        return response

    async def _post_once(self, number: int, body: dict[str, Any]) -> None:
        try:
            url = f"{self._random.choice(self.urls)}/qr"
            response = await self.http.post(url, json=body, headers={"x-api-key": self.plain.key})
        except httpx.TransportError:
            self.plain.unanswered += 1
            return
        assert response.status_code in (200, 503)
        if response.status_code == 200:
            self.plain.succeeded.add(str(number))
        else:
            self.plain.unanswered += 1

    async def _status(self) -> None:
        async def get() -> httpx.Response:
            headers = {"x-api-key": self.keyed.key}
            return await self.http.get(f"{self._random.choice(self.urls)}/status", headers=headers)

        assert (await _until_answered(get)).status_code == 200


async def _until_answered(send: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
    """Send a request until the response is not a temporary failure."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        try:
            response = await send()
        except httpx.TransportError:
            await asyncio.sleep(0.1)
            continue
        if response.status_code not in TEMPORARY_STATUSES:
            return response
        assert int(response.headers["retry-after"]) >= 1
        await asyncio.sleep(0.2)
    pytest.fail("no answer within 90 seconds")


async def _stop_and_start(service: OwnPostgres | OwnRedis) -> None:
    await asyncio.to_thread(service.stop)
    await asyncio.sleep(OUTAGE_SECONDS)
    await asyncio.to_thread(service.start)


async def _disturb(cluster: Cluster, load: Load) -> None:
    """Cause the faults, one after another, while calls run."""
    await _progress(load, CALLS // 5)
    killed = cluster.servers[-1]
    load.urls.remove(killed.url)
    killed.process.kill()
    await _progress(load, 2 * CALLS // 5)
    await _stop_and_start(cluster.redis)
    await _progress(load, 3 * CALLS // 5)
    await _stop_and_start(cluster.postgres)


async def _progress(load: Load, calls: int) -> None:
    while load.done < calls:  # noqa: ASYNC110  # a counter
        await asyncio.sleep(0.02)


def _charged(cluster: Cluster, caller: Caller) -> int:
    usage = cluster.accounts.ledger.by_day(caller.account.account_id)
    return sum(day.charged for day in usage)


async def test_ledger_status_and_responses_agree_after_faults(cluster: Cluster) -> None:
    load = Load(cluster)
    async with load.http:
        async with asyncio.TaskGroup() as group:
            group.create_task(_disturb(cluster, load))
            group.create_task(load.run())
        assert load.done == CALLS
        assert load.repeats > REPEATED_CALLS / 3
        assert {200, 400, 429} == set(load.statuses)
        await load.use_up(load.limited)
        assert len(load.limited.succeeded) == 50
        for each in (load.keyed, load.limited):
            status = (await load.http.get(f"{load.urls[0]}/status", headers={"x-api-key": each.key})).json()
            assert len(each.succeeded) == status["used"] == _charged(cluster, each)
    plain = cluster.accounts.usage(load.plain.account).used
    assert plain == _charged(cluster, load.plain)
    assert len(load.plain.succeeded) <= plain <= len(load.plain.succeeded) + load.plain.unanswered
