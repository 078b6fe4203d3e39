"""The transactions of credits. Each of them is exact for any number of servers and processes.

A credit of a month is free, leased to a server, or used. Every lease starts with a lock of the account's row, so that
two servers cannot lease the same credit. A charge moves a credit from the server's own lease to `period.used` in one
transaction; it needs no lock of the account, because the sum of both numbers does not change.

The leases of a server whose heartbeat is stale are deleted by the next server that needs a credit of the account. If
the first server was only paused, it finds no lease at its next charge, and has to find a free credit again.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from mediakit.accounts import credit_statements as sql
from mediakit.accounts.database import Database
from mediakit.accounts.direct_connection import Row, Step
from mediakit.accounts.leases import Hold, Lease, block_size
from mediakit.accounts.ledger import Outcome, call_values
from mediakit.accounts.subscriptions import Allowance, Subscription
from mediakit.errors import CreditsUsedUp

STALE_SECONDS = 5
"""Age of a heartbeat after which a server counts as stopped."""
IDLE_SECONDS = 3
"""Time after which an unused block of credits is returned, as an estimate for `retry_after`."""
ENDED = timedelta(days=1)

Charges = Mapping[Lease, Sequence[tuple[Hold, Outcome]]]
Run = Callable[..., list[list[Row]]]
"""Executes statements, and returns the rows of each."""


class LeaseLost(Exception):  # noqa: N818  # handled by Credits
    """The rows of leases were deleted by other servers."""

    def __init__(self, leases: Sequence[Lease]) -> None:
        self.leases = leases


@dataclass(frozen=True, slots=True)
class Grant:
    """The result of a lease."""

    subscription: Subscription
    allowance: Allowance
    credits: int
    """Number of leased credits; 0 for unlimited accounts."""
    is_single: bool
    is_new: bool
    """Whether the server had no lease of this month before."""
    refusal: CreditsUsedUp | None
    """The error of calls for which no credit is left."""


class CreditTransactions:
    """Transactions of one server. The caller has the turn of the direct connection."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._direct = database.direct
        self._add_used = sql.add_used(database.dialect)
        self._beat = sql.beat(database.dialect)
        self.server_id = uuid.uuid4().hex

    def charge(self, charges: Charges, returned: Mapping[Lease, int]) -> dict[Lease, int]:
        """Charge calls, and return unused credits.

        Args:
            charges: The calls by the lease that contains their credit.
            returned: The number of credits to return to each lease's account.

        Returns:
            The credits used in the month of each lease with charges.

        Raises:
            LeaseLost: A lease no longer exists; nothing was charged or returned.
        """
        now = self._database.current_time()
        with self._direct.transaction():
            return self.charge_in(self._direct.run, charges, returned, now)

    def charge_in(self, run: Run, charges: Charges, returned: Mapping[Lease, int], now: datetime) -> dict[Lease, int]:
        """Do the same as `charge` in a transaction of the caller."""
        steps: list[Step] = []
        for lease in sorted({*charges, *returned}, key=_order):
            count, of_month = len(charges.get(lease, ())), self._of_month(lease)
            if not lease.allowance.unlimited:
                steps.append((sql.TAKE_FROM_LEASE, of_month | {"count": count + returned.get(lease, 0)}))
            if count:
                steps.append((self._add_used, _used_values(lease, count)))
        calls = [_call_values(hold, outcome, now) for holds in charges.values() for hold, outcome in holds]
        if calls:
            steps.append((sql.INSERT_CALL, calls if len(calls) > 1 else calls[0]))
        return self._results(steps, run(*steps), {*charges, *returned})

    def _results(
        self, steps: Sequence[Step], rows: Sequence[Sequence[Any]], leases: Iterable[Lease]
    ) -> dict[Lease, int]:
        by_month = {(lease.account_id, lease.month): lease for lease in leases}
        lost, used = [], {}
        for (statement, values), result in zip(steps, rows, strict=True):
            if statement is sql.TAKE_FROM_LEASE and not result:
                lost.append(by_month[values["account"], values["month"]])  # type: ignore[call-overload]  # a mapping
            elif statement is self._add_used:
                used[by_month[values["account_id"], values["start"]]] = result[0][0]  # type: ignore[call-overload]
        if lost:
            raise LeaseLost(lost)
        return used

    def charge_without_lease(self, hold: Hold, outcome: Outcome) -> int:
        """Charge a call whose hold has ended, if a credit is left, and return the credits used.

        Raises:
            CreditsUsedUp: No credit is left.
        """
        now = self._database.current_time()
        with self._direct.transaction():
            return self.charge_without_lease_in(self._direct.run, hold, outcome, now)

    def charge_without_lease_in(self, run: Run, hold: Hold, outcome: Outcome, now: datetime) -> int:
        """Do the same as `charge_without_lease` in a transaction of the caller."""
        of_month = self._of_month(hold.lease)
        run((sql.LOCK_ACCOUNT, of_month))
        stored, [[used, _, _]] = run((sql.CALL, {"call": hold.id}), (sql.COUNTS, of_month))
        if stored and stored[0][0]:
            return int(used)
        _, refusal = self._available(run, of_month, hold.lease.allowance, 1, now)
        if refusal:
            raise refusal
        steps = (self._add_used, _used_values(hold.lease, 1)), (sql.INSERT_CALL, _call_values(hold, outcome, now))
        return int(run(*steps)[0][0][0])

    def lease(self, account_id: int, wanted: int, hold_seconds: float) -> Grant:
        """Lease credits for calls of an account, and some more if many are left."""
        account = {"server": self.server_id, "account": account_id}
        with self._direct.transaction():
            [[row]] = self._direct.run((sql.LOCK_ACCOUNT, account))
            subscription, now = Subscription(*row), self._database.current_time()
            allowance = subscription.allowance(now)
            if allowance.unlimited:
                return Grant(subscription, allowance, 0, is_single=False, is_new=False, refusal=None)
            of_month = account | {"month": allowance.period.start}
            available, refusal = self._available(self._direct.run, of_month, allowance, wanted, now)
            block = block_size(max(0, available - wanted))
            credits_ = min(available, wanted + block)
            until = now + timedelta(seconds=IDLE_SECONDS if block else hold_seconds)
            is_new = credits_ > 0 and self._add_to_lease(of_month, credits_, now, until)
            return Grant(subscription, allowance, credits_, is_single=not block, is_new=is_new, refusal=refusal)

    def _available(
        self, run: Run, of_month: Mapping[str, Any], allowance: Allowance, wanted: int, now: datetime
    ) -> tuple[int, CreditsUsedUp | None]:
        """Return the number of free credits, and the error if they are not sufficient."""
        if allowance.unlimited:
            return wanted, None
        [[[used, leased, until]]] = run((sql.COUNTS, of_month))
        if allowance.limit - used - leased < wanted:
            stale = {"stale": now - timedelta(seconds=STALE_SECONDS)}
            [deleted] = run((sql.DELETE_STALE_LEASES, {**of_month, **stale}))
            if deleted:
                [[[used, leased, until]]] = run((sql.COUNTS, of_month))
        available = max(0, allowance.limit - used - leased)
        if available >= wanted:
            return available, None
        is_held = used < allowance.limit and until is not None
        return available, allowance.credits_held(until, now) if is_held else allowance.credits_used_up(now)

    def _add_to_lease(self, of_month: Mapping[str, Any], count: int, now: datetime, until: datetime) -> bool:
        """Add credits to the lease of this server; return whether the lease is new."""
        beat = {"id": self.server_id, "heartbeat": now}
        [_, added] = self._direct.run(
            (self._beat, beat), (sql.ADD_TO_LEASE, {**of_month, "count": count, "until": until})
        )
        if added:
            return False
        values = {"server_id": self.server_id, "account_id": of_month["account"], "period_start": of_month["month"]}
        self._direct.run((sql.INSERT_LEASE, {**values, "credits": count, "expires": until}))
        return True

    def beat(self) -> None:
        """Write the heartbeat of this server, and delete the rows of servers that ended long ago."""
        now = self._database.current_time()
        self._direct.run((self._beat, {"id": self.server_id, "heartbeat": now}))

    def renew(self) -> None:
        """Continue under a new id, without leases."""
        self.server_id = uuid.uuid4().hex

    def delete_lease(self, lease: Lease) -> None:
        """Delete the row of a lease without credits."""
        self._direct.run((sql.DELETE_LEASE, self._of_month(lease)))

    def delete_server(self, server_id: str) -> None:
        """Delete a server of this process with all its leases."""
        stale = self._database.current_time() - ENDED
        with self._direct.transaction():
            server = {"server": server_id}
            self._direct.run(
                (sql.DELETE_LEASES, server), (sql.DELETE_SERVER, server), (sql.DELETE_ENDED_SERVERS, {"stale": stale})
            )

    def is_charged(self, call_id: str) -> bool:
        """Return whether a call was charged."""
        [rows] = self._direct.run((sql.CALL, {"call": call_id}))
        return bool(rows and rows[0][0])

    def undo_charge(self, call_id: str) -> None:
        """Return the credit of a call whose charge was committed, but whose response was an error."""
        with self._direct.transaction():
            [rows] = self._direct.run((sql.UNDO_CHARGE, {"call": call_id}))
            for account_id, month in rows:
                self._direct.run((sql.SUBTRACT_USED, {"account": account_id, "month": month}))

    def used(self, lease: Lease) -> int:
        """Return the credits used in the month of a lease."""
        [[[used]]] = self._direct.run((sql.USED, self._of_month(lease)))
        return int(used)

    def _of_month(self, lease: Lease) -> dict[str, Any]:
        return {"server": self.server_id, "account": lease.account_id, "month": lease.month}


def _order(lease: Lease) -> tuple[int, datetime]:
    """Return the sort key of leases: all servers lock rows in the same order, so that they cannot deadlock."""
    return lease.account_id, lease.month


def _used_values(lease: Lease, count: int) -> dict[str, Any]:
    return {"account_id": lease.account_id, "start": lease.month, "used": count}


def _call_values(hold: Hold, outcome: Outcome, now: datetime) -> dict[str, Any]:
    values = call_values(hold.id, hold.account_id, hold.key_id, outcome)
    return values | {"created": now, "period_start": hold.lease.month, "charged": True}


def in_session(session: Session) -> Run:
    """Return a function that executes statements in a session of SQLAlchemy."""

    def run(*steps: Step) -> list[list[Row]]:
        return [
            [tuple(row) for row in result] if result.returns_rows else []
            for result in (session.connection().execute(statement, values) for statement, values in steps)
        ]

    return run
