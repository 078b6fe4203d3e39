"""`mediakit account`: admin rights, disabling, deletion and sign-in links."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mediakit.accounts import Accounts
from mediakit.cli import main
from mediakit.settings import AccountSettings

ADA = "ada@example.com"

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("MEDIAKIT_HOME", str(tmp_path))

    def call(*arguments: str, answer: str | None = None) -> Result:
        return CliRunner().invoke(main, ["account", *arguments], input=answer)

    return call


def test_flags_are_set_and_shown(run: Run) -> None:
    assert "(not verified, admin)" in run("create", ADA, "--admin").output
    assert "(not verified)" in run("set-admin", ADA, "--remove").output
    assert "(not verified, admin)" in run("set-admin", ADA).output
    assert "(not verified, admin, disabled)" in run("disable", ADA).output
    assert run("list").output.splitlines()[1].endswith("admin, disabled")
    assert "(not verified, admin)" in run("enable", ADA).output


def test_delete_asks_first(run: Run) -> None:
    run("create", ADA)
    assert "This cannot be undone" in run("delete", ADA, answer="n\n").output
    assert ADA in run("list").output
    assert f"Deleted the account of {ADA}." in run("delete", ADA, "--yes").output
    assert ADA not in run("list").output
    failed = run("show", ADA)
    assert (failed.exit_code, "has no account" in failed.output) == (1, True)


def test_sign_in_link_signs_in_once(run: Run, tmp_path: Path) -> None:
    run("create", ADA)
    url = run("sign-in-link", ADA, "--url", "https://api.example.com/").output.strip()
    prefix, token = url.rsplit("/", 1)
    assert prefix == "https://api.example.com/dashboard/sign-in"
    with closing(Accounts.open(AccountSettings(home=tmp_path))) as accounts:
        account = accounts.sign_in.use_link(token, sign_up=False)
        assert account is not None
        assert account.verified
        assert accounts.sign_in.use_link(token, sign_up=False) is None


def test_sign_in_link_requires_enabled_account(run: Run) -> None:
    assert run("sign-in-link", ADA).exit_code == 1
    run("create", ADA)
    run("disable", ADA)
    failed = run("sign-in-link", ADA)
    assert (failed.exit_code, failed.output) == (2, f"Error: email: the account of {ADA} is disabled.\n")
