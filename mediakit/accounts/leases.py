"""Leases and holds of a server process."""

from dataclasses import dataclass, field
from datetime import datetime

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
