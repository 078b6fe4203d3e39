"""The Redis client, for rate limits and links of several servers."""

from typing import TYPE_CHECKING, TypedDict

from mediakit.errors import InvalidInput
from mediakit.installation import required

if TYPE_CHECKING:
    from redis import Redis


class RedisOptions(TypedDict):
    """Timeouts in seconds."""

    socket_timeout: float
    socket_connect_timeout: float


REDIS_OPTIONS: RedisOptions = {"socket_timeout": 2.0, "socket_connect_timeout": 1.0}


KEY_PREFIX = "mediakit"
"""Prefix of all keys, so that other programs can use the same Redis."""


def key_prefix(kind: str) -> str:
    """Return the prefix of the keys of one kind."""
    return f"{KEY_PREFIX}:{kind}"


def check_redis_url(url: str) -> str:
    """Return a Redis URL.

    Raises:
        InvalidInput: The URL is not for Redis.
        MissingPackage: The redis package is not installed.
    """
    if not url.startswith(("redis://", "rediss://")):
        raise InvalidInput("MEDIAKIT_REDIS_URL: must be redis://HOST:PORT/NUMBER, or rediss:// for TLS.")
    with required("MEDIAKIT_REDIS_URL: Redis", "redis", extra="redis"):
        import redis  # noqa: F401  # fails early if it is not installed
    return url


def connect(url: str) -> "Redis":
    """Return a client of the Redis at a URL. It connects on first use."""
    check_redis_url(url)
    from redis import Redis

    return Redis.from_url(url, **REDIS_OPTIONS)
