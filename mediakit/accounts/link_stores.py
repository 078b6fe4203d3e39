"""Where the files of links wait: a private folder of this machine, or a Redis that servers share."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from mediakit.accounts.clock import Clock
from mediakit.accounts.home import PART, private_folder, write_private
from mediakit.accounts.redis_server import connect, namespace
from mediakit.errors import ServerBusy

if TYPE_CHECKING:
    from redis import Redis

SWEEP_EVERY = timedelta(minutes=1)
CLOCK_JITTER_SECONDS = 1.0
"""How far a clock may be set back before files count as older than they say."""

_log = logging.getLogger(__name__)


class FolderStore:
    """Files in a folder, each a line with its expiry, then its bytes. Time is this machine's."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._sweeping = threading.Lock()
        self._swept: datetime | None = None

    def put(self, name: str, packed: bytes, lifetime: timedelta) -> datetime:
        """Keep a file; at most once a minute, delete those whose time is over."""
        now = self._clock()
        expires = now + lifetime
        head = f"{expires.timestamp():.6f} {lifetime.total_seconds()}\n".encode()
        with _busy_on(OSError):
            private_folder(self._folder)
            self._sweep(now)
            write_private(self._folder / name, head + packed, replace=True)
        return expires

    def get(self, name: str) -> bytes | None:
        """Find a file whose time is not over."""
        with _busy_on(OSError), suppress(FileNotFoundError), (self._folder / name).open("rb") as file:
            return file.read() if _alive(file.readline(), self._clock()) else None
        return None

    def close(self) -> None:
        """Do nothing: no file stays open."""

    def _sweep(self, now: datetime) -> None:
        with self._sweeping:
            if self._swept is not None and abs(now - self._swept) < SWEEP_EVERY:
                return
            self._swept = now
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process swept it
                if not (_alive(_first_line(path), now) or _is_being_written(path)):
                    path.unlink()


class RedisStore:
    """Files in Redis, which deletes them by itself. Time is that of Redis."""

    def __init__(self, url: str) -> None:
        self._redis: Redis = connect(url)
        self._prefix = namespace("link")

    def put(self, name: str, packed: bytes, lifetime: timedelta) -> datetime:
        """Keep a file."""
        from redis import RedisError

        with _busy_on(RedisError), self._redis.pipeline() as pipeline:
            pipeline.set(f"{self._prefix}:{name}", packed, px=lifetime)
            pipeline.time()
            seconds, microseconds = pipeline.execute()[1]
        return datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=microseconds) + lifetime

    def get(self, name: str) -> bytes | None:
        """Find a file that Redis has not deleted."""
        from redis import RedisError

        with _busy_on(RedisError):
            found = self._redis.get(f"{self._prefix}:{name}")
        return found if isinstance(found, bytes) else None

    def close(self) -> None:
        """Close every connection."""
        self._redis.close()


def _alive(head: bytes, now: datetime) -> bool:
    """Judge the first line of a file. A clock that was set back does not lengthen its life."""
    try:
        expires, lifetime = (float(part) for part in head.split())
    except ValueError:
        return False
    left = expires - now.timestamp()
    return 0 < left <= lifetime + CLOCK_JITTER_SECONDS


def _first_line(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline()


def _is_being_written(path: Path) -> bool:
    return path.suffix == PART and time.time() - path.stat().st_mtime < SWEEP_EVERY.total_seconds()


@contextmanager
def _busy_on(*failures: type[Exception]) -> Iterator[None]:
    try:
        yield
    except failures as error:
        _log.warning("The store of links failed: %s", error)
        raise ServerBusy("Files cannot be kept or fetched now. Try again in 5 seconds.") from error
