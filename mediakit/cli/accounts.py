"""Accounts and their keys."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import get_args

import click

from mediakit.accounts import Account, Accounts
from mediakit.core.usage import Usage
from mediakit.settings import Plan, Settings

PLANS = click.Choice(get_args(Plan))


class Day(click.ParamType[date]):
    """A calendar day."""

    name = "YYYY-MM-DD"

    def convert(self, value: str | date, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Read a day as ISO 8601 writes it."""
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a day; write it as 2026-03-01.", param, ctx)


@contextmanager
def opened() -> Iterator[Accounts]:
    """Use this machine's accounts."""
    accounts = Accounts.open(Settings().accounts)
    try:
        yield accounts
    finally:
        accounts.close()


@click.group()
def account() -> None:
    """Make and change accounts."""


@account.command("create")
@click.argument("email")
@click.option("--plan", type=PLANS, default="free", show_default=True)
@click.option("--unlimited", is_flag=True, help="Neither credits nor the rate limit bind the account.")
@click.option("--verified", is_flag=True, help="The email address is known to be the owner's.")
@click.option("--since", type=Day(), help="Day the subscription started; credits reset on that day of the month.")
def create_account(email: str, plan: Plan, unlimited: bool, verified: bool, since: date | None) -> None:  # noqa: FBT001  # click passes by name
    """Make an account."""
    with opened() as accounts:
        made = accounts.create_account(email, plan, unlimited=unlimited, verified=verified, since=since)
        _show(made, accounts.usage(made))


@account.command("list")
def list_accounts() -> None:
    """List every account."""
    with opened() as accounts:
        rows = [
            (a.email, _plan(a), "verified" if a.verified else "not verified", f"since {a.since}")
            for a in accounts.list_accounts()
        ]
    _table(("EMAIL", "PLAN", "ADDRESS", "SUBSCRIBED"), rows)


@account.command("show")
@click.argument("email")
def show_account(email: str) -> None:
    """Show an account's plan and credits."""
    with opened() as accounts:
        found = accounts.account(email)
        _show(found, accounts.usage(found))


@account.command("verify")
@click.argument("email")
def verify_account(email: str) -> None:
    """Note that the email address is the owner's."""
    with opened() as accounts:
        verified = accounts.verify(email)
        _show(verified, accounts.usage(verified))


@account.command("set-plan")
@click.argument("email")
@click.argument("plan", type=PLANS)
def set_plan(email: str, plan: Plan) -> None:
    """Change the plan: a larger one at once, a smaller one at the next reset."""
    with opened() as accounts:
        changed = accounts.set_plan(email, plan)
        _show(changed, accounts.usage(changed))


@click.group()
def key() -> None:
    """Make and revoke API keys."""


@key.command("create")
@click.argument("email")
@click.option("--name", help="What the key is for.")
def create_key(email: str, name: str | None) -> None:
    """Make a key and print it, alone on the last line; it is never shown again."""
    with opened() as accounts:
        made = accounts.create_key(email, name)
    click.echo(f"Key {made.id} for {email}. Keep it now: it is not shown again.", err=True)
    click.echo(made.key)


@key.command("list")
@click.argument("email")
def list_keys(email: str) -> None:
    """List an account's keys; the keys themselves are never shown."""
    with opened() as accounts:
        keys = accounts.list_keys(email)
    rows = [
        (k.id, f"{k.prefix}…", _when(k.created), _when(k.last_used) or "never", _state(k.revoked), k.name or "")
        for k in keys
    ]
    _table(("ID", "PREFIX", "CREATED", "LAST USED", "STATE", "NAME"), rows)


@key.command("revoke")
@click.argument("key_id", metavar="ID")
def revoke_key(key_id: str) -> None:
    """Make a key worthless."""
    with opened() as accounts:
        accounts.revoke_key(key_id)
    click.echo(f"Key {key_id} is revoked.")


def _plan(account: Account) -> str:
    later = f", {account.next_plan} from {account.next_plan_from:%Y-%m-%d}" if account.next_plan else ""
    return ("unlimited" if account.unlimited else account.plan) + later


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
    return f"revoked {_when(revoked)}" if revoked else "active"


def _when(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [head, *rows] if head else rows
    if not lines:
        return
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
