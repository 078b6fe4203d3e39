"""The Redis that servers share, for rate limits and links."""

from typing import TYPE_CHECKING, TypedDict

from mediakit.errors import InvalidInput, MediakitError

if TYPE_CHECKING:
    from redis import Redis


class RedisOptions(TypedDict):
    """How long Redis is waited for, in seconds."""

    socket_timeout: float
    socket_connect_timeout: float


REDIS_OPTIONS: RedisOptions = {"socket_timeout": 2.0, "socket_connect_timeout": 1.0}


PREFIX = "mediakit"
"""Begins the name of every key, so that a Redis can be shared with others."""


def namespace(kind: str) -> str:
    """Give what the names of one kind of key begin with."""
    return f"{PREFIX}:{kind}"


def check_redis_url(url: str) -> str:
    """Take the address of a Redis.

    Raises:
        InvalidInput: It is not an address of Redis.
        MediakitError: The redis package is not installed.
    """
    if not url.startswith(("redis://", "rediss://")):
        raise InvalidInput("redis_url: use redis://HOST:PORT/NUMBER, or rediss:// for TLS.")
    try:
        import redis  # noqa: F401 - only to say in time what is missing
    except ModuleNotFoundError as error:
        raise MediakitError("Redis needs a driver: pip install 'mediakit[redis]'") from error
    return url


def connect(url: str) -> "Redis":
    """Make a client of the Redis at an address; it connects when it is used."""
    check_redis_url(url)
    from redis import Redis

    return Redis.from_url(url, **REDIS_OPTIONS)
