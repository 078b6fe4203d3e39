"""Accounts: creation, plans, tables, and database errors."""

import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, date, datetime
from multiprocessing import get_context
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from mediakit.accounts import Accounts, database
from mediakit.accounts.models import Base
from mediakit.errors import InvalidInput, MediakitError, NotFound, ServerBusy
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock, commit, new_principal, reserve

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA = "ada@example.com"


def test_create_account_defaults_to_free_plan_unverified_from_today(accounts: Accounts) -> None:
    account = accounts.create_account(ADA)
    assert (account.plan, account.verified, account.unlimited) == ("free", False, False)
    assert account.since == date(2026, 11, 21)
    assert accounts.account(ADA) == account


def test_list_accounts_sorts_by_email(accounts: Accounts) -> None:
    for name in ("cy", "ada", "bo"):
        accounts.create_account(f"{name}@example.com")
    assert [account.email for account in accounts.list_accounts()] == [
        f"{name}@example.com" for name in ("ada", "bo", "cy")
    ]


@pytest.mark.parametrize(
    ("email", "message"),
    [
        ("ada", "one @"),
        ("a@b@c.de", "one @"),
        ("@example.com", "must have a name and a full domain"),
        ("ada@example", "must have a name and a full domain"),
        ("ada@.com", "must have a name and a full domain"),
        ("ada@example.", "must have a name and a full domain"),
        ("ada b@example.com", "must not contain spaces"),
        ("ada\0@example.com", "must not contain spaces or control characters"),
        ("a" * 243 + "@example.com", "must have at most 254 characters, got 255"),
        ("", "one @"),
    ],
)
def test_create_account_rejects_invalid_email(accounts: Accounts, email: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^email: .*{message}"):
        accounts.create_account(email)


def test_email_is_unique_and_case_insensitive(accounts: Accounts) -> None:
    accounts.create_account("Ada@Example.com ")
    with pytest.raises(InvalidInput, match=r"^email: an account for ada@example\.com already exists\.$"):
        accounts.create_account("ADA@example.COM")
    assert accounts.account("ADA@EXAMPLE.COM").email == ADA


def test_unknown_email_raises_not_found_with_create_command(accounts: Accounts) -> None:
    message = r"^email: bo@example\.com has no account\. Create one: mediakit account create bo@example\.com$"
    for method in (accounts.account, accounts.verify, accounts.create_key, accounts.list_keys):
        with pytest.raises(NotFound, match=message):
            method("bo@example.com")


def test_create_account_rejects_unknown_plan(accounts: Accounts) -> None:
    with pytest.raises(InvalidInput, match=r"^plan: must be one of .*, got 'gold'"):
        accounts.create_account(ADA, "gold")


def test_create_account_rejects_start_in_the_future(accounts: Accounts) -> None:
    with pytest.raises(InvalidInput, match=r"^since: must not be later than today, 2026-11-21, got 2026-11-22\.$"):
        accounts.create_account(ADA, since=date(2026, 11, 22))


def test_usage_returns_plan_limit_loyalty_and_reset(accounts: Accounts) -> None:
    usage = accounts.usage(accounts.create_account(ADA, "business", since=date(2024, 10, 31)))
    assert (usage.plan, usage.limit, usage.used, usage.remaining) == ("business", 2200, 0, 2200)
    assert (usage.loyalty.pct, usage.loyalty.bonus) == (10, 200)
    assert usage.reset == "2026-11-30T00:00:00Z"


def test_upgrade_takes_effect_at_once_and_keeps_used_credits(accounts: Accounts) -> None:
    principal = new_principal(accounts)
    commit(accounts, reserve(accounts, principal, 30))
    assert accounts.set_plan(ADA, "pro").plan == "pro"
    assert (accounts.usage(principal).limit, accounts.usage(principal).used) == (500, 1)


def test_downgrade_takes_effect_at_next_reset(accounts: Accounts, clock: ManualClock) -> None:
    key = (accounts.create_account(ADA, "scale"), accounts.create_key(ADA).key)[1]
    account = accounts.set_plan(ADA, "free")
    assert (account.plan, account.next_plan, account.next_plan_from) == (
        "scale",
        "free",
        datetime(2026, 12, 21, tzinfo=UTC),
    )
    clock.now = datetime(2026, 12, 20, 23, 59, 59, tzinfo=UTC)
    assert accounts.authenticate(key).plan == "scale"
    clock.forward(seconds=1)
    assert accounts.authenticate(key).plan == "free"
    assert accounts.account(ADA).next_plan is None
    assert accounts.usage(accounts.account(ADA)).limit == 50


def test_tables_match_models(accounts: Accounts) -> None:
    assert accounts.ready()
    with accounts._database._engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_migrations_create_same_tables_as_models(settings: AccountSettings) -> None:
    with closing(Accounts.open(settings)) as accounts:
        with accounts._database._writer.begin() as connection:
            database._migrate(connection)
            assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        assert accounts.create_account(ADA).email == ADA


def test_head_revision_is_last_migration() -> None:
    versions = Path(database.__file__).parent / "migrations" / "versions"
    assert max(path.name.split("_")[0] for path in versions.glob("*.py")) == database.HEAD_REVISION


def test_database_of_newer_version_is_rejected(settings: AccountSettings, clock: ManualClock) -> None:
    with closing(Accounts.open(settings, clock)) as newer, newer._database.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with closing(Accounts.open(settings, clock)) as older, pytest.raises(MediakitError, match="Update mediakit"):
        older.create_account(ADA)


def open_and_create(settings: AccountSettings, email: str) -> int:
    warnings.simplefilter("error")
    with closing(Accounts.open(settings)) as accounts:
        accounts.create_account(email, verified=True)
        return accounts.authenticate(accounts.create_key(email).key).account_id


def test_concurrent_processes_create_tables_once(settings: AccountSettings) -> None:
    emails = [f"user{number}@example.com" for number in range(4)]
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        ids = list(pool.map(open_and_create, [settings] * 4, emails))
    assert len(set(ids)) == 4
    with closing(Accounts.open(settings)) as accounts:
        assert [account.email for account in accounts.list_accounts()] == emails


def test_concurrent_threads_create_tables_once(accounts: Accounts) -> None:
    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(lambda _: accounts.ready(), range(16)))


@pytest.mark.parametrize("url", ["mysql://root@127.0.0.1/test", "nonsense", "sqlite://", "sqlite:///:memory:"])
def test_unsupported_database_url_is_rejected(tmp_path: Path, url: str) -> None:
    with pytest.raises(InvalidInput, match=r"^MEDIAKIT_DATABASE_URL: must be postgresql://"):
        Accounts.open(AccountSettings(home=tmp_path, database_url=url))


def test_unreachable_database_raises_server_busy(tmp_path: Path) -> None:
    settings = AccountSettings(home=tmp_path, database_url="postgresql://user@127.0.0.1:9/none")
    with closing(Accounts.open(settings)) as accounts:
        assert not accounts.ready()
        with pytest.raises(ServerBusy, match="The database does not respond") as caught:
            accounts.usage(accounts.account(ADA))
        assert caught.value.retry_after > 0


def test_home_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(MediakitError, match=r"^MEDIAKIT_HOME: cannot create .*file/home"):
        Accounts.open(AccountSettings(home=tmp_path / "file" / "home"))
