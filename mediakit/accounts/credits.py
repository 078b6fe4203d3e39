"""Credits: set aside before a call, charged when it succeeds, given back when it fails.

A hold counts against the month's limit until it is charged, released or expired, so the successes of a month can never
pass the limit, in however many threads, processes and servers the calls run. A process that is killed leaves holds
behind that expire by themselves: no credit is lost.

Every change locks the account's row first. The counts are read after that, in a statement of their own: PostgreSQL
would give one that waits for the lock the numbers of before the wait.
"""

import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, bindparam, delete, func, insert, not_, select, update
from sqlalchemy.orm import Session

from mediakit.accounts.database import Database
from mediakit.accounts.keys import Caller
from mediakit.accounts.models import AccountRow, ChargeRow, HoldRow, PeriodRow
from mediakit.accounts.subscriptions import Allowance
from mediakit.core.usage import Usage
from mediakit.errors import ServerBusy

# Statements are built once; building one takes longer than SQLite takes to run it.
_BULK = {"synchronize_session": False}
_IN_MONTH = (PeriodRow.account_id == bindparam("account"), PeriodRow.start == bindparam("month"))
_OF_ACCOUNT = HoldRow.account_id == bindparam("account")
_IS_LIVE = HoldRow.expires > bindparam("now")

_ACCOUNT = select(AccountRow).where(AccountRow.id == bindparam("account"))
_LOCKED_ACCOUNT = _ACCOUNT.with_for_update(key_share=True)
_USED = select(PeriodRow.used).where(*_IN_MONTH)
_COUNTS = select(
    func.coalesce(_USED.scalar_subquery(), 0),
    func.count().filter(and_(HoldRow.period_start == bindparam("month"), _IS_LIVE)),
    func.count().filter(not_(_IS_LIVE)),
).where(_OF_ACCOUNT)
_SWEEP = delete(HoldRow).where(_OF_ACCOUNT, not_(_IS_LIVE)).execution_options(**_BULK)
_RELEASE = delete(HoldRow).where(HoldRow.id == bindparam("hold")).execution_options(**_BULK)
_TAKE_LIVE = _RELEASE.where(_IS_LIVE).returning(HoldRow.id)
_ADD_ONE = (
    update(PeriodRow)
    .where(*_IN_MONTH)
    .values(used=PeriodRow.used + 1)
    .returning(PeriodRow.used)
    .execution_options(**_BULK)
)
_HOLD, _CHARGE, _MONTH = insert(HoldRow), insert(ChargeRow), insert(PeriodRow)


@dataclass(frozen=True, slots=True)
class Hold:
    """A credit set aside for one call, in the month in which the call began."""

    id: str
    account_id: int
    key_id: str
    made: datetime
    month: datetime
    """Start of the month to which the call is charged."""


class Credits:
    """The credits of every account in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def usage(self, account_id: int) -> Usage:
        """Describe the running month of an account."""
        with self._database.read() as session:
            account = session.scalars(_ACCOUNT, {"account": account_id}).one()
            allowance = account.subscription.allowance(self._database.now(session))
            return allowance.usage(_used(session, account_id, allowance.period.start))

    def reserve(self, caller: Caller, lifetime_seconds: float) -> Hold:
        """Set a credit aside for a call.

        A credit that another call holds is taken: should that call fail, a later one gets it.

        Args:
            caller: Whose credit.
            lifetime_seconds: When the hold expires by itself: the call's deadline and a little more.

        Raises:
            CreditsUsedUp: No credit of the month is left.
        """
        with self._database.write() as session:
            account = session.scalars(_LOCKED_ACCOUNT, {"account": caller.account_id}).one()
            now = self._database.now(session)
            allowance = account.subscription.allowance(now)
            hold = Hold(uuid.uuid4().hex, account.id, caller.key_id, now, allowance.period.start)
            _require_credit(session, hold, allowance, now)
            expires = now + timedelta(seconds=lifetime_seconds)
            values = {"id": hold.id, "account_id": account.id, "period_start": hold.month, "expires": expires}
            session.execute(_HOLD, values)
        return hold

    def commit(self, hold: Hold) -> Usage:
        """Charge a call that succeeded, once, however often this is called.

        A hold that expired meanwhile is charged if a credit is still free.

        Returns:
            The month to which the call was charged, after the call.

        Raises:
            CreditsUsedUp: The hold expired, and its credit went to another call.
        """
        with self._database.write() as session:
            account = session.scalars(_LOCKED_ACCOUNT, {"account": hold.account_id}).one()
            allowance = account.subscription.allowance(hold.made)
            now = self._database.now(session)
            if session.scalar(_TAKE_LIVE, {"hold": hold.id, "now": now}) is None:
                if session.get(ChargeRow, hold.id):
                    return allowance.usage(_used(session, hold.account_id, hold.month))
                _require_credit(session, hold, allowance, now)
            return allowance.usage(_charge(session, hold, now))

    def release(self, hold: Hold) -> None:
        """Give the credit of a failed call back; one that was charged stays charged."""
        with suppress(ServerBusy), self._database.write() as session:  # otherwise it expires by itself
            session.execute(_RELEASE, {"hold": hold.id})


def _require_credit(session: Session, hold: Hold, allowance: Allowance, now: datetime) -> None:
    """Refuse a call when the credits used and held are all there are. Sweeps out the holds that expired."""
    values = {"account": hold.account_id, "month": hold.month, "now": now}
    used, held, expired = session.execute(_COUNTS, values).one()
    if expired:
        session.execute(_SWEEP, values)
    if not allowance.covers(used + held):
        raise allowance.used_up(now)


def _charge(session: Session, hold: Hold, now: datetime) -> int:
    """Write a call into the ledger, and give the credits used after it."""
    charge = {"id": hold.id, "key_id": hold.key_id, "made": now}
    session.execute(_CHARGE, {**charge, "account_id": hold.account_id, "period_start": hold.month})
    used = session.scalar(_ADD_ONE, {"account": hold.account_id, "month": hold.month})
    if used is None:
        session.execute(_MONTH, {"account_id": hold.account_id, "start": hold.month, "used": 1})
    return used or 1


def _used(session: Session, account_id: int, month: datetime) -> int:
    return session.scalar(_USED, {"account": account_id, "month": month}) or 0
