"""Credits: held before a call, charged when it succeeds, released when it fails.

A call is two short transactions. Operations that wait at the same time share them (a group commit)::

    reserve   locks the account; inserts a hold, if a credit of the month is neither used nor held
    commit    deletes the hold, adds 1 to `period.used`, and adds the call to the ledger
    release   deletes the hold

The row of a hold owns a credit until it is deleted. Its server renews it every second, so the holds of a killed server
expire within seconds: the next call that finds no credit deletes them. A call whose hold was deleted, because its
server was paused, needs a free credit again. The charges of a month therefore never exceed the limit, in any number of
processes and servers, and whatever their clocks show. A call is charged in the database before its response is sent.
"""

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import BindParameter, Select, and_, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from mediakit.accounts.clock import Heartbeat
from mediakit.accounts.database import NOT_RESPONDING, Database
from mediakit.accounts.direct_connection import ConnectionLost, Row, Step, UncertainCommit
from mediakit.accounts.keys import Principal
from mediakit.accounts.ledger import Outcome, call_values
from mediakit.accounts.models import AccountRow, CallRow, HoldRow, PeriodRow, UtcDateTime
from mediakit.accounts.subscriptions import Allowance
from mediakit.errors import CreditsUsedUp, ServerBusy
from mediakit.usage import Usage

T = TypeVar("T")

HOLD_LIFETIME = timedelta(seconds=5)
"""Lifetime of a hold that is not renewed."""
MAX_RETRY_SECONDS = 1.0
"""A transaction that failed within this time is repeated once: the database may have closed an idle connection."""

Record = Callable[[Session, Usage], None]
"""Stores more about a call in the transaction of its charge."""
Run = Callable[..., list[list[Row]]]
"""Executes statements, and returns the rows of each."""

_ACCOUNT: BindParameter[int] = bindparam("account", type_=AccountRow.id.type)
_MONTH: BindParameter[datetime] = bindparam("month", type_=UtcDateTime())
_HOLD: BindParameter[str] = bindparam("hold", type_=HoldRow.id.type)
_NOW: BindParameter[datetime] = bindparam("now", type_=UtcDateTime())
_UNTIL: BindParameter[datetime] = bindparam("until", type_=UtcDateTime())
_DEADLINE: BindParameter[datetime] = bindparam("deadline", type_=UtcDateTime())

_LOCK = select(AccountRow.id).where(AccountRow.id == _ACCOUNT).with_for_update(key_share=True)
_LOCK_WITHOUT_FLUSH = _LOCK.add_columns(func.set_config("synchronous_commit", "off", True))  # noqa: FBT003  # SQL
"""PostgreSQL does not wait for its disk. If it fails, holds are lost, and their calls need a free credit again."""

_of_month = select(PeriodRow.used).where(PeriodRow.account_id == _ACCOUNT, PeriodRow.start == _MONTH)
_used = func.coalesce(_of_month.scalar_subquery(), 0)
_holds = and_(HoldRow.account_id == _ACCOUNT, HoldRow.period_start == _MONTH)
_held = select(func.count()).select_from(HoldRow).where(_holds).scalar_subquery()
_USED = select(_used)
_USED_AND_DEADLINE = select(_used, select(func.min(HoldRow.deadline)).where(_holds).scalar_subquery())
_INSERT_HOLD = (
    insert(HoldRow)
    .from_select(
        ["id", "account_id", "period_start", "expires", "deadline"],
        select(_HOLD, _ACCOUNT, _MONTH, _UNTIL, _DEADLINE).where(_used + _held < bindparam("limit")),
    )
    .returning(HoldRow.id)
)
_hold = and_(_holds, HoldRow.id == _HOLD)
_free = select(HoldRow.id).where(_hold).with_for_update(skip_locked=True)
_RENEW_HOLD = update(HoldRow).where(_hold, HoldRow.id.in_(_free)).values(expires=_UNTIL)
"""Does not wait for a transaction that charges the call: all calls of the server would wait with it."""
_DELETE_HOLD = delete(HoldRow).where(_hold).returning(HoldRow.id)
_expired = select(HoldRow.id).where(_holds, HoldRow.expires <= _NOW)
_DELETE_EXPIRED = delete(HoldRow).where(_holds, HoldRow.id.in_(_expired.with_for_update(skip_locked=True)))

_INSERT_CALL = insert(CallRow)
_AWAIT_CHARGES = select(AccountRow.id).where(AccountRow.id == _ACCOUNT).with_for_update()
"""PostgreSQL locks the account of each new row in the ledger until the end of its transaction."""
_CALL = select(CallRow.charged).where(CallRow.id == _HOLD)
_UNDO_CHARGE = (
    update(CallRow)
    .where(CallRow.id == _HOLD, CallRow.charged.is_(True))
    .values(charged=False, status=503)
    .returning(CallRow.account_id, CallRow.period_start)
)
_SUBTRACT_USED = (
    update(PeriodRow).where(PeriodRow.account_id == _ACCOUNT, PeriodRow.start == _MONTH).values(used=PeriodRow.used - 1)
)


def _add_used(dialect: str) -> Any:
    """Return the statement that adds to the credits used in a month, and returns the sum."""
    statement: Any = (sqlite.insert if dialect == "sqlite" else postgresql.insert)(PeriodRow)
    return statement.on_conflict_do_update(
        index_elements=[PeriodRow.account_id, PeriodRow.start],
        set_={"used": PeriodRow.used + statement.excluded.used},
    ).returning(PeriodRow.used)


_ADD_USED = {dialect: _add_used(dialect) for dialect in ("sqlite", "postgresql")}


@dataclass(eq=False, slots=True)
class Hold:
    """A credit held for one call, in the month in which the call started."""

    id: str
    """Also the id of the call in the ledger."""
    account_id: int
    key_id: str
    allowance: Allowance
    deadline: datetime
    """When the hold ends, although its server renews it."""
    is_charged: bool = False

    @property
    def key(self) -> dict[str, Any]:
        """The parameters of statements about the hold, its account and its month."""
        return {"account": self.account_id, "month": self.allowance.period.start, "hold": self.id}


class _HoldsEnded(Exception):  # noqa: N818  # handled by Credits
    """The rows of holds do not exist."""


class Credits:
    """The credits of every account in a database, as one server process uses them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._direct = database.direct
        self._add_used = _ADD_USED[database.dialect]
        self._is_sqlite = database.dialect == "sqlite"
        """SQLite executes one writing transaction at a time, which needs no other lock."""
        self._lock = _LOCK if self._is_sqlite else _LOCK_WITHOUT_FLUSH
        self._active: dict[str, Hold] = {}
        """The holds that this process renews."""
        self._uncertain: dict[str, int] = {}
        """Calls whose charge may have been committed, although their response is an error, and their accounts."""
        self._heartbeat = Heartbeat(self.beat)

    def usage(self, account_id: int) -> Usage:
        """Return the usage of an account in the current month."""
        with self._database.read() as session:
            account = session.get_one(AccountRow, account_id)
            allowance = account.subscription.allowance(self._database.now(session))
            used = session.scalar(_USED, {"account": account_id, "month": allowance.period.start})
            return allowance.usage(used or 0)

    def held(self) -> int:
        """Return the number of credits that running calls of all accounts hold."""
        with self._database.read() as session:
            is_current = HoldRow.expires > self._database.now(session)
            return session.scalar(select(func.count()).select_from(HoldRow).where(is_current)) or 0

    def reserve_many(self, calls: Sequence[tuple[Principal, float]]) -> list[Hold | CreditsUsedUp]:
        """Hold one credit for each call, and return the holds or the errors.

        Args:
            calls: The account and key to charge, and the seconds until the hold ends, which must exceed the deadline of
                the call.

        Raises:
            ServerBusy: The database does not respond.
        """

        def attempt() -> list[Hold | CreditsUsedUp]:
            now = self._database.current_time()
            holds = [_new_hold(principal, seconds, now) for principal, seconds in calls]
            limited = [hold for hold in holds if not hold.allowance.unlimited]
            refused = self._insert(limited, now) if limited else {}
            self._active |= {hold.id: hold for hold in limited if hold not in refused}
            return [refused.get(hold, hold) for hold in holds]

        with self._turn():
            results = _twice(attempt)
        if self._active and not self._database.has_manual_clock:
            self._heartbeat.start()
        return results

    def commit_many(self, calls: Sequence[tuple[Hold, Outcome]]) -> list[Usage | CreditsUsedUp | ServerBusy]:
        """Charge calls that succeeded, add them to the ledger, and return the usage after each, or its error.

        The operation is idempotent. A call whose hold has ended is charged if a credit is available.

        Raises:
            ServerBusy: The database does not respond.
        """
        results: dict[str, Usage | CreditsUsedUp] = {}
        with self._turn():
            try:
                self._commit_together(calls, results)
                for hold, outcome in calls:
                    if hold.id not in results:
                        results[hold.id] = self._commit_alone(hold, outcome)
            except ConnectionLost:
                pass
        for hold, _ in calls:
            if isinstance(results.get(hold.id), Usage):
                self._set_charged(hold)
        return [results.get(hold.id) or ServerBusy(NOT_RESPONDING) for hold, _ in calls]

    def commit_with(self, record: Record, hold: Hold, outcome: Outcome) -> Usage:
        """Charge a call in a transaction of its own, in which more is stored. If that fails, nothing is charged.

        Raises:
            CreditsUsedUp: The hold has ended, and another call has used its credit.
            ServerBusy: The database does not respond.
        """
        if hold.is_charged:
            return self.usage(hold.account_id)
        with self._database.write() as session:
            usage = self._charge(_in_session(session), hold, outcome, self._database.now(session))
            record(session, usage)
        self._set_charged(hold)
        return usage

    def release_many(self, holds: Iterable[Hold]) -> list[None]:
        """Release the credits of calls that failed. A charged credit stays charged.

        If the database does not respond, the holds expire within seconds.
        """
        released = list(holds)
        ended = [(_DELETE_HOLD, hold.key) for hold in released if self._active.pop(hold.id, None)]
        if ended:
            with suppress(ServerBusy), self._turn():
                _twice(lambda: self._direct.transact(*ended))
        return [None] * len(released)

    def beat(self) -> None:
        """Renew the holds of running calls.

        A thread calls this method every second. With the clock of a test, the test calls it.
        """
        if not self._active:
            return
        with suppress(ServerBusy), self._turn():
            now = self._database.current_time()
            for hold in list(self._active.values()):
                if hold.deadline <= now:
                    self._active.pop(hold.id, None)
            renewed = [(_RENEW_HOLD, _hold_values(hold, now)) for hold in list(self._active.values())]
            if renewed:
                self._direct.transact(*renewed)

    def close(self) -> None:
        """Release the credits of all calls of this process."""
        self._heartbeat.stop()
        self.release_many(list(self._active.values()))
        if self._uncertain:
            with suppress(ServerBusy), self._turn():
                pass

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for the direct connection, and undo what is uncertain since it was lost in a commit."""
        self._database.prepare()
        try:
            with self._direct.turn():
                for call_id, account_id in list(self._uncertain.items()):
                    self._undo_charge(call_id, account_id)
                    del self._uncertain[call_id]
                yield
        except ConnectionLost as error:
            raise ServerBusy(NOT_RESPONDING) from error

    def _insert(self, holds: Sequence[Hold], now: datetime) -> Mapping[Hold, CreditsUsedUp]:
        """Insert the rows of holds, and return the errors of those for which no credit is left."""
        steps: list[Step] = []
        # All servers lock accounts in the same order, so that they cannot deadlock.
        for account_id, of_account in groupby(sorted(holds, key=_account), _account):
            if not self._is_sqlite:
                steps.append((self._lock, {"account": account_id}))
            steps.extend((_INSERT_HOLD, _hold_values(hold, now)) for hold in of_account)
        inserted = {row[0] for rows in self._direct.transact(*steps) for row in rows}
        waiting = sorted((hold for hold in holds if hold.id not in inserted), key=_account)
        if not waiting:
            return {}
        with self._direct.transaction():
            errors = [_insert_late(self._direct.run, hold, now, self._lock) for hold in waiting]
        return {hold: error for hold, error in zip(waiting, errors, strict=True) if error}

    def _commit_together(self, calls: Sequence[tuple[Hold, Outcome]], results: dict[str, Any]) -> None:
        """Charge calls in one transaction. Results remain empty if this is not possible."""
        started = time.monotonic()
        try:
            if not any(hold.is_charged for hold, _ in calls):
                now = self._database.current_time()
                with self._direct.transaction():
                    used = self._charge_together(calls, now)
                results |= used
        except _HoldsEnded:
            pass
        except UncertainCommit:
            self._uncertain |= {hold.id: hold.account_id for hold, _ in calls}
        except ConnectionLost:
            if time.monotonic() - started > MAX_RETRY_SECONDS:
                raise

    def _charge_together(self, calls: Sequence[tuple[Hold, Outcome]], now: datetime) -> dict[str, Usage]:
        limited = [hold for hold, _ in calls if not hold.allowance.unlimited]
        steps: list[Step] = [(_DELETE_HOLD, hold.key) for hold in limited]
        ordered = sorted((hold for hold, _ in calls), key=_month)
        months = [list(of_month) for _, of_month in groupby(ordered, _month)]
        steps += [(self._add_used, _used_values(holds[0], len(holds))) for holds in months]
        steps += [(_INSERT_CALL, _call_values(hold, outcome, now)) for hold, outcome in calls]
        rows = self._direct.run(*steps)
        if not all(rows[: len(limited)]):
            raise _HoldsEnded
        return {
            hold.id: hold.allowance.usage(used - later)
            for holds, [[used]] in zip(months, rows[len(limited) :], strict=False)
            for later, hold in enumerate(reversed(holds))
        }

    def _commit_alone(self, hold: Hold, outcome: Outcome) -> Usage | CreditsUsedUp:
        try:
            with self._direct.transaction():
                usage = self._charge(self._direct.run, hold, outcome, self._database.current_time())
        except CreditsUsedUp as error:
            return error
        except UncertainCommit:
            self._uncertain[hold.id] = hold.account_id
            raise
        self._uncertain.pop(hold.id, None)
        return usage

    def _charge(self, run: Run, hold: Hold, outcome: Outcome, now: datetime) -> Usage:
        """Charge a call once, although its hold may have ended, or its charge may have been committed."""
        delete_hold, is_limited = (_DELETE_HOLD, hold.key), not hold.allowance.unlimited
        if not (is_limited and run(delete_hold)[0]):
            _, stored, [[used]] = run((_LOCK, hold.key), (_CALL, hold.key), (_USED, hold.key))
            if stored and stored[0][0]:
                return hold.allowance.usage(used)
            if is_limited:
                if error := _insert_late(run, hold, now):
                    raise error
                run(delete_hold)
        add_used, insert_call = (
            (self._add_used, _used_values(hold, 1)),
            (_INSERT_CALL, _call_values(hold, outcome, now)),
        )
        [[[used]], _] = run(add_used, insert_call)
        return hold.allowance.usage(used)

    def _undo_charge(self, call_id: str, account_id: int) -> None:
        """Return the credit of a call whose charge was committed, but whose response was an error."""
        if not self._is_sqlite:  # the lost connection may still be about to commit
            self._direct.run((_AWAIT_CHARGES, {"account": account_id}))
        with self._direct.transaction():
            [rows] = self._direct.run((_UNDO_CHARGE, {"hold": call_id}))
            for _, month in rows:
                self._direct.run((_SUBTRACT_USED, {"account": account_id, "month": month}))

    def _set_charged(self, hold: Hold) -> None:
        self._active.pop(hold.id, None)
        hold.is_charged = True


def _new_hold(principal: Principal, seconds: float, now: datetime) -> Hold:
    allowance = principal.subscription.allowance(now)
    return Hold(uuid.uuid4().hex, principal.account_id, principal.key_id, allowance, now + timedelta(seconds=seconds))


def _insert_late(run: Run, hold: Hold, now: datetime, lock: Select[Any] = _LOCK) -> CreditsUsedUp | None:
    """Insert the row of a hold, after those of killed servers were deleted; return the error if no credit is left."""
    _, _, inserted, [[used, until]] = run(
        (lock, hold.key),
        (_DELETE_EXPIRED, hold.key | {"now": now}),
        (_INSERT_HOLD, _hold_values(hold, now)),
        (_USED_AND_DEADLINE, hold.key),
    )
    if inserted:
        return None
    is_held = until is not None and used < hold.allowance.limit
    return hold.allowance.credits_held(until, now) if is_held else hold.allowance.credits_used_up(now)


def _hold_values(hold: Hold, now: datetime) -> dict[str, Any]:
    values = {"deadline": hold.deadline, "limit": hold.allowance.limit}
    return hold.key | values | {"until": min(now + HOLD_LIFETIME, hold.deadline)}


def _used_values(hold: Hold, count: int) -> dict[str, Any]:
    return {"account_id": hold.account_id, "start": hold.allowance.period.start, "used": count}


def _call_values(hold: Hold, outcome: Outcome, now: datetime) -> dict[str, Any]:
    values = call_values(hold.id, hold.account_id, hold.key_id, outcome)
    return values | {"created": now, "period_start": hold.allowance.period.start, "charged": True}


def _account(hold: Hold) -> int:
    return hold.account_id


def _month(hold: Hold) -> tuple[int, datetime]:
    return hold.account_id, hold.allowance.period.start


def _twice(attempt: Callable[[], T]) -> T:
    """Return the result of a transaction. It is repeated if the connection to the database has ended."""
    started = time.monotonic()
    try:
        return attempt()
    except ConnectionLost:
        if time.monotonic() - started > MAX_RETRY_SECONDS:
            raise
    return attempt()


def _in_session(session: Session) -> Run:
    """Return a function that executes statements in a session of SQLAlchemy."""

    def run(*steps: Step) -> list[list[Row]]:
        return [
            [tuple(row) for row in result] if result.returns_rows else []
            for result in (session.connection().execute(statement, values) for statement, values in steps)
        ]

    return run
