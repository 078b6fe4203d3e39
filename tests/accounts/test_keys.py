"""API keys: format, storage, authentication, revocation."""

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
from mediakit.accounts.key_format import PlaintextKey
from mediakit.errors import InvalidInput, InvalidKey, MediakitError, NotFound
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import ManualClock, new_principal

pytest_plugins = ["tests.support.accounts_fixtures"]

ADA = "ada@example.com"
INVALID = r"^This API key is not valid\.$"


def wrong_secret(key: str) -> str:
    """Return a key with the same id, another secret, and a valid checksum."""
    parsed = PlaintextKey.parse(key)
    assert parsed is not None
    return PlaintextKey(parsed.id, PlaintextKey.generate().secret).text()


def test_keys_without_their_secret_are_an_error(tmp_path: Path) -> None:
    settings = AccountSettings(home=tmp_path)
    with closing(Accounts.open(settings)) as accounts:
        accounts.create_account("ada@example.com", verified=True)
        key = accounts.create_key("ada@example.com")
    (tmp_path / "key-pepper").rename(tmp_path / "backup")
    with closing(Accounts.open(settings)) as accounts:
        for use in (accounts.check, lambda: accounts.authenticate(key.key)):
            with pytest.raises(MediakitError, match=r"key-pepper is missing from .*, but the database has 1 API keys"):
                use()
    assert not (tmp_path / "key-pepper").exists()
    (tmp_path / "backup").rename(tmp_path / "key-pepper")
    with closing(Accounts.open(settings)) as accounts:
        accounts.check()
        assert accounts.authenticate(key.key).email == "ada@example.com"
        accounts.revoke_key(key.id)
    (tmp_path / "key-pepper").unlink()
    with closing(Accounts.open(settings)) as accounts:
        accounts.check()


def test_create_key_returns_documented_format(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    new = accounts.create_key(ADA)
    assert re.fullmatch(r"mk_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}", new.key)
    assert new.key.startswith(f"mk_live_{new.id}_")


def test_authenticate_returns_account_and_key(accounts: Accounts) -> None:
    accounts.create_account("Ada@Example.com", "pro", verified=True)
    new = accounts.create_key(ADA)
    principal = accounts.authenticate(new.key)
    assert (principal.email, principal.key_id, principal.plan, principal.unlimited) == (ADA, new.id, "pro", False)


@pytest.mark.parametrize("key", [None, ""])
def test_missing_key_error_names_header(accounts: Accounts, key: str | None) -> None:
    with pytest.raises(InvalidKey, match=r"^Missing API key\. Send it in the x-api-key header\.$"):
        accounts.authenticate(key)


@pytest.mark.parametrize("key", [" ", "x", "mk_live_", "ключ", "\ud800", "mk_live_" + "0" * 1_000_000, "\0" * 57])
def test_malformed_key_is_rejected(accounts: Accounts, key: str) -> None:
    with pytest.raises(InvalidKey, match=INVALID):
        accounts.authenticate(key)


def test_unknown_wrong_and_revoked_keys_return_same_message(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    good, revoked = accounts.create_key(ADA), accounts.create_key(ADA)
    accounts.revoke_key(revoked.id)
    for key in (PlaintextKey.generate().text(), wrong_secret(good.key), revoked.key):
        with pytest.raises(InvalidKey, match=INVALID):
            accounts.authenticate(key)
    assert accounts.authenticate(good.key).key_id == good.id


@given(position=st.integers(0, 56), letter=st.sampled_from("09AZaz_"))
def test_checksum_detects_every_wrong_character(position: int, letter: str) -> None:
    key = PlaintextKey("0123456789", "abcdefghijklmnopqrstuvwxyzABCDEF").text()
    typo = key[:position] + letter + key[position + 1 :]
    assert (PlaintextKey.parse(typo) is None) == (typo != key)


def test_mistyped_key_is_rejected_without_database_query(settings: AccountSettings, clock: ManualClock) -> None:
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


def test_secret_is_not_stored_in_database(accounts: Accounts, settings: AccountSettings) -> None:
    accounts.create_account(ADA)
    new = accounts.create_key(ADA, "laptop")
    with accounts._database.read() as session:
        row = session.execute(text("SELECT id, name, digest FROM api_key")).one()
    secret = new.key.removeprefix(f"mk_live_{new.id}_")
    assert (row.id, row.name, len(row.digest)) == (new.id, "laptop", 32)
    for path in settings.home.iterdir():
        assert secret[:32].encode() not in path.read_bytes()
    assert secret not in repr(new)


def test_list_keys_returns_prefix_without_secret(accounts: Accounts, clock: ManualClock) -> None:
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
    assert listed[1].created == clock.now


def test_last_used_is_updated_once_per_minute(accounts: Accounts, clock: ManualClock) -> None:
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


def test_key_revoked_on_one_server_is_rejected_by_another(settings: AccountSettings, clock: ManualClock) -> None:
    with closing(Accounts.open(settings, clock)) as one, closing(Accounts.open(settings, clock)) as other:
        one.create_account(ADA)
        new = one.create_key(ADA)
        assert other.authenticate(new.key).email == ADA
        one.revoke_key(new.id)
        with pytest.raises(InvalidKey, match=INVALID):
            other.authenticate(new.key)


def test_revoking_again_keeps_first_revocation_time(accounts: Accounts, clock: ManualClock) -> None:
    accounts.create_account(ADA)
    new, revoked_at = accounts.create_key(ADA), clock.now
    accounts.revoke_key(new.id)
    clock.forward(hours=1)
    accounts.revoke_key(new.id)
    assert accounts.list_keys(ADA)[0].revoked == revoked_at


def test_revoking_unknown_key_names_list_command(accounts: Accounts) -> None:
    with pytest.raises(NotFound, match=r"^key id: 'nothing' does not exist\. .*mediakit key list EMAIL$"):
        accounts.revoke_key("nothing")


def test_key_name_of_101_characters_is_rejected(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    accounts.create_key(ADA, "n" * 100)
    with pytest.raises(InvalidInput, match=r"^name: must have at most 100 characters, got 101\.$"):
        accounts.create_key(ADA, "n" * 101)


@pytest.mark.parametrize("name", ["two\nlines", "red\x1b[31m", "\t"])
def test_key_name_with_control_characters_is_rejected(accounts: Accounts, name: str) -> None:
    accounts.create_account(ADA)
    with pytest.raises(InvalidInput, match=r"^name: must not contain line breaks or other control characters\.$"):
        accounts.create_key(ADA, name)


def test_unverified_account_can_read_usage_but_not_use_tools(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    principal = accounts.authenticate(accounts.create_key(ADA).key)
    assert accounts.usage(principal).remaining == 50
    assert not principal.verified
    assert str(principal.not_verified()).endswith(": sign in once at /dashboard/sign-in.")


def test_verification_takes_effect_at_next_call(accounts: Accounts) -> None:
    accounts.create_account(ADA)
    key = accounts.create_key(ADA).key
    accounts.verify(ADA)
    assert accounts.authenticate(key).verified
    assert accounts.account(ADA).verified


def test_damaged_pepper_is_reported_at_start(tmp_path: Path) -> None:
    with closing(Accounts.open(AccountSettings(home=tmp_path))) as accounts:
        accounts.check()
    path = tmp_path / "key-pepper"
    path.write_bytes(path.read_bytes()[:20])
    message = (
        r"^MEDIAKIT_HOME: the file key-pepper in .* is damaged: it has 20 bytes and must have 32\. Restore the file"
    )
    with (
        closing(Accounts.open(AccountSettings(home=tmp_path))) as accounts,
        pytest.raises(MediakitError, match=message),
    ):
        accounts.check()


def test_pepper_is_private_file_beside_embedded_database(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with closing(Accounts.open(AccountSettings(home=home))) as accounts:
        new_principal(accounts)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [home, *home.iterdir()]}
    assert modes.pop("home") == 0o700
    assert {"accounts.sqlite3", "key-pepper"} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_servers_with_different_homes_accept_each_others_keys(
    settings: AccountSettings, tmp_path: Path, clock: ManualClock
) -> None:
    url = settings.database_url or f"sqlite:///{tmp_path / 'shared.sqlite3'}"
    homes = [AccountSettings(home=tmp_path / name, database_url=url) for name in ("a", "b")]
    with closing(Accounts.open(homes[0], clock)) as one, closing(Accounts.open(homes[1], clock)) as other:
        principal = new_principal(one)
        assert other.authenticate(other.create_key(ADA).key).account_id == principal.account_id
        assert one.authenticate(one.create_key(ADA).key).account_id == principal.account_id
        assert other.authenticate(one.create_key(ADA).key).account_id == principal.account_id
