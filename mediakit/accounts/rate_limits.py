"""Rate limits: the number of requests that the keys of an account can make together in any 60 seconds.

Requests are counted in this process, or in Redis if servers share one. While Redis does not respond, each process
counts its own requests, so that calls continue and remain limited. Requests for sign-in links are counted in the
database, for hours that start at fixed times.
"""

import hashlib
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, ClassVar, Self

from sqlalchemy import delete
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from mediakit.accounts.models import RequestCountRow
from mediakit.accounts.redis_client import connect, key_prefix
from mediakit.core.messages import counted
from mediakit.errors import MediakitError, TooManyRequests
from mediakit.settings import DEFAULT_RATES, AccountSettings, Plan

if TYPE_CHECKING:
    from mediakit.accounts.keys import Principal

WINDOW_SECONDS = 60
PURGE_SECONDS = 60.0
REDIS_RETRY_SECONDS = 1.5
"""Time for which Redis is not used after it failed, so that calls do not wait for it one after another."""
SIGN_IN_WINDOW = timedelta(hours=1)

COUNT_SCRIPT = """
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2]) * 1000000
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local count = redis.call('LLEN', KEYS[1])
local allowed = 0
if count < limit then
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], ARGV[2] * 1000)
  allowed, count, oldest = 1, count + 1, oldest or now
end
return {allowed, count, math.ceil((oldest + window - now) / 1000)}
"""
"""Counts a request of the key KEYS[1], if fewer than ARGV[1] are in the window of ARGV[2] seconds.

Returns whether it is counted, the number of requests in the window, and the milliseconds until the oldest one
leaves it. One request to Redis counts those of many calls, which no library does.
"""

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
        self._window_seconds = window_seconds
        self._local = _ProcessWindows(window_seconds)
        self._redis = connect(redis_url) if redis_url else None
        self._redis_retry_at = 0.0

    @classmethod
    def open(cls, settings: AccountSettings) -> Self:
        """Return the rate limits of the settings, counted in their Redis if they name one."""
        return cls(settings.rate_limits, settings.redis_url)

    def close(self) -> None:
        """Close all connections to Redis."""
        if self._redis:
            self._redis.close()

    def count_requests(self, principals: Sequence["Principal"]) -> list[RateStatus | TooManyRequests | None]:
        """Count requests, and return the rate limit of each after it: None if its principal has no limit.

        A request that is rejected, whose result is an error, is not counted.
        """
        limits = [0 if each.unlimited else self._per_window[each.plan] for each in principals]
        # The name of a window is not the number of the account, because databases can share a Redis.
        requests = [
            (hashlib.sha256(principal.email.encode()).hexdigest()[:32], limit)
            for principal, limit in zip(principals, limits, strict=True)
            if limit
        ]
        windows = iter(self._count(requests) if requests else [])
        return [
            _status(principal.plan, limit, next(windows)) if limit else None
            for principal, limit in zip(principals, limits, strict=True)
        ]

    def _count(self, requests: Sequence[tuple[str, int]]) -> list["_Window"]:
        if self._redis is None or time.monotonic() < self._redis_retry_at:
            return self._local.count(requests)
        from redis import RedisError

        try:
            with self._redis.pipeline(transaction=False) as pipeline:
                for key, limit in requests:
                    pipeline.eval(
                        COUNT_SCRIPT, 1, f"{key_prefix('window')}:{key}", str(limit), str(self._window_seconds)
                    )
                return [_Window(bool(counted), count, reset / 1000) for counted, count, reset in pipeline.execute()]
        except RedisError as error:
            self._redis_retry_at = time.monotonic() + REDIS_RETRY_SECONDS
            _log.warning("Redis does not respond; this process counts its own requests: %s", error)
            return self._local.count(requests)


@dataclass(frozen=True, slots=True)
class _Window:
    """The window of an account after a request."""

    is_counted: bool
    count: int
    """Number of requests in the window."""
    reset_seconds: float
    """Seconds until the oldest request leaves the window."""


def _status(plan: Plan, limit: int, window: _Window) -> RateStatus | TooManyRequests:
    seconds = max(1, math.ceil(window.reset_seconds))
    if window.is_counted:
        return RateStatus(limit, max(0, limit - window.count), seconds)
    wait = counted(seconds, "second")
    message = f"Too many requests: {limit} per minute for this account. Try again in {wait}."
    return TooManyRequests(message, plan=plan, limit=limit, retry_after=seconds)


class _ProcessWindows:
    """Windows in the memory of this process."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._entries: dict[str, deque[float]] = {}
        self._purge_at = time.monotonic() + PURGE_SECONDS

    def count(self, requests: Sequence[tuple[str, int]]) -> list[_Window]:
        """Count requests, given as key and limit."""
        with self._lock:
            now = time.monotonic()
            if now > self._purge_at:  # removes the windows of accounts without recent requests
                self._purge_at, start = now + PURGE_SECONDS, now - self._seconds
                self._entries = {key: times for key, times in self._entries.items() if times and times[-1] > start}
            return [self._count(key, limit, now) for key, limit in requests]

    def _count(self, key: str, limit: int, now: float) -> _Window:
        entries = self._entries.setdefault(key, deque())
        while entries and entries[0] <= now - self._seconds:
            entries.popleft()
        is_counted = len(entries) < limit
        if is_counted:
            entries.append(now)
        age = now - entries[0]  # first, because `entries[0] + seconds - now` can round to more than `seconds`
        return _Window(is_counted, len(entries), self._seconds - age)


class SignInLimitReached(MediakitError):  # noqa: N818  # named as the classes in `errors`
    """Too many sign-in links were requested for one address, or from one network."""

    status = 429
    fields = ("retry_after",)
    constants: ClassVar = {"code": "sign_in_limit"}

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


def count_request(session: Session, subject: str, limit: int, now: datetime) -> None:
    """Count a request of a subject in the current hour.

    Args:
        session: A writing session. If it is rolled back, the request is not counted.
        subject: An email address or a network. Only its digest is stored.
        limit: Maximum number of requests per hour.
        now: The time of the database.

    Raises:
        SignInLimitReached: The limit was reached before this request.
    """
    window = SIGN_IN_WINDOW.total_seconds()
    start = datetime.fromtimestamp(now.timestamp() // window * window, UTC)
    session.execute(delete(RequestCountRow).where(RequestCountRow.starts < start))
    key = {"subject": hashlib.sha256(subject.encode()).hexdigest(), "starts": start}
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = insert(RequestCountRow).values(**key, requests=1)
    statement = statement.on_conflict_do_update(
        index_elements=[RequestCountRow.subject, RequestCountRow.starts],
        set_={"requests": RequestCountRow.requests + 1},
    )
    if session.scalars(statement.returning(RequestCountRow.requests)).one() > limit:
        seconds = max(1, math.ceil((start + SIGN_IN_WINDOW - now).total_seconds()))
        minutes = math.ceil(seconds / 60)
        raise SignInLimitReached(
            f"Too many sign-in links were requested. Use the newest email, or try again in {minutes} minutes.",
            retry_after=seconds,
        )
