"""The ledger: one row for each call to a tool with a valid key, charged or refused.

A charged row is written in the transaction of its charge, so the charged rows of a month are exactly the credits used.
A row has no contents of the call. Rows older than `MEDIAKIT_LEDGER_DAYS` are deleted, but never those of the current
month.
"""

import logging
import time
import uuid
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Date, and_, delete, func, select
from sqlalchemy.orm import Session

from mediakit.accounts.clock import Heartbeat
from mediakit.accounts.database import Database, searchable
from mediakit.accounts.models import AccountRow, CallRow, HoldRow
from mediakit.errors import ServerBusy

if TYPE_CHECKING:
    from mediakit.accounts.keys import Principal

LONGEST_MONTH = timedelta(days=31)
ROWS_PER_DELETE = 1000
"""Rows that one transaction deletes, so that calls do not wait for it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the ledger stores about the result of a call."""

    tool: str = ""
    """Name of the tool; empty if unknown."""
    status: int = 200
    milliseconds: int = 0
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class DayUsage:
    """The calls to one tool on one day (UTC)."""

    day: date
    tool: str
    calls: int
    charged: int
    email: str = ""
    """The account, in reports by account."""


@dataclass(frozen=True, slots=True)
class AccountTotal:
    """The calls of one account in a number of days."""

    account_id: int
    email: str
    calls: int
    charged: int
    failed: int
    """Calls with a status of 500 or more."""
    last_call: datetime


class Ledger:
    """The calls of every account in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recent(
        self,
        account_id: int,
        limit: int = 50,
        before: datetime | None = None,
        *,
        tool: str | None = None,
        key_id: str | None = None,
        statuses: tuple[int, int] | None = None,
        since: datetime | None = None,
    ) -> list[CallRow]:
        """Return the newest calls of an account, newest first.

        Args:
            account_id: The account.
            limit: Maximum number of calls.
            before: Return calls before this time, for example the time of the last call of the previous page.
            tool: Return calls to this tool.
            key_id: Return calls with this key.
            since: Return calls at or after this time.
            statuses: Return calls with a status in this range, lowest and highest included.
        """
        filters = [
            CallRow.account_id == account_id,
            None if before is None else CallRow.created < before,
            None if since is None else CallRow.created >= since,
            None if tool is None else CallRow.tool == searchable(tool),
            None if key_id is None else CallRow.key_id == key_id,
            None if statuses is None else CallRow.status.between(*statuses),
        ]
        newest = select(CallRow).where(*(each for each in filters if each is not None))
        with self._database.read() as session:
            return list(session.scalars(newest.order_by(CallRow.created.desc(), CallRow.id).limit(limit)))

    def by_day(self, account_id: int | None = None, days: int = 30, *, by_account: bool = False) -> list[DayUsage]:
        """Return the calls per day (in UTC, the last is today) and tool, oldest first, of one account or of all.

        Deleted accounts have an address without personal data.
        """
        with self._database.read() as session:
            # SQLite stores UTC, PostgreSQL converts to the time zone of the session.
            created = CallRow.created if self._database.dialect == "sqlite" else func.timezone("UTC", CallRow.created)
            day = func.date(created, type_=Date)
            keys: list[Any] = [day, CallRow.tool, *([AccountRow.email] if by_account else [])]
            counts = select(*keys[:2], func.count(), func.count().filter(CallRow.charged), *keys[2:]).where(
                CallRow.created >= self._first_day(session, days)
            )
            if by_account:
                counts = counts.join(AccountRow, CallRow.account_id == AccountRow.id)
            if account_id is not None:
                counts = counts.where(CallRow.account_id == account_id)
            rows = session.execute(counts.group_by(*keys).order_by(keys[0], *keys[2:], keys[1]))
            return [DayUsage(day, *values) for day, *values in rows]

    def totals(self, days: int = 30) -> list[AccountTotal]:
        """Return the calls of each account that made one in the last days, most calls first."""
        calls = func.count()
        failed = calls.filter(CallRow.status >= 500)
        columns = (calls, calls.filter(CallRow.charged), failed, func.max(CallRow.created))
        with self._database.read() as session:
            statement = (
                select(AccountRow.id, AccountRow.email, *columns)
                .join(CallRow, CallRow.account_id == AccountRow.id)
                .where(CallRow.created >= self._first_day(session, days))
                .group_by(AccountRow.id, AccountRow.email)
                .order_by(calls.desc(), AccountRow.email)
            )
            return [AccountTotal(*row) for row in session.execute(statement)]

    def delete_before(self, created: datetime) -> int:
        """Delete the calls before a time, except those of the current month of their account.

        Returns:
            The number of deleted calls.
        """
        with self._database.read() as session:
            ended = self._database.now(session) - LONGEST_MONTH
            accounts = session.scalars(select(AccountRow.id)).all()
        is_old = and_(CallRow.created < created, CallRow.period_start < ended)
        deleted = 0
        for account in accounts:
            some = select(CallRow.id).where(CallRow.account_id == account, is_old).limit(ROWS_PER_DELETE)
            statement = delete(CallRow).where(CallRow.id.in_(some)).returning(CallRow.id)
            rows = ROWS_PER_DELETE
            while rows == ROWS_PER_DELETE:
                with self._database.write() as session:
                    rows = len(session.execute(statement.execution_options(synchronize_session=False)).all())
                deleted += rows
        return deleted

    def _first_day(self, session: Session, days: int) -> datetime:
        midnight = self._database.now(session).replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight - timedelta(days=days - 1)


CHECK_SECONDS = 600.0
KILLED_AFTER = timedelta(days=1)
"""Age after which the holds of killed servers are deleted; their credits are free before."""


class Retention:
    """Deletes calls that are older than a number of days, except those of the current month."""

    def __init__(self, database: Database, days: int) -> None:
        self._database = database
        self._ledger = Ledger(database)
        self._days = days
        self._last_run: date | None = None
        self._timer = Heartbeat(self.run, CHECK_SECONDS)

    def start(self) -> None:
        """Start the thread that checks every ten minutes whether a new day has begun."""
        self._timer.start()

    def close(self) -> None:
        """Stop the thread."""
        self._timer.stop()

    def run(self) -> None:
        """Delete the old calls, if this was not done today (UTC)."""
        try:
            with self._database.read() as session:
                now = self._database.now(session)
            if self._last_run != now.date():
                self._ledger.delete_before(now - timedelta(days=self._days))
                with self._database.write() as session:
                    session.execute(delete(HoldRow).where(HoldRow.expires <= now - KILLED_AFTER))
                self._last_run = now.date()
        except ServerBusy:  # the next check tries again
            return


FLUSH_SECONDS = 0.5
"""Maximum time until a refused call is in the ledger."""
MAX_WAITING = 10_000
"""Refused calls that wait to be written; further ones are not recorded."""

_log = logging.getLogger(__name__)


class RefusedCalls:
    """A bounded queue of refused calls, and the thread that writes them. The thread starts with the first call."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: deque[tuple[Principal, Outcome, float]] = deque()
        """The calls, and when they ended by the monotonic clock."""
        self._timer = Heartbeat(self.flush, FLUSH_SECONDS)

    def record(self, principal: "Principal", outcome: Outcome) -> None:
        """Add a call to the queue. If the queue is full, the call is not recorded."""
        if len(self._waiting) < MAX_WAITING:
            self._waiting.append((principal, outcome, time.monotonic()))
            self._timer.start()

    def flush(self) -> None:
        """Write the calls in the queue. If the database does not respond, they are dropped."""
        calls = []
        with suppress(IndexError):
            while True:
                calls.append(self._waiting.popleft())
        if not calls:
            return
        try:
            with self._database.write() as session:
                now, monotonic = self._database.now(session), time.monotonic()
                ids = {principal.account_id for principal, _, _ in calls}
                accounts = {row.id: row for row in session.scalars(select(AccountRow).where(AccountRow.id.in_(ids)))}
                for principal, outcome, ended in calls:
                    if account := accounts.get(principal.account_id):  # a deleted account has no ledger
                        created = now - timedelta(seconds=monotonic - ended)
                        month = account.subscription.allowance(created).period.start
                        values = call_values(uuid.uuid4().hex, account.id, principal.key_id, outcome)
                        session.add(CallRow(**values, created=created, period_start=month, charged=False))
        except ServerBusy:
            _log.warning("%d refused calls are not in the ledger: the database does not respond.", len(calls))

    def close(self) -> None:
        """Write the remaining calls, and stop the thread."""
        self._timer.stop()
        self.flush()


def call_values(call_id: str, account_id: int, key_id: str, outcome: Outcome) -> dict[str, Any]:
    """Return the columns of a call that charged and refused calls have in common."""
    return {
        "id": call_id,
        "account_id": account_id,
        "key_id": key_id,
        "tool": outcome.tool,
        "status": outcome.status,
        "milliseconds": outcome.milliseconds,
        "request_id": outcome.request_id,
    }
