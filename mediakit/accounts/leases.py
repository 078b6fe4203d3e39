"""Leases and holds of a server process, in memory. Every method of the book is thread-safe and returns at once."""

import threading
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from mediakit.accounts.keys import Principal
from mediakit.accounts.subscriptions import Allowance, Subscription

BLOCK = 64
"""Credits that a server leases at once in addition to those of waiting calls."""
SHARE = 16
"""A block is at most this part of the credits that are left."""
MIN_AVAILABLE = 128
"""With fewer credits left, a server leases one credit for each call, and returns it at once if the call fails."""


@dataclass(eq=False, slots=True)
class Lease:
    """Credits of one month of an account. `free` and the number of holds add up to the row in the database.

    Unlimited accounts have leases without credits and without a row.
    """

    account_id: int
    subscription: Subscription
    allowance: Allowance
    free: int = 0
    """Credits that are not held by a call."""
    holds: "dict[str, Hold]" = field(default_factory=dict)
    is_single: bool = False
    """Whether few credits are left, so that an unused credit is returned at once."""
    is_lost: bool = False
    """Whether another server deleted the row, because the heartbeat of this server was stale."""
    idle_beats: int = 0
    """Number of heartbeats since the last call."""

    @property
    def month(self) -> datetime:
        """Start of the month."""
        return self.allowance.period.start

    @property
    def has_credit(self) -> bool:
        """Whether a call can start without the database."""
        return self.allowance.unlimited or self.free > 0

    def contains(self, now: datetime) -> bool:
        """Return whether a time is in the month of the lease."""
        period = self.allowance.period
        return period.start <= now < period.end


@dataclass(eq=False, slots=True)
class Hold:
    """A credit held for one call, in the month in which the call started."""

    id: str
    account_id: int
    key_id: str
    expires: float
    """When the hold ends, by the monotonic clock of this process."""
    lease: Lease
    is_charged: bool = False

    @property
    def is_active(self) -> bool:
        """Whether the lease still contains the credit of the call."""
        return self.id in self.lease.holds and not self.lease.is_lost


def block_size(available: int) -> int:
    """Return the number of credits to lease in advance, if a number of credits is available."""
    return min(BLOCK, available // SHARE) if available >= MIN_AVAILABLE else 0


IDLE_BEATS = 2
"""Number of heartbeats without a call, after which the free credits of a lease are returned."""

Credits = dict[Lease, int]
"""Numbers of credits by lease."""


class LeaseBook:
    """The leases of each account and month, and the holds of running calls."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._leases: dict[tuple[int, datetime], Lease] = {}
        self._newest: dict[int, Lease] = {}

    @property
    def is_empty(self) -> bool:
        """Whether the process has no leases."""
        return not self._leases

    def hold(self, principal: Principal, now: datetime, hold_seconds: float) -> Hold | None:
        """Hold a credit for a call; return None if no lease has a free one, or if the subscription has changed."""
        with self._lock:
            lease = self._newest.get(principal.account_id)
            if lease is None or lease.is_lost or not lease.has_credit:
                return None
            if not lease.contains(now) or lease.subscription != principal.subscription:
                return None
            return self._hold(lease, principal, hold_seconds)

    def hold_granted(self, lease: Lease, principal: Principal, hold_seconds: float) -> Hold | None:
        """Hold a credit of a lease that was just granted; return None if it has none left."""
        with self._lock:
            return self._hold(lease, principal, hold_seconds) if lease.has_credit else None

    def release(self, hold: Hold) -> None:
        """Return the credit of a call to its lease."""
        with self._lock:
            self._release(hold)

    def grant(self, account_id: int, subscription: Subscription, allowance: Allowance) -> Lease:
        """Return the lease of a month, after an update of its subscription. A new one has no credits."""
        with self._lock:
            name = account_id, allowance.period.start
            lease = self._leases.get(name)
            if lease is None:
                lease = self._leases[name] = Lease(account_id, subscription, allowance)
            lease.subscription, lease.allowance = subscription, allowance
            self._newest[account_id] = lease
            return lease

    def add(self, credits_: Credits) -> None:
        """Add free credits to leases."""
        with self._lock:
            for lease, count in credits_.items():
                lease.free += count

    def charge(self, holds: Iterable[Hold]) -> None:
        """Remove the holds of calls that were charged."""
        with self._lock:
            for hold in holds:
                hold.lease.holds.pop(hold.id, None)
                hold.is_charged = True

    def take_surplus(self, leases: Iterable[Lease]) -> Credits:
        """Remove and return the free credits of leases that lease single credits."""
        with self._lock:
            return self._take_free(lease for lease in set(leases) if lease.is_single)

    def take_ended(self, account_id: int | None = None) -> Credits:
        """End the holds whose deadline has passed. Remove and return their credits."""
        now = self._seconds()
        with self._lock:
            ended = [
                hold
                for lease in self._leases.values()
                if account_id in (None, lease.account_id)
                for hold in lease.holds.values()
                if hold.expires <= now
            ]
            for hold in ended:
                self._release(hold)
            return self._take_free({hold.lease for hold in ended})

    def take_idle(self) -> Credits:
        """Count a heartbeat. Remove and return the free credits of leases that no call has used recently."""
        with self._lock:
            for lease in self._leases.values():
                lease.idle_beats += 1
            return self._take_free(lease for lease in self._leases.values() if lease.idle_beats > IDLE_BEATS)

    def forget_empty(self) -> list[Lease]:
        """Remove and return the leases without credits that no call has used recently."""
        with self._lock:
            empty = [
                lease
                for lease in self._leases.values()
                if not lease.holds and not lease.free and lease.idle_beats > IDLE_BEATS
            ]
            for lease in empty:
                self._forget(lease)
            return empty

    def lose(self, leases: Iterable[Lease] | None = None) -> None:
        """Remove leases whose rows no longer exist; all leases by default. Their calls need new credits."""
        with self._lock:
            for lease in list(self._leases.values() if leases is None else leases):
                lease.is_lost = True
                self._forget(lease)

    def _hold(self, lease: Lease, principal: Principal, hold_seconds: float) -> Hold:
        if not lease.allowance.unlimited:
            lease.free -= 1
        lease.idle_beats = 0
        expires = self._seconds() + hold_seconds
        hold = Hold(uuid.uuid4().hex, lease.account_id, principal.key_id, expires, lease)
        lease.holds[hold.id] = hold
        return hold

    def _release(self, hold: Hold) -> None:
        if hold.lease.holds.pop(hold.id, None) and not hold.lease.allowance.unlimited:
            hold.lease.free += 1

    def _take_free(self, leases: Iterable[Lease]) -> Credits:
        taken = {lease: lease.free for lease in leases if lease.free and not lease.is_lost}
        for lease in taken:
            lease.free = 0
        return taken

    def _forget(self, lease: Lease) -> None:
        if self._leases.get((lease.account_id, lease.month)) is lease:
            del self._leases[lease.account_id, lease.month]
        if self._newest.get(lease.account_id) is lease:
            del self._newest[lease.account_id]
