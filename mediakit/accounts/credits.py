"""Credits: held before a call, charged when it succeeds, released when it fails.

A hold counts against the limit of the month until it is charged, is released or expires. The charges of a month
therefore never exceed the limit, in any number of threads, processes and servers. The holds of a killed process expire,
so no credit is lost.

Every change first locks the row of the account. The counts are read in a second statement, because in PostgreSQL a
statement that waits for a lock sees the data from before the wait.
"""

import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, bindparam, delete, func, insert, not_, select, update
from sqlalchemy.orm import Session

from mediakit.accounts.database import Database
from mediakit.accounts.keys import Principal
from mediakit.accounts.models import AccountRow, ChargeRow, HoldRow, PeriodRow
from mediakit.accounts.subscriptions import Allowance
from mediakit.core.usage import Usage
from mediakit.errors import ServerBusy

# Statements are built once: building one takes longer than SQLite takes to execute it.
_BULK = {"synchronize_session": False}
_IN_MONTH = (PeriodRow.account_id == bindparam("account"), PeriodRow.start == bindparam("month"))
_OF_ACCOUNT = HoldRow.account_id == bindparam("account")
_IS_ACTIVE = HoldRow.expires > bindparam("now")

_ACCOUNT = select(AccountRow).where(AccountRow.id == bindparam("account"))
_LOCKED_ACCOUNT = _ACCOUNT.with_for_update(key_share=True)
_USED = select(PeriodRow.used).where(*_IN_MONTH)
_COUNTS = select(
    func.coalesce(_USED.scalar_subquery(), 0),
    func.count().filter(and_(HoldRow.period_start == bindparam("month"), _IS_ACTIVE)),
    func.count().filter(not_(_IS_ACTIVE)),
).where(_OF_ACCOUNT)
_DELETE_EXPIRED = delete(HoldRow).where(_OF_ACCOUNT, not_(_IS_ACTIVE)).execution_options(**_BULK)
_RELEASE = delete(HoldRow).where(HoldRow.id == bindparam("hold")).execution_options(**_BULK)
_TAKE_ACTIVE = _RELEASE.where(_IS_ACTIVE).returning(HoldRow.id)
_INCREMENT_USED = (
    update(PeriodRow)
    .where(*_IN_MONTH)
    .values(used=PeriodRow.used + 1)
    .returning(PeriodRow.used)
    .execution_options(**_BULK)
)
_HOLD, _CHARGE, _MONTH = insert(HoldRow), insert(ChargeRow), insert(PeriodRow)


@dataclass(frozen=True, slots=True)
class Hold:
    """A credit held for one call, in the month in which the call started."""

    id: str
    account_id: int
    key_id: str
    created: datetime
    month: datetime
    """Start of the month that the call is charged to."""


class Credits:
    """The credits of every account in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def usage(self, account_id: int) -> Usage:
        """Return the usage of an account in the current month."""
        with self._database.read() as session:
            account = session.scalars(_ACCOUNT, {"account": account_id}).one()
            allowance = account.subscription.allowance(self._database.now(session))
            return allowance.usage(_used(session, account_id, allowance.period.start))

    def reserve(self, principal: Principal, lifetime_seconds: float) -> Hold:
        """Place a hold on one credit.

        Credits held by other calls are not available until those calls fail.

        Args:
            principal: The account and key to charge.
            lifetime_seconds: Seconds until the hold expires; must exceed the timeout of the call.

        Raises:
            CreditsUsedUp: No credit of the month is left.
        """
        with self._database.write() as session:
            account = session.scalars(_LOCKED_ACCOUNT, {"account": principal.account_id}).one()
            now = self._database.now(session)
            allowance = account.subscription.allowance(now)
            hold = Hold(uuid.uuid4().hex, account.id, principal.key_id, now, allowance.period.start)
            _require_credit(session, hold, allowance, now)
            expires = now + timedelta(seconds=lifetime_seconds)
            values = {"id": hold.id, "account_id": account.id, "period_start": hold.month, "expires": expires}
            session.execute(_HOLD, values)
        return hold

    def commit(self, hold: Hold) -> Usage:
        """Charge a call that succeeded. The operation is idempotent.

        An expired hold is charged if a credit is still available.

        Returns:
            The usage of the month that the call was charged to, including this call.

        Raises:
            CreditsUsedUp: The hold has expired, and another call has used its credit.
        """
        with self._database.write() as session:
            account = session.scalars(_LOCKED_ACCOUNT, {"account": hold.account_id}).one()
            allowance = account.subscription.allowance(hold.created)
            now = self._database.now(session)
            if session.scalar(_TAKE_ACTIVE, {"hold": hold.id, "now": now}) is None:
                if session.get(ChargeRow, hold.id):
                    return allowance.usage(_used(session, hold.account_id, hold.month))
                _require_credit(session, hold, allowance, now)
            return allowance.usage(_charge(session, hold, now))

    def release(self, hold: Hold) -> None:
        """Release the credit of a call that failed. A charged credit stays charged."""
        with suppress(ServerBusy), self._database.write() as session:  # an unreleased hold expires
            session.execute(_RELEASE, {"hold": hold.id})


def _require_credit(session: Session, hold: Hold, allowance: Allowance, now: datetime) -> None:
    """Raise `CreditsUsedUp` if every credit is used or held. Also deletes expired holds."""
    values = {"account": hold.account_id, "month": hold.month, "now": now}
    used, held, expired = session.execute(_COUNTS, values).one()
    if expired:
        session.execute(_DELETE_EXPIRED, values)
    if not allowance.has_credit(used + held):
        raise allowance.credits_used_up(now)


def _charge(session: Session, hold: Hold, now: datetime) -> int:
    """Record a charge, and return the credits used after it."""
    charge = {"id": hold.id, "key_id": hold.key_id, "created": now}
    session.execute(_CHARGE, {**charge, "account_id": hold.account_id, "period_start": hold.month})
    used = session.scalar(_INCREMENT_USED, {"account": hold.account_id, "month": hold.month})
    if used is None:
        session.execute(_MONTH, {"account_id": hold.account_id, "start": hold.month, "used": 1})
    return used or 1


def _used(session: Session, account_id: int, month: datetime) -> int:
    return session.scalar(_USED, {"account": account_id, "month": month}) or 0
