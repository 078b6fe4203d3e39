"""The Redis client, for rate limits and links of several servers."""

from typing import TYPE_CHECKING

from mediakit.errors import InvalidInput
from mediakit.installation import required

if TYPE_CHECKING:
    from redis import Redis

RESPONSE_SECONDS = 2.0
CONNECT_SECONDS = 1.0

KEY_PREFIX = "mediakit"
"""Prefix of all keys, so that other programs can use the same Redis."""


def key_prefix(kind: str) -> str:
    """Return the prefix of the keys of one kind."""
    return f"{KEY_PREFIX}:{kind}"


def connect(url: str) -> "Redis":
    """Return a client of the Redis at a URL. It connects on first use.

    Raises:
        InvalidInput: The URL is not for Redis.
        MissingPackage: The redis package is not installed.
    """
    if not url.startswith(("redis://", "rediss://")):
        raise InvalidInput("MEDIAKIT_REDIS_URL: must be redis://HOST:PORT/NUMBER, or rediss:// for TLS.")
    with required("MEDIAKIT_REDIS_URL: Redis", "redis", extra="redis"):
        from redis import Redis
    return Redis.from_url(url, socket_timeout=RESPONSE_SECONDS, socket_connect_timeout=CONNECT_SECONDS)
