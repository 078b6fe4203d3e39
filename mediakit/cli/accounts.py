"""`mediakit account` and `mediakit key`: manage accounts and their API keys."""

import csv
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from typing import get_args

import click

from mediakit.accounts import Account, Accounts, Links
from mediakit.accounts.clock import utc_now
from mediakit.accounts.keys import parse_expiry
from mediakit.errors import InvalidInput
from mediakit.settings import Plan, Settings

PLANS = click.Choice(get_args(Plan))


def opened() -> closing[Accounts]:
    """Open the accounts of the settings, for a `with` block."""
    return closing(Accounts.open(Settings().accounts))


@click.group()
def account() -> None:
    """Create and change accounts."""


@account.command("create")
@click.argument("email")
@click.option("--plan", type=PLANS, default="free", show_default=True)
@click.option("--unlimited", is_flag=True, help="Exempt the account from credit and rate limits.")
@click.option("--verified", is_flag=True, help="Mark the email address as verified.")
@click.option("--admin", is_flag=True, help="Allow the account to open the operator's pages.")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="First day of the subscription; credits reset on this day of each month.",
)
def create_account(email: str, plan: Plan, since: datetime | None, **flags: bool) -> None:
    """Create an account."""
    first_day = since and since.date()
    _show(lambda accounts: accounts.create_account(email, plan, since=first_day, **flags))


@account.command("list")
def list_accounts() -> None:
    """List all accounts."""
    with opened() as accounts:
        rows = [
            (a.email, _plan(a), "verified" if a.verified else "not verified", f"since {a.since}", ", ".join(_flags(a)))
            for a in accounts.list_accounts()
        ]
    _table(("EMAIL", "PLAN", "ADDRESS", "SUBSCRIBED", "FLAGS"), rows)


@account.command("show")
@click.argument("email")
def show_account(email: str) -> None:
    """Show the plan and credits of an account."""
    _show(lambda accounts: accounts.account(email))


@account.command("usage")
@click.argument("email", required=False)
@click.option("--all", "all_accounts", is_flag=True, help="List all accounts, each day and tool in one row.")
@click.option("--days", type=click.IntRange(1, 3660), default=30, show_default=True, help="Number of days (UTC).")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
def show_usage(email: str | None, *, all_accounts: bool, days: int, as_csv: bool) -> None:
    """List the calls of an account, or of all, by day and tool, with the credits charged."""
    if (email is None) != all_accounts:
        raise click.UsageError("Name an account, or pass --all.")
    with opened() as accounts:
        usage = accounts.ledger.by_day(
            accounts.account(email).account_id if email else None, days, by_account=not email
        )
    head: tuple[str, ...] = ("day", "tool", "calls", "charged")
    rows: list[tuple[str, ...]] = [
        (str(each.day), each.tool or "unknown", str(each.calls), str(each.charged)) for each in usage
    ]
    if all_accounts:
        head, rows = ("email", *head), [(each.email, *row) for each, row in zip(usage, rows, strict=True)]
    if as_csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows([head, *rows])
    else:
        _table(tuple(name.upper() for name in head), rows)


@account.command("verify")
@click.argument("email")
def verify_account(email: str) -> None:
    """Mark the email address of an account as verified."""
    _show(lambda accounts: accounts.verify(email))


@account.command("set-plan")
@click.argument("email")
@click.argument("plan", type=PLANS)
def set_plan(email: str, plan: Plan) -> None:
    """Change the plan. An upgrade takes effect at once, a downgrade at the next reset."""
    _show(lambda accounts: accounts.set_plan(email, plan))


@account.command("sign-in-link")
@click.argument("email")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="Base URL of the server.")
def sign_in_link(email: str, url: str) -> None:
    """Print a link that signs in to the dashboard. It works once, within 20 minutes."""
    from mediakit.accounts.sign_in import sign_in_url

    with opened() as accounts:
        found = accounts.account(email)
        link = accounts.sign_in.create_link(found.email, sign_up=False)
    if link is None:
        raise InvalidInput(f"email: the account of {found.email} is disabled.")
    click.echo(sign_in_url(url.rstrip("/"), link.token))


@account.command("set-admin")
@click.argument("email")
@click.option("--remove", is_flag=True, help="Remove the right instead.")
def set_admin(email: str, remove: bool) -> None:  # noqa: FBT001  # click passes by name
    """Allow an account to open the operator's pages of the dashboard."""
    _show(lambda accounts: accounts.administration.set_admin(email, admin=not remove))


@account.command("disable")
@click.argument("email")
def disable_account(email: str) -> None:
    """Disable an account: its keys return 401 and its sessions end. Nothing is deleted."""
    _show(lambda accounts: accounts.administration.disable(email))


@account.command("enable")
@click.argument("email")
def enable_account(email: str) -> None:
    """Enable a disabled account. Its keys work again."""
    _show(lambda accounts: accounts.administration.enable(email))


@account.command("delete")
@click.argument("email")
@click.confirmation_option(prompt="Delete the account and revoke its keys? This cannot be undone.")
def delete_account(email: str) -> None:
    """Delete an account: its email address, its keys and its sessions. Its calls remain in the statistics."""
    with opened() as accounts, closing(Links.open(Settings().accounts)) as links:
        accounts.administration.delete(email, links)
    click.echo(f"Deleted the account of {email}.")


@click.group()
def key() -> None:
    """Create and revoke API keys."""


@key.command("create")
@click.argument("email")
@click.option("--name", help="Describes what the key is for.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    metavar="TOOL",
    help="A tool that the key may call, or a tag such as tag:pdf. Repeat it for several. Default: all tools.",
)
@click.option(
    "--expires",
    metavar="YYYY-MM-DD|DAYS",
    help="Last day of the key (UTC), or a number of days such as 90d. Default: no expiry.",
)
def create_key(email: str, name: str | None, scopes: tuple[str, ...], expires: str | None) -> None:
    """Create an API key and print it on the last line. It is not shown again."""
    until = parse_expiry(expires) if expires else None
    with opened() as accounts:
        new = accounts.create_key(email, name, scopes=scopes, expires=until)
    click.echo(f"Created key {new.id} for {email}. Copy it now: it is not shown again.", err=True)
    click.echo(new.key)


@key.command("list")
@click.argument("email")
def list_keys(email: str) -> None:
    """List the API keys of an account. Only the start of each key is shown."""
    with opened() as accounts:
        keys = accounts.list_keys(email)
    rows = [
        (
            k.id,
            f"{k.prefix}…",
            _format(k.created),
            _format(k.last_used) or "never",
            f"revoked {_format(k.revoked)}" if k.revoked else k.state(utc_now()),
            _format(k.expires) or "never",
            ", ".join(k.scopes) or "all tools",
            k.name or "",
        )
        for k in keys
    ]
    _table(("ID", "PREFIX", "CREATED", "LAST USED", "STATE", "EXPIRES", "SCOPES", "NAME"), rows)


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


def _flags(account: Account) -> list[str]:
    return [*(["admin"] if account.admin else []), *(["disabled"] if account.disabled else [])]


def _show(find: Callable[[Accounts], Account]) -> None:
    """Print the account that a function finds, creates or changes."""
    with opened() as accounts:
        account = find(accounts)
        usage = accounts.usage(account)
    limit = "unlimited" if usage.limit is None else f"{usage.limit} a month, {usage.remaining} left"
    notes = ("verified" if account.verified else "not verified", *_flags(account))
    _table(
        (),
        [
            ("Email", f"{account.email} ({', '.join(notes)})"),
            ("Plan", _plan(account)),
            ("Credits", f"{usage.used} used, {limit}; next reset {usage.reset}"),
            ("Subscribed", f"since {account.since}"),
        ],
    )


def _format(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M}" if time else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [head, *rows] if head else rows
    if not lines:
        return
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
