"""Fixtures for tests of accounts, with real databases. Loaded by name, through `pytest_plugins`."""

import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from mediakit.accounts import Accounts, Links, rate_limits, redis_client
from mediakit.accounts import links as links_module
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import POSTGRESQL, REDIS, ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AccountSettings]:
    """Settings with an empty database: SQLite, then PostgreSQL."""
    if request.param == "sqlite":
        yield AccountSettings(home=tmp_path)
        return
    admin = create_engine(POSTGRESQL, isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": 2})
    name = f"mediakit_test_{uuid.uuid4().hex}"
    try:
        with admin.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
    except OperationalError as error:
        pytest.skip(f"no PostgreSQL at {POSTGRESQL} (set MEDIAKIT_TEST_POSTGRESQL): {error}")
    url = make_url(POSTGRESQL).set(database=name)
    yield AccountSettings(home=tmp_path, database_url=url.render_as_string(hide_password=False))
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture
def accounts(settings: AccountSettings, clock: ManualClock) -> Iterator[Accounts]:
    with closing(Accounts.open(settings, clock)) as accounts:
        yield accounts


@pytest.fixture
def links(settings: AccountSettings) -> Iterator[Links]:
    with closing(Links.open(settings)) as links:
        yield links


@pytest.fixture
def redis_url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """URL of a Redis. The keys of the test have their own prefix, and are deleted after it."""
    import redis

    opened: list[redis.Redis] = []
    connect = redis_client.connect

    def connect_and_remember(url: str) -> redis.Redis:
        opened.append(connect(url))
        return opened[-1]

    for module in (links_module, rate_limits):
        monkeypatch.setattr(module, "connect", connect_and_remember)
    prefix = f"mediakit-test-{uuid.uuid4().hex}"
    monkeypatch.setattr(redis_client, "KEY_PREFIX", prefix)
    with redis.Redis.from_url(REDIS, socket_connect_timeout=2) as client:
        try:
            client.ping()
        except redis.RedisError as error:
            pytest.skip(f"no Redis at {REDIS} (set MEDIAKIT_TEST_REDIS): {error}")
        yield REDIS
        for key in client.scan_iter(f"{prefix}:*"):
            client.delete(key)
    for connection in opened:
        connection.close()
