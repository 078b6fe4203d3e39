import re
import stat
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, text

from mediakit.accounts import Accounts
from mediakit.accounts.database import Database
from mediakit.accounts.key_format import KeyText
from mediakit.errors import EmailNotVerified, InvalidInput, InvalidKey, NotFound
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import HandClock, new_caller

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA = "ada@example.com"
INVALID = r"^This API key is not valid\.$"


def wrong_secret(key: str) -> str:
    """Keep the id, draw another secret; the checksum is right."""
    parsed = KeyText.parse(key)
    assert parsed is not None
    return KeyText(parsed.id, KeyText.make().secret).text()


def test_a_key_has_the_written_shape(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    new = accounts.create_key(ADA)
    assert re.fullmatch(r"mk_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}", new.key)
    assert new.key.startswith(f"mk_live_{new.id}_")


def test_a_key_names_its_caller(accounts: Accounts) -> None:
    accounts.create_account("Ada@Example.com", "pro", verified=True)
    new = accounts.create_key(ADA)
    caller = accounts.authenticate(new.key)
    assert (caller.email, caller.key_id, caller.plan, caller.unlimited) == (ADA, new.id, "pro", False)


@pytest.mark.parametrize("key", [None, ""])
def test_a_missing_key_is_told_where_to_send_one(accounts: Accounts, key: str | None) -> None:
    with pytest.raises(InvalidKey, match=r"^Missing API key\. Send it in the x-api-key header\.$"):
        accounts.authenticate(key)


@pytest.mark.parametrize("key", [" ", "x", "mk_live_", "ключ", "\ud800", "mk_live_" + "0" * 1_000_000, "\0" * 57])
def test_what_is_no_key_is_not_valid(accounts: Accounts, key: str) -> None:
    with pytest.raises(InvalidKey, match=INVALID):
        accounts.authenticate(key)


def test_unknown_wrong_and_revoked_keys_get_the_same_words(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    good, revoked = accounts.create_key(ADA), accounts.create_key(ADA)
    accounts.revoke_key(revoked.id)
    for key in (KeyText.make().text(), wrong_secret(good.key), revoked.key):
        with pytest.raises(InvalidKey, match=INVALID):
            accounts.authenticate(key)
    assert accounts.authenticate(good.key).key_id == good.id


@given(position=st.integers(0, 56), letter=st.sampled_from("09AZaz_"))
def test_the_checksum_finds_every_wrong_character(position: int, letter: str) -> None:
    key = KeyText("0123456789", "abcdefghijklmnopqrstuvwxyzABCDEF").text()
    typo = key[:position] + letter + key[position + 1 :]
    assert (KeyText.parse(typo) is None) == (typo != key)


def test_a_typo_is_refused_without_asking_the_database(settings: AccountSettings, clock: HandClock) -> None:
    database = Database.open(settings, clock)
    statements: list[str] = []
    event.listen(database._engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    with closing(Accounts(database)) as accounts:
        accounts.create_account(ADA)
        key = accounts.create_key(ADA).key
        accounts.authenticate(key)
        statements.clear()
        with pytest.raises(InvalidKey, match=INVALID):
            accounts.authenticate(key[:-1] + ("0" if key[-1] != "0" else "1"))
        assert statements == []


def test_a_key_is_nowhere_in_the_database(accounts: Accounts, settings: AccountSettings) -> None:
    accounts.create_account(ADA)
    new = accounts.create_key(ADA, "laptop")
    with accounts._database.read() as session:
        row = session.execute(text("SELECT id, name, digest FROM api_key")).one()
    secret = new.key.removeprefix(f"mk_live_{new.id}_")
    assert (row.id, row.name, len(row.digest)) == (new.id, "laptop", 32)
    for path in settings.home.iterdir():
        assert secret[:32].encode() not in path.read_bytes()
    assert secret not in repr(new)


def test_the_list_shows_a_key_without_its_secret(accounts: Accounts, clock: HandClock) -> None:
    accounts.create_account(ADA)
    first = accounts.create_key(ADA, "laptop")
    clock.forward(hours=1)
    second = accounts.create_key(ADA)
    listed = accounts.list_keys(ADA)
    assert [(key.id, key.name, key.last_used, key.revoked) for key in listed] == [
        (first.id, "laptop", None, None),
        (second.id, None, None, None),
    ]
    assert listed[0].prefix == f"mk_live_{first.id}_"
    assert listed[1].made == clock.now


def test_last_used_is_written_once_a_minute(accounts: Accounts, clock: HandClock) -> None:
    accounts.create_account(ADA)
    key = accounts.create_key(ADA).key
    first_use = clock.now
    accounts.authenticate(key)
    clock.forward(seconds=59)
    accounts.authenticate(key)
    assert accounts.list_keys(ADA)[0].last_used == first_use
    clock.forward(seconds=1)
    accounts.authenticate(key)
    assert accounts.list_keys(ADA)[0].last_used == clock.now


def test_a_key_revoked_on_one_server_is_refused_by_another(settings: AccountSettings, clock: HandClock) -> None:
    with closing(Accounts.open(settings, clock)) as one, closing(Accounts.open(settings, clock)) as other:
        one.create_account(ADA)
        new = one.create_key(ADA)
        assert other.authenticate(new.key).email == ADA
        one.revoke_key(new.id)
        with pytest.raises(InvalidKey, match=INVALID):
            other.authenticate(new.key)


def test_revoking_again_keeps_the_first_time(accounts: Accounts, clock: HandClock) -> None:
    accounts.create_account(ADA)
    new, revoked_at = accounts.create_key(ADA), clock.now
    accounts.revoke_key(new.id)
    clock.forward(hours=1)
    accounts.revoke_key(new.id)
    assert accounts.list_keys(ADA)[0].revoked == revoked_at


def test_revoking_an_unknown_key_says_how_to_find_ids(accounts: Accounts) -> None:
    with pytest.raises(NotFound, match="`mediakit key list EMAIL` lists them"):
        accounts.revoke_key("nothing")


def test_a_name_of_101_characters_is_refused(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    accounts.create_key(ADA, "n" * 100)
    with pytest.raises(InvalidInput, match=r"^name: at most 100 characters, got 101\.$"):
        accounts.create_key(ADA, "n" * 101)


@pytest.mark.parametrize("name", ["two\nlines", "red\x1b[31m", "\t"])
def test_a_name_that_would_disturb_a_list_is_refused(accounts: Accounts, name: str) -> None:
    accounts.create_account(ADA)
    with pytest.raises(InvalidInput, match=r"^name: a name has no line breaks or other control characters\.$"):
        accounts.create_key(ADA, name)


def test_a_key_of_an_unverified_account_may_read_its_status_but_use_no_tool(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    caller = accounts.authenticate(accounts.create_key(ADA).key)
    assert accounts.usage(caller).remaining == 50
    with pytest.raises(EmailNotVerified, match=r"^Verify your email address to use the tools\.$"):
        caller.require_verified()


def test_verifying_takes_effect_at_the_next_call(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    key = accounts.create_key(ADA).key
    accounts.verify(ADA)
    accounts.authenticate(key).require_verified()
    assert accounts.account(ADA).verified


def test_the_pepper_lies_in_a_private_file_beside_the_embedded_database(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with closing(Accounts.open(AccountSettings(home=home))) as accounts:
        new_caller(accounts)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [home, *home.iterdir()]}
    assert modes.pop("home") == 0o700
    assert {"accounts.sqlite3", "key-pepper"} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_servers_with_homes_of_their_own_know_each_others_keys(
    settings: AccountSettings, tmp_path: Path, clock: HandClock
) -> None:
    url = settings.database_url or f"sqlite:///{tmp_path / 'shared.sqlite3'}"
    homes = [AccountSettings(home=tmp_path / name, database_url=url) for name in ("a", "b")]
    with closing(Accounts.open(homes[0], clock)) as one, closing(Accounts.open(homes[1], clock)) as other:
        caller = new_caller(one)
        assert other.authenticate(other.create_key(ADA).key).account_id == caller.account_id
        assert one.authenticate(one.create_key(ADA).key).account_id == caller.account_id
        assert other.authenticate(one.create_key(ADA).key).account_id == caller.account_id
