"""Accounts with their keys, plans and credits: the interface for the server and the command line."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Self

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from mediakit.accounts.clock import Clock
from mediakit.accounts.credits import Credits, Hold
from mediakit.accounts.database import Database
from mediakit.accounts.emails import check_email
from mediakit.accounts.key_format import PlaintextKey
from mediakit.accounts.keys import ApiKey, Keys, NewKey, Principal
from mediakit.accounts.models import AccountRow
from mediakit.accounts.plans import check_plan
from mediakit.accounts.subscriptions import Subscription
from mediakit.core.usage import Usage
from mediakit.errors import InvalidInput, NotFound
from mediakit.settings import AccountSettings, Plan


@dataclass(frozen=True, slots=True)
class Account:
    """An account with its subscription."""

    account_id: int
    email: str
    verified: bool
    created: datetime
    plan: Plan
    since: date
    unlimited: bool
    next_plan: Plan | None
    """The plan after a scheduled downgrade; None if no downgrade is scheduled."""
    next_plan_from: datetime | None


class Accounts:
    """Accounts with their keys and credits. Every method is thread-safe and blocks until the database responds."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._keys = Keys(database)
        self._credits = Credits(database)

    @classmethod
    def open(cls, settings: AccountSettings, clock: Clock | None = None) -> Self:
        """Return the accounts of a database. The database is opened, or created, on first use.

        Args:
            settings: Settings that contain the database URL.
            clock: Replaces the clock of this machine (SQLite) or of the database (PostgreSQL).
        """
        return cls(Database.open(settings, clock))

    def close(self) -> None:
        """Close all database connections."""
        self._database.close()

    def ready(self) -> bool:
        """Return whether the database responds."""
        return self._database.ready()

    def create_account(
        self,
        email: str,
        plan: str = "free",
        *,
        unlimited: bool = False,
        verified: bool = False,
        since: date | None = None,
    ) -> Account:
        """Create an account.

        Args:
            email: Email address; case-insensitive and unique.
            plan: free, pro, business or scale.
            unlimited: Exempt the account from the credit limit and the rate limit.
            verified: Mark the email address as verified.
            since: First day of the subscription; credits reset on this day of each month. Default: today.

        Raises:
            InvalidInput: A value is invalid, or an account with this email already exists.
        """
        email, chosen = check_email(email), check_plan(plan)
        try:
            with self._database.write() as session:
                now = self._database.now(session)
                row = AccountRow(email=email, verified=verified, created=now)
                row.subscription = _subscribe(chosen, since, now.date(), unlimited=unlimited)
                session.add(row)
                session.flush()
                return _account(row, now)
        except IntegrityError as error:
            raise InvalidInput(f"email: an account for {email} already exists.") from error

    def list_accounts(self) -> list[Account]:
        """Return every account, sorted by email."""
        with self._database.read() as session:
            now = self._database.now(session)
            return [_account(row, now) for row in session.scalars(select(AccountRow).order_by(AccountRow.email))]

    def account(self, email: str) -> Account:
        """Return an account.

        Raises:
            NotFound: No account has this email.
        """
        with self._database.read() as session:
            return _account(_find(session, email), self._database.now(session))

    def verify(self, email: str) -> Account:
        """Mark the email address of an account as verified.

        Raises:
            NotFound: No account has this email.
        """
        with self._database.write() as session:
            row = _find(session, email, lock=True)
            row.verified = True
            return _account(row, self._database.now(session))

    def set_plan(self, email: str, plan: str) -> Account:
        """Change the plan. An upgrade takes effect at once, a downgrade at the next reset.

        Raises:
            InvalidInput: The plan does not exist.
            NotFound: No account has this email.
        """
        chosen = check_plan(plan)
        with self._database.write() as session:
            row = _find(session, email, lock=True)
            now = self._database.now(session)
            row.subscription = row.subscription.change(chosen, now)
            return _account(row, now)

    def create_key(self, email: str, name: str | None = None, key: PlaintextKey | None = None) -> NewKey:
        """Create an API key for an account. Only this call returns the complete key.

        Args:
            email: Email address of the account.
            name: Label that describes the purpose of the key.
            key: A key from `PlaintextKey.generate()`. Default: a new key.

        Raises:
            InvalidInput: The name is too long, or contains line breaks or other control characters.
            NotFound: No account has this email.
        """
        return self._keys.create(self.account(email).account_id, name, key)

    def list_keys(self, email: str) -> list[ApiKey]:
        """Return the keys of an account, including revoked ones, oldest first.

        Raises:
            NotFound: No account has this email.
        """
        return self._keys.list_of_account(self.account(email).account_id)

    def revoke_key(self, key_id: str) -> None:
        """Revoke a key on all servers, effective immediately.

        Raises:
            NotFound: The key does not exist.
        """
        self._keys.revoke(key_id)

    def authenticate(self, key: str | None) -> Principal:
        """Return the account and the key of a request. The email address of the account may be unverified.

        Raises:
            InvalidKey: The key is missing or invalid.
        """
        return self._keys.authenticate(key)

    def usage(self, account: Principal | Account) -> Usage:
        """Return the plan and the credits of the current month."""
        return self._credits.usage(account.account_id)

    def reserve(self, principal: Principal, lifetime_seconds: float) -> Hold:
        """Place a hold on one credit for a call that is about to start.

        Raises:
            CreditsUsedUp: All credits of the month are used or held.
        """
        return self._credits.reserve(principal, lifetime_seconds)

    def commit(self, hold: Hold) -> Usage:
        """Charge the credit of a call that succeeded, and return the usage after it.

        Raises:
            CreditsUsedUp: The hold has expired, and another call has used its credit.
        """
        return self._credits.commit(hold)

    def release(self, hold: Hold) -> None:
        """Release the credit of a call that failed."""
        self._credits.release(hold)


def _subscribe(plan: Plan, since: date | None, today: date, *, unlimited: bool) -> Subscription:
    start = since or today
    if start > today:
        raise InvalidInput(f"since: must not be later than today, {today}, got {start}.")
    return Subscription(plan, start, paid_since=None if plan == "free" else start, unlimited=unlimited)


def _find(session: Session, email: str, *, lock: bool = False) -> AccountRow:
    address = email.strip().lower()
    statement = select(AccountRow).where(AccountRow.email == address)
    row = session.scalars(statement.with_for_update(key_share=True) if lock else statement).one_or_none()
    if row is None:
        raise NotFound(f"email: {address} has no account. Create one: mediakit account create {address}")
    return row


def _account(row: AccountRow, now: datetime) -> Account:
    current = row.subscription.at(now)
    return Account(
        account_id=row.id,
        email=row.email,
        verified=row.verified,
        created=row.created,
        plan=current.plan,
        since=current.since,
        unlimited=current.unlimited,
        next_plan=current.next_plan,
        next_plan_from=current.next_plan_from,
    )
