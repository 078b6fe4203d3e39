"""Accounts: the one door to keys, plans and credits for servers and the command line."""

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
from mediakit.accounts.key_format import KeyText
from mediakit.accounts.keys import ApiKey, Caller, Keys, NewKey
from mediakit.accounts.models import AccountRow
from mediakit.accounts.plans import check_plan
from mediakit.accounts.subscriptions import Subscription
from mediakit.core.usage import Usage
from mediakit.errors import InvalidInput, NotFound
from mediakit.settings import AccountSettings, Plan


@dataclass(frozen=True, slots=True)
class Account:
    """An account as its owner and the operator see it."""

    account_id: int
    email: str
    verified: bool
    made: datetime
    plan: Plan
    since: date
    unlimited: bool
    next_plan: Plan | None
    """The smaller plan that follows, if one was asked for."""
    next_plan_from: datetime | None


class Accounts:
    """Accounts with their keys and credits. Every method may be called from any thread, and waits for the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._keys = Keys(database)
        self._credits = Credits(database)

    @classmethod
    def open(cls, settings: AccountSettings, clock: Clock | None = None) -> Self:
        """Use the database that the settings name; it is connected to, and made if need be, at the first use.

        Args:
            settings: Where accounts live.
            clock: Tells the time instead of this machine (SQLite) or the database (PostgreSQL).
        """
        return cls(Database.open(settings, clock))

    def close(self) -> None:
        """Close every connection to the database."""
        self._database.close()

    def ready(self) -> bool:
        """Tell whether the database answers."""
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
        """Open an account.

        Args:
            email: Its address, unique whatever the case of its letters.
            plan: free, pro, business or scale.
            unlimited: Bound by neither credits nor rate limit.
            verified: Whether the address is known to be its owner's.
            since: Day the subscription started, today if not given: the day of the month on which credits reset.

        Raises:
            InvalidInput: The email, the plan or the day is not valid, or the email has an account.
        """
        email, chosen = check_email(email), check_plan(plan)
        try:
            with self._database.write() as session:
                now = self._database.now(session)
                row = AccountRow(email=email, verified=verified, made=now)
                row.subscription = _subscribe(chosen, since, now.date(), unlimited=unlimited)
                session.add(row)
                session.flush()
                return _account(row, now)
        except IntegrityError as error:
            raise InvalidInput(f"email: {email} has an account already.") from error

    def list_accounts(self) -> list[Account]:
        """List every account, by email."""
        with self._database.read() as session:
            now = self._database.now(session)
            return [_account(row, now) for row in session.scalars(select(AccountRow).order_by(AccountRow.email))]

    def account(self, email: str) -> Account:
        """Find an account.

        Raises:
            NotFound: The email has no account.
        """
        with self._database.read() as session:
            return _account(_find(session, email), self._database.now(session))

    def verify(self, email: str) -> Account:
        """Note that the address is its owner's.

        Raises:
            NotFound: The email has no account.
        """
        with self._database.write() as session:
            row = _find(session, email, lock=True)
            row.verified = True
            return _account(row, self._database.now(session))

    def set_plan(self, email: str, plan: str) -> Account:
        """Change the plan: to a larger one at once, to a smaller one at the next reset.

        Raises:
            InvalidInput: There is no such plan.
            NotFound: The email has no account.
        """
        chosen = check_plan(plan)
        with self._database.write() as session:
            row = _find(session, email, lock=True)
            now = self._database.now(session)
            row.subscription = row.subscription.change(chosen, now)
            return _account(row, now)

    def create_key(self, email: str, name: str | None = None, key: KeyText | None = None) -> NewKey:
        """Make a key for an account; this is the one time that it can be seen.

        Args:
            email: The account's.
            name: What the key is for.
            key: A key that `KeyText.make()` drew; a new one when left out.

        Raises:
            InvalidInput: The name is too long, or holds line breaks or other control characters.
            NotFound: The email has no account.
        """
        return self._keys.create(self.account(email).account_id, name, key)

    def list_keys(self, email: str) -> list[ApiKey]:
        """List an account's keys, revoked ones too, the oldest first.

        Raises:
            NotFound: The email has no account.
        """
        return self._keys.of_account(self.account(email).account_id)

    def revoke_key(self, key_id: str) -> None:
        """Make a key worthless, on every server at once.

        Raises:
            NotFound: There is no such key.
        """
        self._keys.revoke(key_id)

    def authenticate(self, key: str | None) -> Caller:
        """Find out who sent a key. Whether the email is verified, `Caller.require_verified` tells.

        Raises:
            InvalidKey: There is no key, or it is not valid.
        """
        return self._keys.authenticate(key)

    def usage(self, of: Caller | Account) -> Usage:
        """Describe plan and credits of the running month."""
        return self._credits.usage(of.account_id)

    def reserve(self, caller: Caller, lifetime_seconds: float) -> Hold:
        """Set a credit aside for a call that is about to run.

        Raises:
            CreditsUsedUp: No credit of the month is left.
        """
        return self._credits.reserve(caller, lifetime_seconds)

    def commit(self, hold: Hold) -> Usage:
        """Charge a call that succeeded, and describe the month after it.

        Raises:
            CreditsUsedUp: The hold expired, and its credit went to another call.
        """
        return self._credits.commit(hold)

    def release(self, hold: Hold) -> None:
        """Give the credit of a failed call back."""
        self._credits.release(hold)


def _subscribe(plan: Plan, since: date | None, today: date, *, unlimited: bool) -> Subscription:
    start = since or today
    if start > today:
        raise InvalidInput(f"since: {start} lies in the future. Give a day up to today, {today}.")
    return Subscription(plan, start, paid_since=None if plan == "free" else start, unlimited=unlimited)


def _find(session: Session, email: str, *, lock: bool = False) -> AccountRow:
    address = email.strip().lower()
    statement = select(AccountRow).where(AccountRow.email == address)
    row = session.scalars(statement.with_for_update(key_share=True) if lock else statement).one_or_none()
    if row is None:
        raise NotFound(f"{address} has no account. Create it: mediakit account create {address}")
    return row


def _account(row: AccountRow, now: datetime) -> Account:
    current = row.subscription.at(now)
    return Account(
        account_id=row.id,
        email=row.email,
        verified=row.verified,
        made=row.made,
        plan=current.plan,
        since=current.since,
        unlimited=current.unlimited,
        next_plan=current.next_plan,
        next_plan_from=current.next_plan_from,
    )
