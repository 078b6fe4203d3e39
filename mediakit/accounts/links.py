"""Temporary download links: a file, a random token, and a lifetime of 15 minutes.

Files are stored under the hash of their token, so that read access to the store does not reveal links. Expiry is
checked when a link is used; cleanup only frees space.
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


@dataclass(frozen=True, slots=True)
class StoredFile:
    """The file of a link."""

    content: bytes
    mime_type: str
    filename: str

    def pack(self) -> bytes:
        """Return the file as bytes: a line of JSON with its metadata, then the content."""
        return json.dumps([self.mime_type, self.filename]).encode() + b"\n" + self.content

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """Parse the result of `pack`."""
        metadata, _, content = packed.partition(b"\n")
        mime_type, filename = json.loads(metadata)
        return cls(content, mime_type, filename)


@dataclass(frozen=True, slots=True)
class Link:
    """A new link."""

    token: str
    expires_at: datetime
    size_bytes: int


class LinkStore(Protocol):
    """Storage for the files of links. A file is not returned after its lifetime."""

    def put(self, name: str, packed: bytes, lifetime: timedelta) -> datetime:
        """Store a file under a name, and return its expiry time.

        Raises:
            ServerBusy: The store does not respond, or is full.
        """

    def get(self, name: str) -> bytes | None:
        """Return a file, or None if it has expired or does not exist.

        Raises:
            ServerBusy: The store does not respond.
        """

    def close(self) -> None:
        """Close all connections."""


class Links:
    """Creates temporary links, and returns their files."""

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

    def store(self, content: bytes, mime_type: str, filename: str) -> Link:
        """Store a file for 15 minutes, and return its link.

        Raises:
            ServerBusy: The store does not respond, or is full.
        """
        token = secrets.token_urlsafe(32)
        packed = StoredFile(content, mime_type, filename).pack()
        return Link(token, self._store.put(_storage_name(token), packed, LIFETIME), len(content))

    def fetch(self, token: str) -> StoredFile:
        """Return the file of a link.

        Raises:
            NotFound: The link has expired or does not exist.
            ServerBusy: The store does not respond.
        """
        packed = self._store.get(_storage_name(token)) if _TOKEN.fullmatch(token) else None
        if packed is None:
            raise NotFound(_NOT_FOUND)
        return StoredFile.unpack(packed)


def _storage_name(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
