"""Fixtures of the tests of accounts: real databases of the test's own. Loaded by name, through `pytest_plugins`."""

import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from mediakit.accounts import Accounts, link_stores, rates, redis_server
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import POSTGRESQL, REDIS, HandClock


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AccountSettings]:
    """Settings of an empty database: the file in HOME, and then a PostgreSQL that many servers share."""
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
def accounts(settings: AccountSettings, clock: HandClock) -> Iterator[Accounts]:
    with closing(Accounts.open(settings, clock)) as accounts:
        yield accounts


@pytest.fixture
def redis_url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Address of a Redis, in which the test's keys have names of their own; keys and connections are cleared away."""
    import redis

    opened: list[redis.Redis] = []
    connect = redis_server.connect

    def connect_and_remember(url: str) -> redis.Redis:
        opened.append(connect(url))
        return opened[-1]

    for module in (link_stores, rates):
        monkeypatch.setattr(module, "connect", connect_and_remember)
    prefix = f"mediakit-test-{uuid.uuid4().hex}"
    monkeypatch.setattr(redis_server, "PREFIX", prefix)
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
