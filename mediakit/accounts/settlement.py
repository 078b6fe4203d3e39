"""Executes operations on credits together, in as few transactions as possible, and repeats failed ones."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mediakit.accounts.credit_transactions import CreditTransactions, LeaseLost
from mediakit.accounts.direct_connection import ConnectionLost, UncertainCommit
from mediakit.accounts.keys import Principal
from mediakit.accounts.leases import Credits, Hold, Lease, LeaseBook
from mediakit.accounts.ledger import Outcome
from mediakit.errors import CreditsUsedUp
from mediakit.usage import Usage

T = TypeVar("T")


@dataclass(eq=False, kw_only=True)
class Operation(Generic[T]):
    """An operation that has a result or an error after its execution."""

    value: T | None = None
    error: Exception | None = None

    @property
    def is_done(self) -> bool:
        """Whether the operation was executed."""
        return self.value is not None or self.error is not None

    def result(self) -> T:
        """Return the result, or raise the error."""
        if self.error:
            raise self.error
        assert self.value is not None  # noqa: S101  # the operation was executed
        return self.value


@dataclass(eq=False)
class Reserve(Operation[Hold]):
    """Hold a credit."""

    principal: Principal
    hold_seconds: float


@dataclass(eq=False)
class Commit(Operation[Usage]):
    """Charge a call."""

    hold: Hold
    outcome: Outcome


@dataclass(eq=False)
class Release(Operation[bool]):
    """Return the credit of a call."""

    hold: Hold


MAX_RETRY_SECONDS = 1.0
"""A transaction that failed within this time is repeated once: the database may have closed an idle connection."""


class Settlement:
    """Executes operations of one server. The caller has the turn of the direct connection."""

    def __init__(self, transactions: CreditTransactions, book: LeaseBook) -> None:
        self._transactions = transactions
        self._book = book
        self._retired: list[str] = []
        """Earlier ids of this server, whose leases have to be deleted."""
        self._uncertain: list[str] = []
        """Calls whose charge may have been committed, although their response is an error."""

    def execute(self, operations: Sequence[Operation[Any]]) -> None:
        """Execute operations: releases and charges in one transaction, then a transaction for each account.

        Raises:
            ConnectionLost: The database does not respond. Operations that are not done were not executed.
        """
        releases = [each for each in operations if isinstance(each, Release)]
        commits = [each for each in operations if isinstance(each, Commit)]
        for release in releases:
            self._book.release(release.hold)
        self._charge(commits, self._book.take_surplus(release.hold.lease for release in releases))
        for release in releases:
            release.value = True
        by_account: dict[int, list[Reserve]] = {}
        for operation in operations:
            if isinstance(operation, Reserve):
                by_account.setdefault(operation.principal.account_id, []).append(operation)
        for account_id, reserves in by_account.items():
            self._reserve(account_id, reserves)

    def recover(self) -> None:
        """Undo what is uncertain since the connection ended in a commit. Does nothing in most cases."""
        while self._uncertain:
            self._transactions.undo_charge(self._uncertain[-1])
            self._uncertain.pop()
        while self._retired:
            self._transactions.delete_server(self._retired[-1])
            self._retired.pop()

    def beat(self) -> None:
        """Write the heartbeat, end holds after their deadline, and return credits that no call uses."""
        self._transactions.beat()
        self._charge([], self._book.take_ended())
        self._charge([], self._book.take_idle())
        for lease in self._book.forget_empty():
            self._transactions.delete_lease(lease)

    def end_holds(self, account_id: int) -> bool:
        """Return the credits of an account's holds after their deadline; return whether there were any."""
        ended = self._book.take_ended(account_id)
        self._charge([], ended)
        return bool(ended)

    def retire(self) -> None:
        """Continue as a new server without leases. Running calls need new credits."""
        self._retired.append(self._transactions.server_id)
        self._transactions.renew()
        self._book.lose()

    def _charge(self, commits: Sequence[Commit], returned: Credits) -> None:
        """Charge calls, and return credits."""
        if not commits and not returned:
            return
        active = {commit.hold: commit for commit in commits if commit.hold.is_active}
        charges = _by_lease(active.values())
        try:
            used = self._charge_active(charges, returned)
        except LeaseLost as lost:
            self._book.lose(lost.leases)
            self._charge(commits, {lease: count for lease, count in returned.items() if not lease.is_lost})
            return
        except ConnectionLost:
            self._book.add(returned)
            raise
        self._book.charge(active)
        for lease, of_lease in charges.items():
            for number, commit in enumerate(reversed(of_lease)):
                commit.value = lease.allowance.usage(used[lease] - number)
        for commit in commits:
            if not commit.is_done:
                self._charge_without_lease(commit)

    def _charge_active(self, charges: dict[Lease, list[Commit]], returned: Credits) -> dict[Lease, int]:
        if not charges and not returned:
            return {}
        calls = {lease: [(each.hold, each.outcome) for each in commits] for lease, commits in charges.items()}
        ids = [hold.id for of_lease in calls.values() for hold, _ in of_lease]
        return self._repeated(lambda: self._transactions.charge(calls, returned), ids, lambda: self._used(charges))

    def _used(self, leases: Iterable[Lease]) -> dict[Lease, int]:
        return {lease: self._transactions.used(lease) for lease in leases}

    def _charge_without_lease(self, commit: Commit) -> None:
        """Charge a call whose hold has ended, or return the usage after an earlier charge."""
        hold = commit.hold
        if hold.is_charged:
            commit.value = hold.lease.allowance.usage(self._transactions.used(hold.lease))
            return
        try:
            used = self._repeated(
                lambda: self._transactions.charge_without_lease(hold, commit.outcome),
                [hold.id],
                lambda: self._transactions.used(hold.lease),
            )
        except CreditsUsedUp as error:
            if self.end_holds(hold.account_id):
                self._charge_without_lease(commit)
            else:
                commit.error = error
        else:
            self._book.charge([hold])
            commit.value = hold.lease.allowance.usage(used)

    def _reserve(self, account_id: int, reserves: Sequence[Reserve]) -> None:
        """Lease credits for calls of an account. The first calls receive those that are left."""
        refusal = self._lease(account_id, reserves)
        if refusal and self.end_holds(account_id):
            waiting = [reserve for reserve in reserves if not reserve.is_done]
            refusal = self._lease(account_id, waiting)
        for reserve in reserves:
            if not reserve.is_done:
                reserve.error = refusal

    def _lease(self, account_id: int, reserves: Sequence[Reserve]) -> CreditsUsedUp | None:
        seconds = max(reserve.hold_seconds for reserve in reserves)
        grant = self._repeated(lambda: self._transactions.lease(account_id, len(reserves), seconds), [], None)
        lease = self._book.grant(account_id, grant.subscription, grant.allowance)
        if grant.is_new and (lease.holds or lease.free):
            self._book.lose([lease])
            lease = self._book.grant(account_id, grant.subscription, grant.allowance)
        lease.is_single = grant.is_single
        self._book.add({lease: grant.credits})
        for reserve in reserves:
            reserve.value = self._book.hold_granted(lease, reserve.principal, reserve.hold_seconds)
        return grant.refusal

    def _repeated(self, transaction: Callable[[], T], calls: Sequence[str], committed: Callable[[], T] | None) -> T:
        """Return the result of a transaction; it is repeated if a connection to the database has ended.

        Args:
            transaction: The transaction.
            calls: Ids of the calls that it charges.
            committed: Returns the result, if the transaction was committed although the connection has ended.

        Raises:
            ConnectionLost: The database does not respond.
        """
        started = time.monotonic()
        try:
            return transaction()
        except UncertainCommit:
            self._uncertain.extend(calls)
            if calls and committed and self._transactions.is_charged(calls[0]):
                self._forget_uncertain(calls)
                return committed()
            if not calls:
                self.retire()
                raise
        except ConnectionLost:
            if time.monotonic() - started > MAX_RETRY_SECONDS:
                raise
        try:
            result = transaction()
        except UncertainCommit:
            self._uncertain.extend(calls)
            self.retire()
            raise
        self._forget_uncertain(calls)
        return result

    def _forget_uncertain(self, calls: Sequence[str]) -> None:
        self._uncertain = [call for call in self._uncertain if call not in calls]


def _by_lease(commits: Iterable[Commit]) -> dict[Lease, list[Commit]]:
    found: dict[Lease, list[Commit]] = {}
    for commit in commits:
        found.setdefault(commit.hold.lease, []).append(commit)
    return found
