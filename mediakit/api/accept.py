"""Content negotiation: the media type or the coding that a client prefers (RFC 9110, section 12.5)."""

from collections.abc import Mapping
from functools import lru_cache

from starlette.types import Scope

from mediakit.api.header_values import parse_header

JSON = "application/json"
HTML = "text/html"
PROBLEM_JSON = "application/problem+json"

MAX_HEADER_LENGTH = 1000
"""The rest of a longer header is ignored."""


@lru_cache(maxsize=256)
def weights(header: str) -> Mapping[str, float]:
    """Return the values of an `Accept` or `Accept-Encoding` header in lower case, each with its weight from 0 to 1."""
    found: dict[str, float] = {}
    for part in header[:MAX_HEADER_LENGTH].split(","):
        value, parameters = parse_header(part)
        if value:
            found[value] = _weight(parameters.get("q", "1"))
    return found


def weight_of_type(accepted: Mapping[str, float], media_type: str) -> float:
    """Return the weight of a media type: its own, else that of its range (`text/*`), else that of `*/*`, else 0."""
    ranges = (media_type, f"{media_type.partition('/')[0]}/*", "*/*")
    return next((accepted[name] for name in ranges if name in accepted), 0.0)


def prefers_html(header: str) -> bool:
    """Return whether a client asks for HTML rather than JSON. Programs that accept anything get JSON."""
    accepted = weights(header)
    return accepted.get(HTML, 0) > 0 and accepted[HTML] >= weight_of_type(accepted, JSON)


def prefers_problem(header: str) -> bool:
    """Return whether a client asks for errors as problem details (RFC 9457), at least as much as for other JSON."""
    accepted = weights(header)
    return accepted.get(PROBLEM_JSON, 0) > 0 and accepted[PROBLEM_JSON] >= accepted.get(JSON, 0)


def header_of(scope: Scope, name: bytes) -> str:
    """Return the values of a request header, joined by commas; empty without the header."""
    return ",".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)


def _weight(text: str) -> float:
    try:
        return min(max(float(text), 0.0), 1.0)
    except ValueError:
        return 0.0
