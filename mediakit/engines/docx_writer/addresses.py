"""Addresses of hyperlinks, in the form that Word opens without repair."""

import re
from urllib.parse import quote, urlsplit, urlunsplit

MAX_CHARACTERS = 2000
"""Word reports a document as damaged if an address is longer than 2,083 characters."""

_SCHEMES = frozenset({"", "http", "https", "mailto", "tel", "ftp", "ftps", "sms", "xmpp", "geo"})
_KEPT = "!#$%&'()*+,/:;=?@[]~-._"
_BROKEN_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
_HOST = re.compile(r"[A-Za-z0-9._~%!$&'()*+,;=@:\[\]-]*")


def clean_address(address: str) -> str | None:
    """Return an address as an ASCII URI, or None if Word could not open a document that has it."""
    stripped = re.sub(r"[\x00-\x20\x7f]+", lambda found: "%20" if " " in found[0] else "", address.strip())
    try:
        parts = urlsplit(stripped)
        host = _ascii_host(parts.netloc)
        if parts.scheme.lower() not in _SCHEMES or host is None or (parts.netloc and parts.port == 0):
            return None
    except ValueError:
        return None
    if parts.scheme.lower() in ("http", "https", "ftp", "ftps") and not host:
        return None
    rest = (_escape(part).replace("[", "%5B").replace("]", "%5D") for part in parts[2:])
    path, query, fragment = rest
    cleaned = urlunsplit((parts.scheme, host, path, query, fragment.replace("#", "%23")))
    return cleaned if 0 < len(cleaned) <= MAX_CHARACTERS else None


def _escape(text: str) -> str:
    return quote(_BROKEN_ESCAPE.sub("%25", text), safe=_KEPT)


def _ascii_host(netloc: str) -> str | None:
    if not netloc.isascii():
        try:
            netloc = netloc.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    return netloc if _HOST.fullmatch(netloc) else None
