"""Counts the requests of each account in a moving window, in this process or in Redis.

Each counted request is an entry with its time. Entries are removed when they leave the window, so that the work per
request does not depend on the limit. (The moving windows of the `limits` package read all entries of a window.)
"""

import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mediakit.accounts.redis_client import key_prefix

if TYPE_CHECKING:
    from redis import Redis

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
