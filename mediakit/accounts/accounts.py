"""Accounts with their keys, plans and credits: the interface for the server and the command line."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Self

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from mediakit.accounts.account import Account, account_of, add_account, check_email, require_account
from mediakit.accounts.administration import AccountSearch, Administration
from mediakit.accounts.clock import Clock
from mediakit.accounts.credits import Credits
from mediakit.accounts.database import Database
from mediakit.accounts.idempotency import IdempotentCalls
from mediakit.accounts.jobs import Jobs
from mediakit.accounts.keys import Keys, Principal
from mediakit.accounts.ledger import DayUsage, Ledger, RefusedCalls, Retention
from mediakit.accounts.mail import Outbox
from mediakit.accounts.models import AccountRow, KeyRow
from mediakit.accounts.sign_in import Sessions, SignIn
from mediakit.accounts.subscriptions import check_plan
from mediakit.errors import InvalidInput
from mediakit.settings import AccountSettings
from mediakit.usage import DayCalls, RecentCall, ToolCalls, Usage, UsageReport

MAX_DAYS = 90
MAX_RECENT_CALLS = 200


class Accounts:
    """Accounts with their keys and credits. Every method is thread-safe and blocks until the database responds."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.ready = database.ready
        self.keys = Keys(database)
        self.create_key = self.keys.create
        self.revoke_key = self.keys.revoke
        self.authenticate = self.keys.authenticate
        self.credits = Credits(database)
        self._refused = RefusedCalls(database)
        self.record_refused = self._refused.record
        self.search = AccountSearch(database)
        """The accounts as an operator sees them."""
        self.ledger = Ledger(database)
        """The calls of every account."""
        self.administration = Administration(database)
        self.sessions = Sessions(database)
        self.idempotent_calls = IdempotentCalls(database)
        """The responses of calls with an idempotency key."""
        self.jobs = Jobs(database, self.idempotent_calls)
        """Calls that are answered later."""
        self.outbox = Outbox(database)
        self.sign_in = SignIn(database, self.outbox)

    @classmethod
    def open(cls, settings: AccountSettings, clock: Clock | None = None) -> Self:
        """Return the accounts of a database. The database is opened, or created, on first use.

        Args:
            settings: Settings that contain the database URL.
            clock: Replaces the clock of this machine (SQLite) or of the database (PostgreSQL).
        """
        return cls(Database.open(settings, clock))

    def close(self) -> None:
        """Write the calls that wait for the ledger, and close all database connections."""
        self._refused.close()
        self.idempotent_calls.close()
        self.credits.close()
        self._database.close()

    def check(self) -> None:
        """Check that this version of mediakit can use the database, and that its keys are valid.

        Raises:
            MediakitError: A newer version of mediakit created the database, or the secret of its keys is missing.
            ServerBusy: The database does not respond.
        """
        self._database.prepare()
        self.keys.load_pepper()

    def create_account(
        self,
        email: str,
        plan: str = "free",
        *,
        unlimited: bool = False,
        verified: bool = False,
        admin: bool = False,
        since: date | None = None,
    ) -> Account:
        """Create an account.

        Args:
            email: Email address; case-insensitive and unique.
            plan: free, pro, business or scale.
            unlimited: Exempt the account from the credit limit and the rate limit.
            verified: Mark the email address as verified.
            admin: Allow the account to open the operator's pages.
            since: First day of the subscription; credits reset on this day of each month. Default: today.

        Raises:
            InvalidInput: A value is invalid, or an account with this email already exists.
        """
        email, chosen = check_email(email), check_plan(plan)
        try:
            with self._database.write() as session:
                now = self._database.now(session)
                row = add_account(session, email, chosen, now, since=since, unlimited=unlimited)
                row.verified, row.admin = verified, admin
                return account_of(row, now)
        except IntegrityError as error:
            raise InvalidInput(f"email: an account for {email} already exists.") from error

    def list_accounts(self) -> list[Account]:
        """Return every account, sorted by email."""
        with self._database.read() as session:
            now = self._database.now(session)
            existing = select(AccountRow).where(AccountRow.deleted.is_(None)).order_by(AccountRow.email)
            return [account_of(row, now) for row in session.scalars(existing)]

    def account(self, email: str) -> Account:
        """Return an account.

        Raises:
            NotFound: No account has this email.
        """
        with self._database.read() as session:
            return account_of(require_account(session, email), self._database.now(session))

    def verify(self, email: str) -> Account:
        """Mark the email address of an account as verified.

        Raises:
            NotFound: No account has this email.
        """
        with self._database.write() as session:
            row = require_account(session, email, lock=True)
            row.verified = True
            return account_of(row, self._database.now(session))

    def set_plan(self, email: str, plan: str) -> Account:
        """Change the plan. An upgrade takes effect at once, a downgrade at the next reset.

        Raises:
            InvalidInput: The plan does not exist.
            NotFound: No account has this email.
        """
        chosen = check_plan(plan)
        with self._database.write() as session:
            row = require_account(session, email, lock=True)
            now = self._database.now(session)
            row.subscription = row.subscription.change(chosen, now)
            return account_of(row, now)

    def list_keys(self, email: str) -> list[KeyRow]:
        """Return the keys of an account, including revoked ones, oldest first.

        Raises:
            NotFound: No account has this email.
        """
        return self.keys.list_of_account(self.account(email).account_id)

    def usage(self, account: Principal | Account) -> Usage:
        """Return the plan and the credits of the current month."""
        return self.credits.usage(account.account_id)

    def retention(self, days: int) -> Retention:
        """Return the daily deletion of calls that are older than a number of days."""
        return Retention(self._database, days)


def usage_report(accounts: Accounts, account: Account | Principal, *, days: int = 30, recent: int = 20) -> UsageReport:
    """Return the usage of an account.

    Args:
        accounts: All accounts.
        account: The account.
        days: Number of days in UTC, including today.
        recent: Maximum number of recent calls.
    """
    by_day = accounts.ledger.by_day(account.account_id, days)
    calls = accounts.ledger.recent(account.account_id, recent) if recent else []
    return UsageReport(
        usage=accounts.usage(account),
        days=calls_per_day(by_day, days),
        tools=calls_per_tool(by_day),
        recent=[
            RecentCall(call.created, call.tool, call.status, call.milliseconds, call.request_id, call.charged)
            for call in calls
        ],
    )


def calls_per_day(usage: Sequence[DayUsage], days: int, today: date | None = None) -> list[DayCalls]:
    """Return the calls of each day, oldest first, including days without calls."""
    # The clock of the database can be ahead of that of this machine.
    last = max([today or datetime.now(UTC).date(), *(each.day for each in usage)])
    calls = {last - timedelta(days=age): [0, 0] for age in reversed(range(days))}
    for each in usage:
        if each.day in calls:
            calls[each.day][0] += each.calls
            calls[each.day][1] += each.charged
    return [DayCalls(day, total, charged) for day, (total, charged) in calls.items()]


def calls_per_tool(usage: Iterable[DayUsage]) -> list[ToolCalls]:
    """Return the calls of each tool, most calls first."""
    calls: dict[str, list[int]] = {}
    for each in usage:
        total = calls.setdefault(each.tool, [0, 0])
        total[0] += each.calls
        total[1] += each.charged
    ordered = sorted(calls.items(), key=lambda item: (-item[1][0], item[0]))
    return [ToolCalls(tool, total, charged) for tool, (total, charged) in ordered]
