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
from mediakit.errors import TooManyRequests
from mediakit.settings import DEFAULT_RATES, AccountSettings, Plan

if TYPE_CHECKING:
    from mediakit.accounts.keys import Principal
import threading
from collections import deque
from typing import TYPE_CHECKING

from mediakit.accounts.redis_client import key_prefix

if TYPE_CHECKING:
    from redis import Redis
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from sqlalchemy import delete
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from mediakit.accounts.models import RequestCountRow
from mediakit.errors import MediakitError

WINDOW = timedelta(hours=1)


class SignInLimitReached(MediakitError):  # noqa: N818  # named as the classes in `errors`
    """Too many sign-in links were requested for one address, or from one network."""

    status = 429
    fields = ("retry_after",)
    constants: ClassVar = {"code": "sign_in_limit"}

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


def count_request(session: Session, subject: str, limit: int, now: datetime) -> None:
    """Count a request of a subject in the current window. Windows start at fixed times, so that servers agree on them.

    Args:
        session: A writing session. If it is rolled back, the request is not counted.
        subject: An email address or a network. Only its digest is stored.
        limit: Maximum number of requests per window.
        now: The time of the database.

    Raises:
        SignInLimitReached: The limit was reached before this request.
    """
    start = _window_start(now)
    session.execute(delete(RequestCountRow).where(RequestCountRow.starts < start))
    key = {"subject": hashlib.sha256(subject.encode()).hexdigest(), "starts": start}
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = insert(RequestCountRow).values(**key, requests=1)
    statement = statement.on_conflict_do_update(
        index_elements=[RequestCountRow.subject, RequestCountRow.starts],
        set_={"requests": RequestCountRow.requests + 1},
    )
    if session.scalars(statement.returning(RequestCountRow.requests)).one() > limit:
        seconds = max(1, math.ceil((start + WINDOW - now).total_seconds()))
        minutes = math.ceil(seconds / 60)
        raise SignInLimitReached(
            f"Too many sign-in links were requested. Use the newest email, or try again in {minutes} minutes.",
            retry_after=seconds,
        )


def _window_start(now: datetime) -> datetime:
    return datetime.fromtimestamp(now.timestamp() // WINDOW.total_seconds() * WINDOW.total_seconds(), UTC)


PURGE_SECONDS = 60.0

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
leaves it.
"""


@dataclass(frozen=True, slots=True)
class Window:
    """The window of an account after a request."""

    is_counted: bool
    count: int
    """Number of requests in the window."""
    reset_seconds: float
    """Seconds until the oldest request leaves the window."""


class ProcessWindows:
    """Windows in the memory of this process."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._entries: dict[str, deque[float]] = {}
        self._purge_at = time.monotonic() + PURGE_SECONDS

    def count(self, requests: Sequence[tuple[str, int]]) -> list[Window]:
        """Count requests, given as key and limit."""
        with self._lock:
            now = time.monotonic()
            if now > self._purge_at:
                self._purge(now)
            return [self._count(key, limit, now) for key, limit in requests]

    def _count(self, key: str, limit: int, now: float) -> Window:
        entries = self._entries.setdefault(key, deque())
        while entries and entries[0] <= now - self._seconds:
            entries.popleft()
        is_counted = len(entries) < limit
        if is_counted:
            entries.append(now)
        age = (
            now - entries[0]
        )  # subtracted first, because `entries[0] + seconds - now` can round to more than `seconds`
        return Window(is_counted, len(entries), self._seconds - age)

    def _purge(self, now: float) -> None:
        """Remove the windows of accounts without recent requests."""
        self._purge_at = now + PURGE_SECONDS
        ended = [key for key, entries in self._entries.items() if not entries or entries[-1] <= now - self._seconds]
        for key in ended:
            del self._entries[key]


class RedisWindows:
    """Windows that all servers with the same Redis share. The time is that of Redis."""

    def __init__(self, redis: "Redis", seconds: int) -> None:
        self._redis = redis
        self._seconds = seconds
        self._prefix = key_prefix("window")
        self._sha: str | None = None

    def count(self, requests: Sequence[tuple[str, int]]) -> list[Window]:
        """Count requests, given as key and limit, in one round trip.

        Raises:
            redis.RedisError: Redis does not respond.
        """
        from redis.exceptions import NoScriptError

        if self._sha is None:
            self._sha = str(self._redis.script_load(COUNT_SCRIPT))
        try:
            answers = self._run(self._sha, requests)
        except NoScriptError:  # Redis was restarted
            self._redis.script_load(COUNT_SCRIPT)
            answers = self._run(self._sha, requests)
        return [Window(bool(allowed), count, reset / 1000) for allowed, count, reset in answers]

    def _run(self, sha: str, requests: Sequence[tuple[str, int]]) -> list[list[int]]:
        with self._redis.pipeline(transaction=False) as pipeline:
            for key, limit in requests:
                pipeline.evalsha(sha, 1, f"{self._prefix}:{key}", str(limit), str(self._seconds))
            answers: list[list[int]] = pipeline.execute()
            return answers


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
