"""`mediakit account` and `mediakit key`: accounts, plans, admin rights, sign-in links and keys."""

import csv
from contextlib import closing
from pathlib import Path

from mediakit.accounts import Accounts, Outcome
from mediakit.settings import AccountSettings
from tests.cli.conftest import Run
from tests.support.accounts_kit import commit, reserve

ADA = "ada@example.com"


def test_account_is_created_verified_and_changes_its_plan(run: Run) -> None:
    assert run("account", "create", ADA, "--plan", "pro", "--since", "2020-01-31").exit_code == 0
    assert "not verified" in run("account", "show", ADA).stdout
    assert f"{ADA} (verified)" in run("account", "verify", ADA).stdout
    assert "business" in run("account", "set-plan", ADA, "business").stdout
    assert ADA in run("account", "list").stdout


def test_key_is_printed_last_listed_by_its_start_and_revoked(run: Run) -> None:
    run("account", "create", ADA)
    key = run("key", "create", ADA, "--name", "laptop").stdout.splitlines()[-1]
    assert key.startswith("mk_live_")
    head, row = run("key", "list", ADA).stdout.splitlines()
    assert head.split()[:2] == ["ID", "PREFIX"]
    assert key not in row
    assert row.split()[1].removesuffix("…") in key
    assert "laptop" in row
    assert run("key", "revoke", row.split()[0]).exit_code == 0
    assert "revoked" in run("key", "list", ADA).stdout


def test_flags_are_set_and_shown(run: Run) -> None:
    assert "(not verified, admin)" in run("account", "create", ADA, "--admin").output
    assert "(not verified)" in run("account", "set-admin", ADA, "--remove").output
    assert "(not verified, admin)" in run("account", "set-admin", ADA).output
    assert "(not verified, admin, disabled)" in run("account", "disable", ADA).output
    assert run("account", "list").output.splitlines()[1].endswith("admin, disabled")
    assert "(not verified, admin)" in run("account", "enable", ADA).output


def test_delete_asks_first(run: Run) -> None:
    run("account", "create", ADA)
    assert "This cannot be undone" in run("account", "delete", ADA, stdin="n\n").output
    assert ADA in run("account", "list").output
    assert f"Deleted the account of {ADA}." in run("account", "delete", ADA, "--yes").output
    assert ADA not in run("account", "list").output
    failed = run("account", "show", ADA)
    assert (failed.exit_code, "has no account" in failed.output) == (1, True)


def test_sign_in_link_signs_in_once(run: Run, tmp_path: Path) -> None:
    run("account", "create", ADA)
    url = run("account", "sign-in-link", ADA, "--url", "https://api.example.com/").output.strip()
    prefix, token = url.rsplit("/", 1)
    assert prefix == "https://api.example.com/dashboard/sign-in"
    with closing(Accounts.open(AccountSettings(home=tmp_path / "home"))) as accounts:
        account = accounts.sign_in.use_link(token, sign_up=False)
        assert account is not None
        assert account.verified
        assert accounts.sign_in.use_link(token, sign_up=False) is None


def test_sign_in_link_requires_enabled_account(run: Run) -> None:
    assert run("account", "sign-in-link", ADA).exit_code == 1
    run("account", "create", ADA)
    run("account", "disable", ADA)
    failed = run("account", "sign-in-link", ADA)
    assert (failed.exit_code, failed.output) == (2, f"Error: email: the account of {ADA} is disabled.\n")


def test_key_has_scopes_and_an_expiry(run: Run) -> None:
    run("account", "create", ADA)
    assert run("key", "create", ADA, "--scope", "pdf-merge", "--scope", "tag:Images", "--expires", "90d").exit_code == 0
    row = run("key", "list", ADA).stdout.splitlines()[1]
    assert "pdf_merge, tag:images" in row
    assert "active" in row
    failed = run("key", "create", ADA, "--scope", "qrr")
    assert (failed.exit_code, "did you mean qr?" in failed.output) == (2, True)
    failed = run("key", "create", ADA, "--expires", "soon")
    assert (failed.exit_code, "expires: must be a day such as 2026-12-31" in failed.output) == (2, True)


def test_usage_of_all_accounts_is_csv(run: Run, tmp_path: Path) -> None:
    with closing(Accounts.open(AccountSettings(home=tmp_path / "home"))) as accounts:
        for email, calls in (("bob@example.com", 1), (ADA, 2)):
            accounts.create_account(email, verified=True)
            principal = accounts.authenticate(accounts.create_key(email).key)
            for _ in range(calls):
                commit(accounts, reserve(accounts, principal, 60), Outcome("qr"))
    head, *rows = csv.reader(run("account", "usage", "--all", "--csv").stdout.splitlines())
    assert head == ["email", "day", "tool", "calls", "charged"]
    assert [(row[0], row[2:]) for row in rows] == [(ADA, ["qr", "2", "2"]), ("bob@example.com", ["qr", "1", "1"])]
    assert run("account", "usage").exit_code == run("account", "usage", ADA, "--all").exit_code == 2
