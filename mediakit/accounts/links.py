"""Temporary download links: a file, a random token, and a lifetime of 15 minutes.

Files are stored under the hash of their token, so that read access to the store does not reveal links. Expiry is
checked when a link is used; cleanup only frees space. A download that starts before the expiry can end after it.
"""

import hashlib
import json
import logging
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self, cast

from mediakit.accounts.clock import Clock, utc_now
from mediakit.accounts.private_files import PARTIAL_SUFFIX, private_folder, write_private
from mediakit.accounts.redis_client import connect, key_prefix
from mediakit.errors import NotFound, ServerBusy
from mediakit.settings import AccountSettings

if TYPE_CHECKING:
    from redis import Redis


LIFETIME = timedelta(minutes=15)
DOWNLOAD_TIME = timedelta(minutes=10)
"""Time for which a file can still be read after its link has expired, for downloads that started before."""
CLEANUP_INTERVAL = timedelta(minutes=1)
FIRST_READ_BYTES = 64 * 1024
"""Bytes that are read from Redis with the metadata; most files need no second read."""
CLOCK_TOLERANCE_SECONDS = 1.0
"""How far the clock may be set back before stored files count as expired."""

_log = logging.getLogger(__name__)

_TOKEN = re.compile(r"[0-9A-Za-z_-]{43}")
"""256 bits in URL-safe base64."""


@dataclass(slots=True)
class LinkFile:
    """The file of a link, for reading. It stays readable for some minutes after its expiry. Close it after use."""

    mime_type: str
    filename: str
    size: int
    """Number of bytes."""
    read: Callable[[int, int], bytes]
    """Returns a part of the file by its start and size, or raises `ServerBusy` if the store no longer has the file."""
    close: Callable[[], None] = lambda: None
    etag: str = ""
    """Entity tag with its quotes. The file of a link never changes."""


@dataclass(frozen=True, slots=True)
class Link:
    """A new link."""

    token: str
    expires_at: datetime
    size_bytes: int


class Links:
    """Creates temporary links, and opens their files."""

    def __init__(self, store: "FolderStore | RedisStore") -> None:
        self._store = store

    @classmethod
    def open(cls, settings: AccountSettings, clock: Clock = utc_now) -> Self:
        """Store files in the Redis of the settings, which has its own clock, or in a folder of `MEDIAKIT_HOME`."""
        if settings.redis_url:
            return cls(RedisStore(settings.redis_url))
        return cls(FolderStore(settings.home / "links", clock))

    def close(self) -> None:
        """Close all connections."""
        self._store.close()

    def store(self, content: bytes, mime_type: str, filename: str, lifetime: timedelta = LIFETIME) -> Link:
        """Store a file, for 15 minutes by default, and return its link.

        Raises:
            ServerBusy: The store does not respond, or is full.
        """
        token = secrets.token_urlsafe(32)
        metadata = json.dumps([mime_type, filename]).encode() + b"\n"
        return Link(token, self._store.put(_storage_name(token), metadata, content, lifetime), len(content))

    def delete(self, token: str) -> None:
        """Delete the file of a link, if it exists.

        Raises:
            ServerBusy: The store does not respond.
        """
        self._store.delete(_storage_name(token))

    def find(self, token: str) -> LinkFile:
        """Return the file of a link, for reading.

        Raises:
            NotFound: The link has expired or does not exist.
            ServerBusy: The store does not respond.
        """
        file = self._store.open(_storage_name(token)) if _TOKEN.fullmatch(token) else None
        if file is None:
            raise NotFound("This link has expired or does not exist.")
        file.etag = f'"{hashlib.sha256(b"etag:" + token.encode()).hexdigest()[:32]}"'
        return file


def _storage_name(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class FolderStore:
    """Files in a folder: a line with the expiry time, the metadata, the content. The clock is that of this machine."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._cleanup_lock = threading.Lock()
        self._last_cleanup: datetime | None = None

    def put(self, name: str, metadata: bytes, content: bytes, lifetime: timedelta) -> datetime:
        """Store a file. Also deletes expired files, at most once a minute."""
        now = self._clock()
        expires = now + lifetime
        head = f"{expires.timestamp():.6f} {lifetime.total_seconds()}\n".encode()
        with _as_server_busy(OSError):
            private_folder(self._folder)
            self._delete_expired(now)
            write_private(self._folder / name, head, metadata, content, replace=True)
        return expires

    def open(self, name: str) -> LinkFile | None:
        """Open a file that has not expired. An open file stays readable after it was deleted."""
        with _as_server_busy(OSError), suppress(FileNotFoundError), ExitStack() as stack:
            file = stack.enter_context((self._folder / name).open("rb"))
            if _is_valid(file.readline(), self._clock()):
                mime_type, filename = json.loads(file.readline())
                offset = file.tell()
                size = file.seek(0, os.SEEK_END) - offset
                stack.pop_all()
                return LinkFile(mime_type, filename, size, partial(_read, file, offset), file.close)
        return None

    def delete(self, name: str) -> None:
        """Delete a file."""
        with _as_server_busy(OSError):
            (self._folder / name).unlink(missing_ok=True)

    def close(self) -> None:
        """Do nothing; no file stays open."""

    def _delete_expired(self, now: datetime) -> None:
        with self._cleanup_lock:
            if self._last_cleanup is not None and abs(now - self._last_cleanup) < CLEANUP_INTERVAL:
                return
            self._last_cleanup = now
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another process deleted it
                with path.open("rb") as file:
                    head = file.readline()
                if not (_is_valid(head, now) or _is_being_written(path)):
                    path.unlink()


def _read(file: BinaryIO, offset: int, start: int, size: int) -> bytes:
    """Return a part of an open file; nothing if it was closed, because the client has disconnected."""
    with _as_server_busy(OSError), suppress(ValueError):
        file.seek(offset + start)
        return file.read(size)
    return b""


class RedisStore:
    """Files in Redis, which deletes them some time after they expire. The clock is that of Redis."""

    def __init__(self, url: str) -> None:
        self._redis: Redis = connect(url)
        self._prefix = key_prefix("link")

    def put(self, name: str, metadata: bytes, content: bytes, lifetime: timedelta) -> datetime:
        """Store a file."""
        with _redis_errors(), self._redis.pipeline() as pipeline:
            pipeline.set(f"{self._prefix}:{name}", metadata + content, px=lifetime + DOWNLOAD_TIME)
            pipeline.time()
            seconds, microseconds = pipeline.execute()[1]
        return datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=microseconds) + lifetime

    def open(self, name: str) -> LinkFile | None:
        """Return a file that has not expired."""
        key = f"{self._prefix}:{name}"
        with _redis_errors(), self._redis.pipeline() as pipeline:
            pipeline.pttl(key)
            pipeline.strlen(key)
            pipeline.getrange(key, 0, FIRST_READ_BYTES - 1)
            remaining, total, first_bytes = pipeline.execute()
        if timedelta(milliseconds=remaining) <= DOWNLOAD_TIME:
            return None
        offset = first_bytes.index(b"\n") + 1
        mime_type, filename = json.loads(first_bytes[:offset])

        def read(start: int, size: int) -> bytes:
            first, end = offset + start, min(offset + start + size, total)
            if end <= len(first_bytes):
                return cast("bytes", first_bytes[first:end])
            with _redis_errors():
                part = cast("bytes", self._redis.getrange(key, first, end - 1))
            if len(part) < end - first:
                raise ServerBusy("The file of the link was deleted during the download.")
            return part

        return LinkFile(mime_type, filename, total - offset, read)

    def delete(self, name: str) -> None:
        """Delete a file."""
        with _redis_errors():
            self._redis.delete(f"{self._prefix}:{name}")

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


def _is_being_written(path: Path) -> bool:
    return path.suffix == PARTIAL_SUFFIX and time.time() - path.stat().st_mtime < CLEANUP_INTERVAL.total_seconds()


@contextmanager
def _as_server_busy(*errors: type[Exception]) -> Iterator[None]:
    try:
        yield
    except errors as error:
        _log.warning("The link store failed: %s", error)
        raise ServerBusy("The link store does not respond. Try again in 5 seconds.") from error


def _redis_errors() -> AbstractContextManager[None]:
    from redis import RedisError

    return _as_server_busy(RedisError)
