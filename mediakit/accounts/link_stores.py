"""Storage for the files of links: a private folder of this machine, or Redis for several servers."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from mediakit.accounts.clock import Clock
from mediakit.accounts.private_files import PARTIAL_SUFFIX, private_folder, write_private
from mediakit.accounts.redis_client import connect, key_prefix
from mediakit.errors import ServerBusy

if TYPE_CHECKING:
    from redis import Redis

CLEANUP_INTERVAL = timedelta(minutes=1)
CLOCK_TOLERANCE_SECONDS = 1.0
"""How far the clock may be set back before stored files count as expired."""

_log = logging.getLogger(__name__)


class FolderStore:
    """Files in a folder: a line with the expiry time, then the content. The clock is that of this machine."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._cleanup_lock = threading.Lock()
        self._last_cleanup: datetime | None = None

    def put(self, name: str, packed: bytes, lifetime: timedelta) -> datetime:
        """Store a file. Also deletes expired files, at most once a minute."""
        now = self._clock()
        expires = now + lifetime
        head = f"{expires.timestamp():.6f} {lifetime.total_seconds()}\n".encode()
        with _as_server_busy(OSError):
            private_folder(self._folder)
            self._delete_expired(now)
            write_private(self._folder / name, head + packed, replace=True)
        return expires

    def get(self, name: str) -> bytes | None:
        """Return a file that has not expired."""
        with _as_server_busy(OSError), suppress(FileNotFoundError), (self._folder / name).open("rb") as file:
            return file.read() if _is_valid(file.readline(), self._clock()) else None
        return None

    def close(self) -> None:
        """Do nothing; no file stays open."""

    def _delete_expired(self, now: datetime) -> None:
        with self._cleanup_lock:
            if self._last_cleanup is not None and abs(now - self._last_cleanup) < CLEANUP_INTERVAL:
                return
            self._last_cleanup = now
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process deleted it
                if not (_is_valid(_first_line(path), now) or _is_being_written(path)):
                    path.unlink()


class RedisStore:
    """Files in Redis, which deletes them when they expire. The clock is that of Redis."""

    def __init__(self, url: str) -> None:
        self._redis: Redis = connect(url)
        self._prefix = key_prefix("link")

    def put(self, name: str, packed: bytes, lifetime: timedelta) -> datetime:
        """Store a file."""
        from redis import RedisError

        with _as_server_busy(RedisError), self._redis.pipeline() as pipeline:
            pipeline.set(f"{self._prefix}:{name}", packed, px=lifetime)
            pipeline.time()
            seconds, microseconds = pipeline.execute()[1]
        return datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=microseconds) + lifetime

    def get(self, name: str) -> bytes | None:
        """Return a file that has not expired."""
        from redis import RedisError

        with _as_server_busy(RedisError):
            found = self._redis.get(f"{self._prefix}:{name}")
        return found if isinstance(found, bytes) else None

    def close(self) -> None:
        """Close all connections."""
        self._redis.close()


def _is_valid(head: bytes, now: datetime) -> bool:
    """Return whether a file is valid, by its first line. Setting the clock back does not extend its lifetime."""
    try:
        expires, lifetime = (float(part) for part in head.split())
    except ValueError:
        return False
    remaining = expires - now.timestamp()
    return 0 < remaining <= lifetime + CLOCK_TOLERANCE_SECONDS


def _first_line(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline()


def _is_being_written(path: Path) -> bool:
    return path.suffix == PARTIAL_SUFFIX and time.time() - path.stat().st_mtime < CLEANUP_INTERVAL.total_seconds()


@contextmanager
def _as_server_busy(*errors: type[Exception]) -> Iterator[None]:
    try:
        yield
    except errors as error:
        _log.warning("The link store failed: %s", error)
        raise ServerBusy("The link store does not respond. Try again in 5 seconds.") from error
