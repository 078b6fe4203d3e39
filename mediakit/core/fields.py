"""Field types that several tools share, each with its rule: CSS colors, URLs, HTML. `inputs.py` has those of files."""

import colorsys
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema

from mediakit.core.inputs import MEGABYTE
from mediakit.core.messages import quote
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import HtmlInput, TextRule

TRANSPARENT = "transparent"

MAX_LENGTH = 80
"""Characters of the longest color that is parsed."""

_HEX = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|([0-9a-f]{6})", re.ASCII)
_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^()]*)\)", re.ASCII)
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_COMPONENT = re.compile(rf"({_NUMBER})(%|deg|grad|rad|turn)?", re.ASCII)
_SEPARATOR = re.compile(r"\s*[,/]\s*|\s+", re.ASCII)
_ANGLES = {"": 360.0, "deg": 360.0, "grad": 400.0, "rad": math.tau, "turn": 1.0}
"""A full turn in each unit of angles."""


@dataclass(frozen=True)
class ValidatedAs:
    """Validates a field as a type that is narrower than its annotation, which is what Python callers may pass."""

    type: Any

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the type."""
        return handler.generate_schema(self.type)


def parse_color(text: str) -> str | None:
    """Return an opaque CSS color as `#rrggbb`; None if the text is not an opaque color.

    Accepts names (`tomato`), `#rgb`, `#rrggbb` (also without `#`), `rgb(255 99 71)` and `hsl(9deg 100% 64%)`, with
    spaces or commas. An alpha value must be 1.
    """
    folded = text.strip().lower()
    if len(folded) > MAX_LENGTH:
        return None
    if match := _HEX.fullmatch(folded):
        digits = match[1] or match[2]
        full = digits if len(digits) >= 6 else "".join(digit * 2 for digit in digits)
        return f"#{full[:6]}" if full[6:] in ("", "ff") else None
    if function := _FUNCTION.fullmatch(folded):
        return _from_function(function[1], _SEPARATOR.split(function[2].strip()))
    return _names().get(folded)


def color_error(text: str, *, transparent: bool = False) -> str:
    """Return the error message for text that is not a color, with the most similar color name."""
    import difflib

    folded = text[:MAX_LENGTH].strip().lower()
    match = difflib.get_close_matches(folded, _names(), n=1, cutoff=0.7)
    hint = f" Did you mean {quote(match[0])}?" if match else ""
    allowed = f' or "{TRANSPARENT}"' if transparent else ""
    return f'must be an opaque color such as "#1a2b3c", "tomato" or "rgb(255 99 71)"{allowed}, got {quote(text)}.{hint}'


def _from_function(name: str, parts: list[str]) -> str | None:
    components = [_COMPONENT.fullmatch(part) for part in parts]
    found = [(float(match[1]), match[2] or "") for match in components if match]
    if len(found) != len(parts) or len(parts) not in (3, 4):
        return None
    if len(found) == 4 and (found[3][1] not in ("", "%") or _share(*found[3], whole=1) < 1):
        return None
    (first, unit), *shares = found[:3]
    if any(each not in ("", "%") for _, each in shares):
        return None
    if name == "rgb" and unit in ("", "%"):
        rgb = tuple(_share(value, each, whole=255) for value, each in found[:3])
    elif name == "hsl" and unit in _ANGLES:
        saturation, lightness = (_share(value, each, whole=100) for value, each in shares)
        rgb = colorsys.hls_to_rgb(first / _ANGLES[unit] % 1, lightness, saturation)
    else:
        return None
    return "#" + "".join(f"{int(channel * 255 + 0.5):02x}" for channel in rgb)


def _share(value: float, unit: str, *, whole: float) -> float:
    """Return a number or a percentage as a share from 0 to 1."""
    return min(max(value / (100 if unit == "%" else whole), 0.0), 1.0)


def _names() -> Mapping[str, str]:
    """Return the named colors of CSS. `ImageColor` is imported here, because it imports Pillow."""
    from PIL import ImageColor

    # Pillow replaces the text of a color by a tuple once the color has been used.
    return {name: "#" + bytes(ImageColor.getrgb(name)[:3]).hex() for name in list(ImageColor.colormap)}


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


def _check_css_color(value: str, *, transparent: bool = False) -> str:
    is_transparent = transparent and value.strip().lower() == TRANSPARENT
    if color := TRANSPARENT if is_transparent else parse_color(value):
        return color
    raise ValueError(color_error(value, transparent=transparent))


def _check_html_bytes(value: str) -> str:
    if len(value) * 4 > MAX_HTML_BYTES and len(value.encode()) > MAX_HTML_BYTES:
        raise ValueError("must have at most 5 MB.")
    return value


def check_url(value: str) -> str:
    """Return the normalized URL of a web page or a file.

    Raises:
        ValueError: The text is not an http or https URL, or it contains a user name.
    """
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
    AfterValidator(partial(_check_css_color, transparent=True)),
    Field(json_schema_extra={"format": "color", "examples": ["#1a2b3c", TRANSPARENT]}),
]
"""An opaque CSS color, normalized to `#rrggbb`, or `transparent`."""

Html = Annotated[
    HtmlInput,
    TextRule("html"),
    Field(min_length=1, max_length=MAX_HTML_BYTES),
    AfterValidator(_check_html_bytes),
    Synonyms("source, content, markup, body, page, text"),
]
"""An HTML document or fragment of at most 5 MB (5,242,880 bytes of UTF-8)."""

PublicUrl = Annotated[
    str,
    Field(max_length=MAX_URL_LENGTH, json_schema_extra={"format": "uri", "x-kind": "url"}),
    AfterValidator(check_url),
    Synonyms("link, address, website, site, page, href, uri"),
]
"""URL of a public web page, at most 2048 characters; normalized as browsers do (WHATWG URL)."""

Password = Annotated[
    str,
    Field(min_length=1, max_length=127, json_schema_extra={"format": "password", "writeOnly": True}),
    Synonyms("pwd, passphrase, passcode"),
]
"""A password of a file. It is never logged, shown or accepted in a query string."""

Quality = Annotated[int, Field(ge=1, le=100), Synonyms("compression, jpeg_quality, q")]
WaitMs = Annotated[int, Field(ge=0, le=5000), Synonyms("wait, delay, delay_ms, sleep, pause, timeout")]
CssSelector = Annotated[str, Field(min_length=1, max_length=500)]

Language = Annotated[Literal["en", "es"], Synonyms("language, locale", {"en": "english", "es": "spanish, español"})]

Position = Literal["center", "top", "right top", "right", "right bottom", "bottom", "left bottom", "left", "left top"]
"""Places in an area: of two words, the one for the horizontal direction is first."""

_PLACE = re.compile("left|right|top|bottom|center|centre", re.IGNORECASE)


def normalize_position(value: Any) -> Any:
    """Return a position with its words in the documented order: `right bottom` for `bottom-right` or `BottomRight`.

    Other values are returned as they are.
    """
    if not isinstance(value, str) or _PLACE.sub("", value).strip(" -_,/"):
        return value
    given = [place.lower().replace("centre", "center") for place in _PLACE.findall(value)]
    words = [word for word in ("left", "right", "top", "bottom") if word in given] or given[:1]
    position = " ".join(words)
    return position if len(given) <= 2 and position in get_args(Position) else value


POSITION_SYNONYMS = Synonyms(
    "place, location, align, alignment, gravity, anchor, corner",
    {
        "center": "middle",
        "top": "north",
        "right top": "northeast, ne",
        "right": "east",
        "right bottom": "southeast, se",
        "bottom": "south",
        "left bottom": "southwest, sw",
        "left": "west",
        "left top": "northwest, nw",
    },
)

PositionField = Annotated[Position, BeforeValidator(normalize_position), POSITION_SYNONYMS]
"""A position. The words of a corner are accepted in both orders, with a space, a hyphen or nothing between them."""
