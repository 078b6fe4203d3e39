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

from mediakit.accounts import Accounts, schema
from mediakit.accounts.models import Base
from mediakit.errors import InvalidInput, MediakitError, NotFound, ServerBusy
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import HandClock, new_caller

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA = "ada@example.com"


def test_a_new_account_is_free_unverified_and_starts_today(accounts: Accounts) -> None:
    account = accounts.create_account(ADA)
    assert (account.plan, account.verified, account.unlimited) == ("free", False, False)
    assert account.since == date(2026, 11, 21)
    assert accounts.account(ADA) == account


def test_accounts_are_listed_by_email(accounts: Accounts) -> None:
    for name in ("cy", "ada", "bo"):
        accounts.create_account(f"{name}@example.com")
    assert [account.email for account in accounts.list_accounts()] == [
        f"{name}@example.com" for name in ("ada", "bo", "cy")
    ]


@pytest.mark.parametrize(
    ("email", "words"),
    [
        ("ada", "one @"),
        ("a@b@c.de", "one @"),
        ("@example.com", "a name and a full domain"),
        ("ada@example", "a name and a full domain"),
        ("ada@.com", "a name and a full domain"),
        ("ada@example.", "a name and a full domain"),
        ("ada b@example.com", "no spaces"),
        ("ada\0@example.com", "no spaces or control characters"),
        ("a" * 243 + "@example.com", "at most 254 characters, got 255"),
        ("", "one @"),
    ],
)
def test_what_is_no_email_is_refused(accounts: Accounts, email: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=f"^email: .*{words}"):
        accounts.create_account(email)


def test_an_email_has_one_account_whatever_the_case_of_its_letters(accounts: Accounts) -> None:
    accounts.create_account("Ada@Example.com ")
    with pytest.raises(InvalidInput, match=r"^email: ada@example\.com has an account already\.$"):
        accounts.create_account("ADA@example.COM")
    assert accounts.account("ADA@EXAMPLE.COM").email == ADA


def test_an_unknown_email_is_told_how_to_get_an_account(accounts: Accounts) -> None:
    words = r"^bo@example\.com has no account\. Create it: mediakit account create bo@example\.com$"
    for ask in (accounts.account, accounts.verify, accounts.create_key, accounts.list_keys):
        with pytest.raises(NotFound, match=words):
            ask("bo@example.com")


def test_an_unknown_plan_is_refused(accounts: Accounts) -> None:
    with pytest.raises(InvalidInput, match=r"^plan: 'gold' is no plan"):
        accounts.create_account(ADA, "gold")


def test_a_subscription_cannot_start_in_the_future(accounts: Accounts) -> None:
    with pytest.raises(InvalidInput, match=r"^since: 2026-11-22 lies in the future"):
        accounts.create_account(ADA, since=date(2026, 11, 22))


def test_usage_tells_plan_limit_loyalty_and_reset(accounts: Accounts) -> None:
    usage = accounts.usage(accounts.create_account(ADA, "business", since=date(2024, 10, 31)))
    assert (usage.plan, usage.limit, usage.used, usage.remaining) == ("business", 2200, 0, 2200)
    assert (usage.loyalty.pct, usage.loyalty.bonus) == (10, 200)
    assert usage.reset == "2026-11-30T00:00:00Z"


def test_an_upgrade_counts_at_once_and_keeps_what_was_used(accounts: Accounts) -> None:
    caller = new_caller(accounts)
    accounts.commit(accounts.reserve(caller, 30))
    assert accounts.set_plan(ADA, "pro").plan == "pro"
    assert (accounts.usage(caller).limit, accounts.usage(caller).used) == (500, 1)


def test_a_downgrade_waits_for_the_reset(accounts: Accounts, clock: HandClock) -> None:
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


def test_the_tables_are_those_of_the_models(accounts: Accounts) -> None:
    assert accounts.ready()
    with accounts._database._engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_the_migrations_lead_to_the_tables_of_a_new_database(settings: AccountSettings) -> None:
    with closing(Accounts.open(settings)) as accounts:
        with accounts._database._writer.begin() as connection:
            schema._migrate(connection)
            assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        assert accounts.create_account(ADA).email == ADA


def test_the_schema_named_in_the_code_is_the_last_migration() -> None:
    versions = Path(schema.__file__).parent / "migrations" / "versions"
    assert max(path.name.split("_")[0] for path in versions.glob("*.py")) == schema.HEAD


def test_a_database_of_a_newer_mediakit_is_left_alone(settings: AccountSettings, clock: HandClock) -> None:
    with closing(Accounts.open(settings, clock)) as newer, newer._database.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with closing(Accounts.open(settings, clock)) as older, pytest.raises(MediakitError, match="Update mediakit"):
        older.create_account(ADA)


def open_and_create(settings: AccountSettings, email: str) -> int:
    warnings.simplefilter("error")
    with closing(Accounts.open(settings)) as accounts:
        accounts.create_account(email, verified=True)
        return accounts.authenticate(accounts.create_key(email).key).account_id


def test_servers_that_start_at_once_make_the_tables_once(settings: AccountSettings) -> None:
    emails = [f"user{number}@example.com" for number in range(4)]
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        ids = list(pool.map(open_and_create, [settings] * 4, emails))
    assert len(set(ids)) == 4
    with closing(Accounts.open(settings)) as accounts:
        assert [account.email for account in accounts.list_accounts()] == emails


def test_threads_that_come_first_at_once_make_the_tables_once(accounts: Accounts) -> None:
    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(lambda _: accounts.ready(), range(16)))


@pytest.mark.parametrize("url", ["mysql://root@127.0.0.1/test", "nonsense", "sqlite://", "sqlite:///:memory:"])
def test_an_address_of_another_database_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(InvalidInput, match=r"^database_url: use postgresql://"):
        Accounts.open(AccountSettings(home=tmp_path, database_url=url))


def test_a_database_that_is_away_is_busy_not_broken(tmp_path: Path) -> None:
    settings = AccountSettings(home=tmp_path, database_url="postgresql://nobody@127.0.0.1:9/none")
    with closing(Accounts.open(settings)) as accounts:
        assert not accounts.ready()
        with pytest.raises(ServerBusy, match="The database does not answer") as caught:
            accounts.usage(accounts.account(ADA))
        assert caught.value.retry_after > 0


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(MediakitError, match=r"^MEDIAKIT_HOME: .*file/home cannot be made"):
        Accounts.open(AccountSettings(home=tmp_path / "file" / "home"))
