"""Temporary download links: a file, a random token, and a lifetime of 15 minutes.

Files are stored under the hash of their token, so that read access to the store does not reveal links. Expiry is
checked when a link is used; cleanup only frees space. A download that starts before the expiry can end after it.
"""

import hashlib
import json
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, Self

from mediakit.accounts.clock import Clock, utc_now
from mediakit.errors import NotFound
from mediakit.settings import AccountSettings

LIFETIME = timedelta(minutes=15)

_NOT_FOUND = "This link has expired or does not exist."
_TOKEN = re.compile(r"[0-9A-Za-z_-]{43}")
"""256 bits in URL-safe base64."""


class StoredContent(Protocol):
    """A stored file that is being read. It stays readable for some minutes after its expiry."""

    metadata: bytes
    """A line of JSON."""
    size: int
    """Number of bytes."""

    def read(self, start: int, size: int) -> bytes:
        """Return a part of the file.

        Raises:
            ServerBusy: The store does not respond, or no longer has the file.
        """

    def close(self) -> None:
        """Free the file."""


class LinkFile:
    """The file of a link, for reading. Close it after use."""

    def __init__(self, content: StoredContent, etag: str) -> None:
        self._content = content
        self.mime_type, self.filename = json.loads(content.metadata)
        self.size = content.size
        """Number of bytes."""
        self.etag = etag
        """Entity tag with its quotes. The file of a link never changes."""

    def read(self, start: int, size: int) -> bytes:
        """Return a part of the file.

        Raises:
            ServerBusy: The store does not respond.
        """
        return self._content.read(start, size)

    def close(self) -> None:
        """Free the file."""
        self._content.close()


@dataclass(frozen=True, slots=True)
class Link:
    """A new link."""

    token: str
    expires_at: datetime
    size_bytes: int


class LinkStore(Protocol):
    """Storage for the files of links."""

    def put(self, name: str, metadata: bytes, content: bytes, lifetime: timedelta) -> datetime:
        """Store a file under a name, and return its expiry time.

        Raises:
            ServerBusy: The store does not respond, or is full.
        """

    def open(self, name: str) -> StoredContent | None:
        """Return a file for reading, or None if it has expired or does not exist.

        Raises:
            ServerBusy: The store does not respond.
        """

    def delete(self, name: str) -> None:
        """Delete a file, if it exists.

        Raises:
            ServerBusy: The store does not respond.
        """

    def close(self) -> None:
        """Close all connections."""


class Links:
    """Creates temporary links, and opens their files."""

    def __init__(self, store: LinkStore) -> None:
        self._store = store

    @classmethod
    def open(cls, settings: AccountSettings, clock: Clock = utc_now) -> Self:
        """Store files in the Redis of the settings, or in a folder of `MEDIAKIT_HOME`.

        Args:
            settings: Name the store.
            clock: Clock for files in `MEDIAKIT_HOME`; Redis has its own.
        """
        from mediakit.accounts.link_stores import FolderStore, RedisStore

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
        content = self._store.open(_storage_name(token)) if _TOKEN.fullmatch(token) else None
        if content is None:
            raise NotFound(_NOT_FOUND)
        return LinkFile(content, _etag(token))


def _storage_name(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _etag(token: str) -> str:
    return f'"{hashlib.sha256(b"etag:" + token.encode()).hexdigest()[:32]}"'
