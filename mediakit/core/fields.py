"""Field types that several tools share, each with its rule. `files.py` has those of files."""

import re
from typing import Annotated, Literal

from mediakit.core.colors import TRANSPARENT, color_error, parse_color
from mediakit.core.files import MEGABYTE
from mediakit.core.rules import AfterValidator, Field

MAX_HTML_BYTES = 5 * MEGABYTE
MAX_URL_LENGTH = 2048

_WEB_URL = re.compile(r"https?://[^/]", re.ASCII | re.IGNORECASE)
_AUTHORITY_END = re.compile("[/?#]")
_FORBIDDEN_IN_URL = re.compile(r"[\x00-\x20\x7f-\xa0\\\s]")
"""Control characters, spaces and backslashes: browsers drop or change them, so they would open another URL."""
_HEX_COLOR = re.compile(r"#?[0-9a-fA-F]{6}", re.ASCII)


def _check_color(value: str) -> str:
    if not _HEX_COLOR.fullmatch(value):
        raise ValueError(f'must be six hexadecimal digits such as "#1a2b3c", got {value[:20]!r}.')
    return f"#{value.removeprefix('#').lower()}"


def _check_css_color(value: str) -> str:
    if color := parse_color(value):
        return color
    raise ValueError(color_error(value))


def _check_css_color_or_transparent(value: str) -> str:
    folded = value.strip().lower()
    if color := TRANSPARENT if folded == TRANSPARENT else parse_color(value):
        return color
    raise ValueError(color_error(value, transparent=True))


def _check_html_bytes(value: str) -> str:
    if len(value) * 4 > MAX_HTML_BYTES and len(value.encode()) > MAX_HTML_BYTES:
        raise ValueError("must have at most 5 MB.")
    return value


def _check_url(value: str) -> str:
    text = value.strip()
    if not _WEB_URL.match(text):
        raise ValueError("must begin with http:// or https:// and a host.")
    if _FORBIDDEN_IN_URL.search(text):
        raise ValueError("must have no spaces, control characters or backslashes; percent-encode them.")
    if "@" in _AUTHORITY_END.split(text.partition("//")[2], maxsplit=1)[0]:
        raise ValueError("must have no user name and no password.")
    import can_ada

    try:
        return can_ada.parse(text).href
    except ValueError:
        raise ValueError("is not a valid URL; check its host and its port.") from None


HexColor = Annotated[
    str, AfterValidator(_check_color), Field(json_schema_extra={"pattern": "^#?[0-9a-fA-F]{6}$", "format": "color"})
]
"""Six hexadecimal digits, with or without `#`; normalized to `#` and lower case.

Over HTTP it takes nothing else. Python, the shell and forms convert CSS colors before (`Tool.with_hex_colors`).
"""

Color = Annotated[
    str,
    AfterValidator(_check_css_color),
    Field(json_schema_extra={"format": "color", "examples": ["#1a2b3c", "tomato", "rgb(255 99 71)"]}),
]
"""An opaque CSS color; normalized to `#rrggbb`."""

ColorOrTransparent = Annotated[
    str,
    AfterValidator(_check_css_color_or_transparent),
    Field(json_schema_extra={"format": "color", "examples": ["#1a2b3c", TRANSPARENT]}),
]
"""An opaque CSS color, normalized to `#rrggbb`, or `transparent`."""

Html = Annotated[
    str,
    Field(min_length=1, max_length=MAX_HTML_BYTES, json_schema_extra={"x-kind": "html"}),
    AfterValidator(_check_html_bytes),
]
"""An HTML document or fragment of at most 5 MB (5,242,880 bytes of UTF-8)."""

PublicUrl = Annotated[
    str,
    Field(max_length=MAX_URL_LENGTH, json_schema_extra={"format": "uri", "x-kind": "url"}),
    AfterValidator(_check_url),
]
"""URL of a public web page, at most 2048 characters; normalized as browsers do (WHATWG URL)."""

Password = Annotated[
    str, Field(min_length=1, max_length=127, json_schema_extra={"format": "password", "writeOnly": True})
]
"""A password of a file. It is never logged, shown or accepted in a query string."""

Quality = Annotated[int, Field(ge=1, le=100)]
WaitMs = Annotated[int, Field(ge=0, le=5000)]
CssSelector = Annotated[str, Field(min_length=1, max_length=500)]

Language = Literal["en", "es"]
