"""Addresses of redirects, as pages of search results and mails have them, whose query holds the real address."""

from collections.abc import Mapping
from urllib.parse import parse_qs, urljoin, urlsplit

import pybase64

MAX_ADDRESS_CHARACTERS = 10_000

_REDIRECTS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("bing.com", "/ck/a"): ("u",),
    ("google.com", "/url"): ("q", "url"),
    ("duckduckgo.com", "/l/"): ("uddg",),
    ("l.facebook.com", "/l.php"): ("u",),
    ("youtube.com", "/redirect"): ("q",),
    ("safelinks.protection.outlook.com", "/"): ("url",),
}
"""Fields of the query with the real address, by the end of the host's name and the path."""

_TARGETS = ("https://", "http://", "/", "javascript:")
"""What targets begin with. Links to scripts are not written."""

_BASE64_MARK = "a1"
"""What base64 begins with in addresses of Bing."""


def target_of(address: str) -> str:
    """Return the address that a redirect leads to. Any other address is returned unchanged."""
    if "?" not in address or len(address) > MAX_ADDRESS_CHARACTERS:
        return address
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").removeprefix("www.")
        names = next((names for (end, path), names in _REDIRECTS.items() if _is(host, end) and parts.path == path), ())
        query = parse_qs(parts.query) if names else {}
    except ValueError:
        return address
    targets = (_decoded(query[name][0]) for name in names if name in query)
    return next((urljoin(address, target) for target in targets if target.startswith(_TARGETS)), address)


def _is(host: str, end: str) -> bool:
    return host == end or host.endswith(f".{end}")


def _decoded(value: str) -> str:
    """Return an address that may be in base64 after a mark."""
    if not value.startswith(_BASE64_MARK):
        return value
    text = value.removeprefix(_BASE64_MARK)
    try:
        return pybase64.b64decode(text + "=" * (-len(text) % 4), altchars="-_").decode()
    except ValueError:
        return value
