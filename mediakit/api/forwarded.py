"""The external base URL of a request, from the `X-Forwarded-*` headers of a reverse proxy."""

import re

from starlette.requests import Request

_PATH = re.compile(r"(/[\w.~%@:+-]+)+")


def external_base_url(request: Request) -> str:
    """Return the base URL under which the client reached this app, without a trailing slash."""
    base = request.base_url
    # In a chain of proxies, the first value is from the proxy that the client connected to.
    scheme = request.headers.get("x-forwarded-proto", "").partition(",")[0].strip()
    if scheme in ("http", "https"):
        base = base.replace(scheme=scheme)
    return f"{str(base).rstrip('/')}{forwarded_prefix(request)}"


def forwarded_prefix(request: Request) -> str:
    """Return the path prefix that a proxy strips, without a trailing slash; empty if there is none."""
    prefix = request.headers.get("x-forwarded-prefix", "").rstrip("/")
    return prefix if _PATH.fullmatch(prefix) else ""
