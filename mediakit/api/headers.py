"""Header values with parameters, what a client prefers (RFC 9110, section 12.5), and the id and log line of a request.

Values such as `form-data; name="file"` are parsed in linear time: `email.message` needs seconds for a header of some
kilobytes of semicolons, and its codecs raise for some charsets.
"""

import logging
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from starlette.requests import Request
from starlette.types import Scope

_PARAMETER = re.compile(r'\s*;\s*([\w!#$%&\'*+.^`|~-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;"]*)|\s*;', re.ASCII | re.DOTALL)
_ESCAPED = re.compile(r'\\(["\\])')
_ENCODED = re.compile(r"(utf-8|iso-8859-1)'[^']*'(.*)", re.ASCII | re.IGNORECASE | re.DOTALL)


def parse_header(header: str) -> tuple[str, dict[str, str]]:
    """Return the value of a header in lower case, and its parameters by lower-case name.

    The first one of a name counts, and `name*` (RFC 8187) counts more than `name`; charsets other than UTF-8 and
    ISO-8859-1 are ignored. What follows a malformed parameter is ignored.
    """
    value, separator, rest = header.partition(";")
    found: dict[str, str] = {}
    text, position = separator + rest, 0
    while match := _PARAMETER.match(text, position):
        position = match.end()
        if match[1]:
            text_of = match[2]
            is_quoted = text_of.startswith('"')
            found.setdefault(match[1].lower(), _ESCAPED.sub(r"\1", text_of[1:-1]) if is_quoted else text_of.strip())
    encoded = {name[:-1]: _ENCODED.fullmatch(value) for name, value in found.items() if name.endswith("*")}
    decoded = {name: unquote_to_bytes(each[2]).decode(each[1], "replace") for name, each in encoded.items() if each}
    return value.strip().lower(), found | decoded


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
            with suppress(ValueError):  # else the weight is 0
                found[value] = 0.0
                found[value] = min(max(float(parameters.get("q", "1")), 0.0), 1.0)
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


_ETAG = re.compile(r'"[^"]*"')


def is_known(request: Request, tag: str) -> bool:
    """Return whether the client has a version of a resource (`If-None-Match`; RFC 9110, section 13.1.2).

    A tag is compared without `W/`, because proxies that compress a response make its tag weak.
    """
    known = ",".join(request.headers.getlist("if-none-match"))
    return known.strip() == "*" or tag.removeprefix("W/") in _ETAG.findall(known)


def header_of(scope: Scope, name: bytes) -> str:
    """Return the values of a request header, joined by commas; empty without the header."""
    return ",".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)


log = logging.getLogger("mediakit.api")

REQUEST_ID_HEADER = b"x-request-id"


def new_request_id() -> str:
    """Return an id for a request that has none."""
    return secrets.token_hex(8)


def log_request(method: str, path: str, status: int, seconds: float, request_id: str) -> None:
    """Log a response. The path is that of the route, because links and sign-ins have secrets in their paths.

    A request that could not be parsed has the method `-` and the path `unknown`.
    """
    milliseconds = round(seconds * 1000, 1)
    fields = {"method": method, "path": path, "status": status, "milliseconds": milliseconds, "request_id": request_id}
    log.info("%s %s %d %.0f ms id=%s", method, path, status, milliseconds, request_id, extra=fields)
