"""Header fields with the rate limit of a key, in responses of tools."""

from starlette.types import Scope

from mediakit.accounts import RateStatus
from mediakit.accounts.rate_limits import WINDOW_SECONDS

RATE_KEY = "mediakit.rate"
"""Key of the `RateStatus` in the ASGI scope of a call, or of None if the key has no rate limit."""


def rate_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Return the header fields of a response, empty for requests that are not counted.

    `RateLimit` and `RateLimit-Policy` follow draft-ietf-httpapi-ratelimit-headers-10: quota q per window of w seconds,
    r requests remaining for the next t seconds.
    """
    rate: RateStatus | None = scope.get(RATE_KEY)
    if rate is None:
        return []
    return [
        (b"ratelimit-policy", b'"requests";q=%d;w=%d' % (rate.limit, WINDOW_SECONDS)),
        (b"ratelimit", b'"requests";r=%d;t=%d' % (rate.remaining, rate.reset_seconds)),
        (b"x-ratelimit-limit", b"%d" % rate.limit),
        (b"x-ratelimit-remaining", b"%d" % rate.remaining),
        (b"x-ratelimit-reset", b"%d" % rate.reset_seconds),
    ]
