"""Temporary download links: a file, a token that nobody can guess, and 15 minutes.

Files are kept under the hash of their token, so whoever reads the store cannot make a link of it. Expiry is judged when
a link is used; sweeping only frees the space.
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

_GONE = "This link has expired or does not exist."
_TOKEN = re.compile(r"[0-9A-Za-z_-]{43}")
"""256 bits in URL-safe base64."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that waits for its download."""

    content: bytes
    mime_type: str
    filename: str

    def pack(self) -> bytes:
        """Write the file and its labels as one piece: a line of JSON, then the bytes."""
        return json.dumps([self.mime_type, self.filename]).encode() + b"\n" + self.content

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """Read what `pack` wrote."""
        labels, _, content = packed.partition(b"\n")
        mime_type, filename = json.loads(labels)
        return cls(content, mime_type, filename)


@dataclass(frozen=True, slots=True)
class Link:
    """A link that was just made."""

    token: str
    expires_at: datetime
    size_bytes: int


class LinkStore(Protocol):
    """Where files wait: each is gone, for whoever asks, once its lifetime is over."""

    def put(self, name: str, packed: bytes, lifetime: timedelta) -> datetime:
        """Keep a file under a name, and tell when it will be gone.

        Raises:
            ServerBusy: It cannot be kept now.
        """

    def get(self, name: str) -> bytes | None:
        """Find a file whose lifetime is not over.

        Raises:
            ServerBusy: The store does not answer.
        """

    def close(self) -> None:
        """Close every connection."""


class Links:
    """Makes links and follows them."""

    def __init__(self, store: LinkStore) -> None:
        self._store = store

    @classmethod
    def open(cls, settings: AccountSettings, clock: Clock = utc_now) -> Self:
        """Keep files in the Redis that the settings name, or in HOME.

        Args:
            settings: Where files are kept.
            clock: Tells the time for files in HOME; Redis has its own.
        """
        from mediakit.accounts.link_stores import FolderStore, RedisStore

        if settings.redis_url:
            return cls(RedisStore(settings.redis_url))
        return cls(FolderStore(settings.home / "links", clock))

    def close(self) -> None:
        """Close every connection."""
        self._store.close()

    def store(self, content: bytes, mime_type: str, filename: str) -> Link:
        """Keep a file for 15 minutes.

        Raises:
            ServerBusy: There is no room for it, or the store does not answer.
        """
        token = secrets.token_urlsafe(32)
        packed = StoredFile(content, mime_type, filename).pack()
        return Link(token, self._store.put(_name(token), packed, LIFETIME), len(content))

    def fetch(self, token: str) -> StoredFile:
        """Find the file of a link.

        Raises:
            NotFound: The link has expired, or never was.
            ServerBusy: The store does not answer.
        """
        packed = self._store.get(_name(token)) if _TOKEN.fullmatch(token) else None
        if packed is None:
            raise NotFound(_GONE)
        return StoredFile.unpack(packed)


def _name(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
