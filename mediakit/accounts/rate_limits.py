"""Rate limits: the number of requests that the keys of an account can make together in any 60 seconds.

Requests are counted in this process, or in Redis if servers share one. While Redis does not respond, each process
counts its own requests, so that calls continue and remain limited.
"""

import hashlib
import logging
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from mediakit.accounts.redis_client import connect
from mediakit.accounts.request_windows import ProcessWindows, RedisWindows, Window
from mediakit.errors import TooManyRequests
from mediakit.settings import DEFAULT_RATES, AccountSettings, Plan

if TYPE_CHECKING:
    from mediakit.accounts.keys import Principal

WINDOW_SECONDS = 60
REDIS_RETRY_SECONDS = 1.5
"""Time for which Redis is not used after it failed, so that calls do not wait for it one after another."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RateStatus:
    """The rate limit of an account after a request, as in the `X-RateLimit-*` headers."""

    limit: int
    remaining: int
    reset_seconds: int
    """Seconds until the oldest counted request leaves the window."""


class RateLimits:
    """Counts the requests of each account."""

    def __init__(
        self, per_window: Mapping[Plan, int], redis_url: str | None = None, window_seconds: int = WINDOW_SECONDS
    ) -> None:
        self._per_window = {**DEFAULT_RATES, **per_window}
        self._local = ProcessWindows(window_seconds)
        self._redis = connect(redis_url) if redis_url else None
        self._shared = RedisWindows(self._redis, window_seconds) if self._redis else None
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
        [rate] = self.count_requests([principal])
        if isinstance(rate, TooManyRequests):
            raise rate
        return rate

    def count_requests(self, principals: Sequence["Principal"]) -> list[RateStatus | TooManyRequests | None]:
        """Count several requests, and return the state or the error of each."""
        limited = [each for each in principals if not each.unlimited and self._per_window[each.plan]]
        requests = [(_window_of(each), self._per_window[each.plan]) for each in limited]
        windows = dict(zip(map(id, limited), self._count(requests), strict=True)) if limited else {}
        return [self._rate(each, windows.get(id(each))) for each in principals]

    def _rate(self, principal: "Principal", window: Window | None) -> RateStatus | TooManyRequests | None:
        if window is None:
            return None
        limit = self._per_window[principal.plan]
        rate = RateStatus(limit, max(0, limit - window.count), max(1, math.ceil(window.reset_seconds)))
        return rate if window.is_counted else _too_many(principal.plan, rate)

    def _count(self, requests: Sequence[tuple[str, int]]) -> list[Window]:
        if self._shared is None or time.monotonic() < self._redis_retry_at:
            return self._local.count(requests)
        from redis import RedisError

        try:
            return self._shared.count(requests)
        except RedisError as error:
            self._redis_retry_at = time.monotonic() + REDIS_RETRY_SECONDS
            _log.warning("Redis does not respond; this process counts its own requests: %s", error)
            return self._local.count(requests)


def _window_of(principal: "Principal") -> str:
    """Return the name of the window of an account: not its number, because databases can share a Redis."""
    return hashlib.sha256(principal.email.encode()).hexdigest()[:32]


def _too_many(plan: Plan, rate: RateStatus) -> TooManyRequests:
    wait = f"{rate.reset_seconds} second{'' if rate.reset_seconds == 1 else 's'}"
    return TooManyRequests(
        f"Too many requests: {rate.limit} per minute for this account. Try again in {wait}.",
        plan=plan,
        limit=rate.limit,
        retry_after=rate.reset_seconds,
    )
