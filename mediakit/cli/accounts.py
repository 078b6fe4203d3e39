"""`mediakit account` and `mediakit key`: manage accounts and their API keys."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import get_args

import click

from mediakit.accounts import Account, Accounts
from mediakit.core.usage import Usage
from mediakit.settings import Plan, Settings

PLANS = click.Choice(get_args(Plan))


class Date(click.ParamType[date]):
    """A date in ISO 8601 format."""

    name = "YYYY-MM-DD"

    def convert(self, value: str | date, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Parse a date."""
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a date such as 2026-03-01.", param, ctx)


@contextmanager
def opened() -> Iterator[Accounts]:
    """Open the accounts of the settings."""
    accounts = Accounts.open(Settings().accounts)
    try:
        yield accounts
    finally:
        accounts.close()


@click.group()
def account() -> None:
    """Create and change accounts."""


@account.command("create")
@click.argument("email")
@click.option("--plan", type=PLANS, default="free", show_default=True)
@click.option("--unlimited", is_flag=True, help="Exempt the account from credit and rate limits.")
@click.option("--verified", is_flag=True, help="Mark the email address as verified.")
@click.option("--since", type=Date(), help="First day of the subscription; credits reset on this day of each month.")
def create_account(email: str, plan: Plan, unlimited: bool, verified: bool, since: date | None) -> None:  # noqa: FBT001  # click passes by name
    """Create an account."""
    with opened() as accounts:
        created = accounts.create_account(email, plan, unlimited=unlimited, verified=verified, since=since)
        _show(created, accounts.usage(created))


@account.command("list")
def list_accounts() -> None:
    """List all accounts."""
    with opened() as accounts:
        rows = [
            (a.email, _plan(a), "verified" if a.verified else "not verified", f"since {a.since}")
            for a in accounts.list_accounts()
        ]
    _table(("EMAIL", "PLAN", "ADDRESS", "SUBSCRIBED"), rows)


@account.command("show")
@click.argument("email")
def show_account(email: str) -> None:
    """Show the plan and credits of an account."""
    with opened() as accounts:
        found = accounts.account(email)
        _show(found, accounts.usage(found))


@account.command("verify")
@click.argument("email")
def verify_account(email: str) -> None:
    """Mark the email address of an account as verified."""
    with opened() as accounts:
        verified = accounts.verify(email)
        _show(verified, accounts.usage(verified))


@account.command("set-plan")
@click.argument("email")
@click.argument("plan", type=PLANS)
def set_plan(email: str, plan: Plan) -> None:
    """Change the plan. An upgrade takes effect at once, a downgrade at the next reset."""
    with opened() as accounts:
        changed = accounts.set_plan(email, plan)
        _show(changed, accounts.usage(changed))


@click.group()
def key() -> None:
    """Create and revoke API keys."""


@key.command("create")
@click.argument("email")
@click.option("--name", help="Describes what the key is for.")
def create_key(email: str, name: str | None) -> None:
    """Create an API key and print it on the last line. It is not shown again."""
    with opened() as accounts:
        new = accounts.create_key(email, name)
    click.echo(f"Created key {new.id} for {email}. Copy it now: it is not shown again.", err=True)
    click.echo(new.key)


@key.command("list")
@click.argument("email")
def list_keys(email: str) -> None:
    """List the API keys of an account. Only the start of each key is shown."""
    with opened() as accounts:
        keys = accounts.list_keys(email)
    rows = [
        (k.id, f"{k.prefix}…", _format(k.created), _format(k.last_used) or "never", _state(k.revoked), k.name or "")
        for k in keys
    ]
    _table(("ID", "PREFIX", "CREATED", "LAST USED", "STATE", "NAME"), rows)


@key.command("revoke")
@click.argument("key_id", metavar="ID")
def revoke_key(key_id: str) -> None:
    """Revoke an API key."""
    with opened() as accounts:
        accounts.revoke_key(key_id)
    click.echo(f"Revoked key {key_id}.")


def _plan(account: Account) -> str:
    downgrade = f", {account.next_plan} from {account.next_plan_from:%Y-%m-%d}" if account.next_plan else ""
    return ("unlimited" if account.unlimited else account.plan) + downgrade


def _show(account: Account, usage: Usage) -> None:
    limit = "unlimited" if usage.limit is None else f"{usage.limit} a month, {usage.remaining} left"
    _table(
        (),
        [
            ("Email", f"{account.email} ({'verified' if account.verified else 'not verified'})"),
            ("Plan", _plan(account)),
            ("Credits", f"{usage.used} used, {limit}; next reset {usage.reset}"),
            ("Subscribed", f"since {account.since}"),
        ],
    )


def _state(revoked: datetime | None) -> str:
    return f"revoked {_format(revoked)}" if revoked else "active"


def _format(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M}" if time else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [head, *rows] if head else rows
    if not lines:
        return
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
