"""Rate limits: the number of requests that a key can make in any 60 seconds.

Requests are counted in this process, or in Redis if servers share one. While Redis does not respond, each process
counts its own requests, so that calls continue and remain limited.
"""

import logging
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from mediakit.accounts.redis_client import connect, key_prefix
from mediakit.errors import TooManyRequests
from mediakit.settings import DEFAULT_RATES, AccountSettings, Plan

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.strategies import MovingWindowRateLimiter
    from redis import Redis

    from mediakit.accounts.keys import Principal

WINDOW_SECONDS = 60
REDIS_RETRY_SECONDS = 5.0
"""Time for which Redis is not used after it failed, so that calls do not wait for it one after another."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RateStatus:
    """The rate limit of a key after a request, as in the `X-RateLimit-*` headers."""

    limit: int
    remaining: int
    reset_seconds: int
    """Seconds until the oldest counted request leaves the window."""


class RateLimits:
    """Counts the requests of each key."""

    def __init__(
        self, per_window: Mapping[Plan, int], redis_url: str | None = None, window_seconds: int = WINDOW_SECONDS
    ) -> None:
        self._per_window = {**DEFAULT_RATES, **per_window}
        self._window = window_seconds
        self._local = _limiter(None)
        self._redis = connect(redis_url) if redis_url else None
        self._shared = _limiter(self._redis) if self._redis else self._local
        self._redis_retry_at = 0.0

    @classmethod
    def open(cls, settings: AccountSettings) -> Self:
        """Return the rate limits of the settings, counted in their Redis if they name one."""
        return cls(settings.rate_limits, settings.redis_url)

    def close(self) -> None:
        """Close all connections to Redis."""
        if self._redis:
            self._redis.close()

    def count_request(self, principal: "Principal") -> RateStatus | None:
        """Count a request, and return the state of the rate limit; None if the principal has no limit.

        Raises:
            TooManyRequests: The limit is reached. The rejected request is not counted.
        """
        limit = self._per_window[principal.plan]
        if principal.unlimited or limit == 0:
            return None
        allowed, rate = self._count(limit, principal.key_id)
        if not allowed:
            raise _too_many(principal.plan, rate)
        return rate

    def _count(self, limit: int, key_id: str) -> tuple[bool, RateStatus]:
        from limits import RateLimitItemPerSecond
        from limits.errors import StorageError

        item = RateLimitItemPerSecond(limit, self._window)
        if time.monotonic() < self._redis_retry_at:
            return _count_in(self._local, item, key_id)
        try:
            return _count_in(self._shared, item, key_id)
        except StorageError as error:
            self._redis_retry_at = time.monotonic() + REDIS_RETRY_SECONDS
            _log.warning("Redis does not respond; this process counts its own requests: %s", error.storage_error)
            return _count_in(self._local, item, key_id)


def _limiter(redis: "Redis | None") -> "MovingWindowRateLimiter":
    from limits.storage import MemoryStorage, RedisStorage
    from limits.strategies import MovingWindowRateLimiter

    if redis is None:
        return MovingWindowRateLimiter(MemoryStorage())
    pool = redis.connection_pool  # has the address; the URL below only selects the kind of server
    return MovingWindowRateLimiter(
        RedisStorage("redis://", connection_pool=pool, wrap_exceptions=True, key_prefix=key_prefix("rate"))
    )


def _count_in(limiter: "MovingWindowRateLimiter", item: "RateLimitItem", key_id: str) -> tuple[bool, RateStatus]:
    allowed = limiter.hit(item, key_id)
    stats = limiter.get_window_stats(item, key_id)
    reset = min(max(1, math.ceil(stats.reset_time - time.time())), item.get_expiry())
    return allowed, RateStatus(item.amount, max(0, stats.remaining), reset)


def _too_many(plan: Plan, rate: RateStatus) -> TooManyRequests:
    wait = f"{rate.reset_seconds} second{'' if rate.reset_seconds == 1 else 's'}"
    return TooManyRequests(
        f"Too many requests: {rate.limit} per minute for this key. Try again in {wait}.",
        plan=plan,
        limit=rate.limit,
        retry_after=rate.reset_seconds,
    )
