"""Rate limits: how many requests a key may make in any 60 seconds.

Counted in this process, or in Redis for servers that share one. While Redis does not answer, each process counts for
itself: calls go on, still limited, and credits bind as ever.
"""

import logging
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from mediakit.accounts.redis_server import connect, namespace
from mediakit.errors import TooManyRequests
from mediakit.settings import DEFAULT_RATES, AccountSettings, Plan

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.strategies import MovingWindowRateLimiter
    from redis import Redis

    from mediakit.accounts.keys import Caller

WINDOW_SECONDS = 60
RETRY_REDIS_AFTER = 5.0
"""Seconds for which a Redis that did not answer is left alone, so that calls do not wait for it one by one."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rate:
    """Where a key stands after a request, as the RateLimit header fields tell it."""

    limit: int
    remaining: int
    reset_seconds: int
    """Seconds until the oldest request counted leaves the window."""


class RateLimits:
    """Counts requests by key."""

    def __init__(
        self, per_window: Mapping[Plan, int], redis_url: str | None = None, window_seconds: int = WINDOW_SECONDS
    ) -> None:
        self._per_window = {**DEFAULT_RATES, **per_window}
        self._window = window_seconds
        self._local = _limiter(None)
        self._redis = connect(redis_url) if redis_url else None
        self._shared = _limiter(self._redis) if self._redis else self._local
        self._shared_from = 0.0

    @classmethod
    def open(cls, settings: AccountSettings) -> Self:
        """Count by the limits, and in the place, that the settings name."""
        return cls(settings.rate_limits, settings.redis_url)

    def close(self) -> None:
        """Close the connections to Redis."""
        if self._redis:
            self._redis.close()

    def hit(self, caller: "Caller") -> Rate | None:
        """Count a request; None when nothing limits the caller.

        Raises:
            TooManyRequests: The key made too many in the last minute; this one was not counted.
        """
        limit = self._per_window[caller.plan]
        if caller.unlimited or limit == 0:
            return None
        allowed, rate = self._count(limit, caller.key_id)
        if not allowed:
            raise _too_many(caller.plan, rate)
        return rate

    def _count(self, limit: int, key_id: str) -> tuple[bool, Rate]:
        from limits import RateLimitItemPerSecond
        from limits.errors import StorageError

        item = RateLimitItemPerSecond(limit, self._window)
        if time.monotonic() < self._shared_from:
            return _take(self._local, item, key_id)
        try:
            return _take(self._shared, item, key_id)
        except StorageError as error:
            self._shared_from = time.monotonic() + RETRY_REDIS_AFTER
            _log.warning("Redis does not answer; this process counts requests by itself: %s", error.storage_error)
            return _take(self._local, item, key_id)


def _limiter(redis: "Redis | None") -> "MovingWindowRateLimiter":
    from limits.storage import MemoryStorage, RedisStorage
    from limits.strategies import MovingWindowRateLimiter

    if redis is None:
        return MovingWindowRateLimiter(MemoryStorage())
    pool = redis.connection_pool  # knows the address; the one given beside it only names the kind of server
    return MovingWindowRateLimiter(
        RedisStorage("redis://", connection_pool=pool, wrap_exceptions=True, key_prefix=namespace("rate"))
    )


def _take(limiter: "MovingWindowRateLimiter", item: "RateLimitItem", key_id: str) -> tuple[bool, Rate]:
    allowed = limiter.hit(item, key_id)
    stats = limiter.get_window_stats(item, key_id)
    reset = min(max(1, math.ceil(stats.reset_time - time.time())), item.get_expiry())
    return allowed, Rate(item.amount, max(0, stats.remaining), reset)


def _too_many(plan: Plan, rate: Rate) -> TooManyRequests:
    wait = f"{rate.reset_seconds} second{'' if rate.reset_seconds == 1 else 's'}"
    return TooManyRequests(
        f"Too many requests: {rate.limit} per minute for this key. Try again in {wait}.",
        plan=plan,
        limit=rate.limit,
        retry_after=rate.reset_seconds,
    )
