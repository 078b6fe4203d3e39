"""Cross-origin requests (CORS): which web pages may call the API from a browser."""

from collections.abc import Sequence

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

METHODS = ("DELETE", "GET", "HEAD", "POST")
EXPOSED_HEADERS = (
    "Accept-Ranges",
    "Content-Disposition",
    "Content-Range",
    "ETag",
    "Idempotency-Replayed",
    "Location",
    "Preference-Applied",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "X-Mediakit-Meta",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-Request-Id",
)
"""Response headers that the scripts of other origins can read."""

PREFLIGHT_SECONDS = 3600
"""Time for which a browser remembers that it may call the API."""


def cors_middleware(origins: Sequence[str]) -> list[Middleware]:
    """Return the middleware that answers browsers, or none without origins.

    Browsers never send cookies with such requests, so a page of another origin cannot use the dashboard.
    """
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=METHODS,
            allow_headers=["*"],
            expose_headers=EXPOSED_HEADERS,
            max_age=PREFLIGHT_SECONDS,
        )
    ]
