"""Credits: held before a call, charged when it succeeds, released when it fails.

A server process leases credits of an account from the database, in blocks while many are left, else one by one. A call
holds a credit of the lease, mostly without the database. Its charge is one transaction, which the charges of other
calls of the moment share (a group commit)::

    reserve   memory: a free credit of the lease; if it has none, one transaction locks the account and leases credits
    commit    one transaction for all waiting calls takes the credits from the lease, adds them to `period.used`,
              and adds the calls to the ledger
    release   memory; if few credits are left, one transaction returns the credit

The charges of a month therefore never exceed the limit, in any number of processes and servers, and a call is charged
in the database before its response is sent. The leases of a killed server end with its heartbeat, so no credit is lost.

Modules: `leases` (memory), `credit_transactions` (SQL), `settlement` (groups and retries).
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy.orm import Session

from mediakit.accounts.credit_statements import LEASED, USED
from mediakit.accounts.credit_transactions import CreditTransactions, LeaseLost, in_session
from mediakit.accounts.database import NOT_RESPONDING, Database
from mediakit.accounts.direct_connection import ConnectionLost
from mediakit.accounts.heartbeat import Heartbeat
from mediakit.accounts.keys import Principal
from mediakit.accounts.leases import Hold, LeaseBook
from mediakit.accounts.ledger import Outcome
from mediakit.accounts.models import AccountRow
from mediakit.accounts.settlement import Commit, Operation, Release, Reserve, Settlement
from mediakit.errors import CreditsUsedUp, ServerBusy
from mediakit.usage import Usage

Record = Callable[[Session, Usage], None]
"""Stores more about a call in the transaction of its charge."""


class Credits:
    """The credits of every account in a database, as one server process uses them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._book = LeaseBook(self._seconds)
        self._transactions = CreditTransactions(database)
        self._settlement = Settlement(self._transactions, self._book)
        self._heartbeat = Heartbeat(self.beat)

    def usage(self, account_id: int) -> Usage:
        """Return the usage of an account in the current month."""
        with self._database.read() as session:
            account = session.get_one(AccountRow, account_id)
            allowance = account.subscription.allowance(self._database.now(session))
            used = session.scalar(USED, {"account": account_id, "month": allowance.period.start})
            return allowance.usage(used or 0)

    def held(self) -> int:
        """Return the number of credits that servers have leased for running and next calls of all accounts."""
        with self._database.read() as session:
            return session.scalar(LEASED) or 0

    def reserve(self, principal: Principal, hold_seconds: float) -> Hold:
        """Hold one credit.

        Credits held by other calls are not available until those calls fail.

        Args:
            principal: The account and key to charge.
            hold_seconds: Seconds until the hold ends; must exceed the deadline of the call.

        Raises:
            CreditsUsedUp: Every credit of the month is used or held.
        """
        hold = self.try_reserve(principal, hold_seconds)
        if hold is None:
            reserve = Reserve(principal, hold_seconds)
            self.execute([reserve])
            return reserve.result()
        return hold

    def commit(self, hold: Hold, outcome: Outcome, record: Record | None = None) -> Usage:
        """Charge a call that succeeded, and add it to the ledger. The operation is idempotent.

        A hold that has ended is charged if a credit is still available.

        Args:
            hold: The hold of the call.
            outcome: The row of the ledger.
            record: Stores more about the call in the transaction of the charge. If it raises, nothing is charged.

        Returns:
            The usage of the month that the call was charged to, including this call.

        Raises:
            CreditsUsedUp: The hold has ended, and another call has used its credit.
        """
        if record:
            return self._commit_with(record, hold, outcome)
        commit = Commit(hold, outcome)
        self.execute([commit])
        return commit.result()

    def release(self, hold: Hold) -> None:
        """Release the credit of a call that failed. A charged credit stays charged."""
        if not self.try_release(hold):
            self.execute([Release(hold)])

    def try_reserve(self, principal: Principal, hold_seconds: float) -> Hold | None:
        """Hold a leased credit without the database; return None if this is not possible."""
        now = self._database.clock.now()
        return self._book.hold(principal, now, hold_seconds) if now else None

    def try_release(self, hold: Hold) -> bool:
        """Release a hold without the database; return whether this was possible."""
        if hold.lease.is_single and hold.is_active:
            return False
        self._book.release(hold)
        return True

    def execute(self, operations: Sequence[Operation[Any]]) -> None:
        """Execute operations in as few transactions as possible. Each operation then has a result or an error."""
        try:
            self._database.prepare()
            with self._database.direct.turn():
                self._settlement.recover()
                self._settlement.execute(operations)
        except (ConnectionLost, ServerBusy):
            for operation in operations:
                if not operation.is_done:
                    operation.error = ServerBusy(NOT_RESPONDING)
        if not self._book.is_empty and not self._database.has_manual_clock:
            self._heartbeat.start()

    def beat(self) -> None:
        """Write the heartbeat, end holds after their deadline, and return credits that no call uses.

        A thread calls this method every second. With the clock of a test, the test calls it.
        """
        with suppress(ConnectionLost), self._database.direct.turn():
            self._settlement.recover()
            self._settlement.beat()

    def close(self) -> None:
        """Return all credits of this server."""
        self._heartbeat.stop()
        if not self._book.is_empty:
            with suppress(ConnectionLost), self._database.direct.turn():
                self._settlement.retire()
                self._settlement.recover()

    def _commit_with(self, record: Record, hold: Hold, outcome: Outcome) -> Usage:
        """Charge a call in a transaction of its own, in which more is stored."""
        if hold.is_charged:
            return self.usage(hold.account_id)
        while True:
            try:
                with self._database.write() as session:
                    used = self._charge_in(session, hold, outcome)
                    usage = hold.lease.allowance.usage(used)
                    record(session, usage)
            except LeaseLost as lost:
                self._book.lose(lost.leases)
            except CreditsUsedUp:
                if not self._end_holds(hold.account_id):
                    raise
            else:
                self._book.charge([hold])
                return usage

    def _end_holds(self, account_id: int) -> bool:
        """Return the credits of holds after their deadline; return whether there were any."""
        with suppress(ConnectionLost), self._database.direct.turn():
            return self._settlement.end_holds(account_id)
        return False

    def _charge_in(self, session: Session, hold: Hold, outcome: Outcome) -> int:
        run, now = in_session(session), self._database.now(session)
        if hold.is_active:
            return self._transactions.charge_in(run, {hold.lease: [(hold, outcome)]}, {}, now)[hold.lease]
        return self._transactions.charge_without_lease_in(run, hold, outcome, now)

    def _seconds(self) -> float:
        """Return the time for the deadlines of holds, which does not change when a clock is set."""
        now = self._database.clock.now()
        return now.timestamp() if now and self._database.has_manual_clock else time.monotonic()
