"""CSS colors: names, hexadecimal notations, `rgb()` and `hsl()`."""

import colorsys
import math
import re
from collections.abc import Mapping

from mediakit.core.messages import quote

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

Rgb = tuple[float, float, float]
"""Red, green and blue from 0 to 1."""


def parse_color(text: str) -> str | None:
    """Return an opaque CSS color as `#rrggbb`; None if the text is not an opaque color.

    Accepts names (`tomato`), `#rgb`, `#rrggbb` (also without `#`), `rgb(255 99 71)` and `hsl(9deg 100% 64%)`, with
    spaces or commas. An alpha value must be 1.
    """
    folded = text.strip().lower()
    if len(folded) > MAX_LENGTH:
        return None
    if digits := _HEX.fullmatch(folded):
        return _from_digits(digits[1] or digits[2])
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


def _from_digits(digits: str) -> str | None:
    full = digits if len(digits) >= 6 else "".join(digit * 2 for digit in digits)
    return f"#{full[:6]}" if full[6:] in ("", "ff") else None


def _from_function(name: str, parts: list[str]) -> str | None:
    components = [_COMPONENT.fullmatch(part) for part in parts]
    found = [(float(match[1]), match[2] or "") for match in components if match]
    if len(found) != len(parts) or len(parts) not in (3, 4):
        return None
    if len(found) == 4 and (found[3][1] not in ("", "%") or _share(*found[3], whole=1) < 1):
        return None
    rgb = (_from_rgb if name == "rgb" else _from_hsl)(found[:3])
    return rgb and "#" + "".join(f"{int(channel * 255 + 0.5):02x}" for channel in rgb)


def _from_rgb(parts: list[tuple[float, str]]) -> Rgb | None:
    if any(unit not in ("", "%") for _, unit in parts):
        return None
    red, green, blue = (_share(value, unit, whole=255) for value, unit in parts)
    return red, green, blue


def _from_hsl(parts: list[tuple[float, str]]) -> Rgb | None:
    (angle, unit), *shares = parts
    if unit not in _ANGLES or any(unit not in ("", "%") for _, unit in shares):
        return None
    saturation, lightness = (_share(value, unit, whole=100) for value, unit in shares)
    return colorsys.hls_to_rgb(angle / _ANGLES[unit] % 1, lightness, saturation)


def _share(value: float, unit: str, *, whole: float) -> float:
    """Return a number or a percentage as a share from 0 to 1."""
    return min(max(value / (100 if unit == "%" else whole), 0.0), 1.0)


def _names() -> Mapping[str, str]:
    """Return the named colors of CSS. `ImageColor` is imported here, because it imports Pillow."""
    from PIL import ImageColor

    # Pillow replaces the text of a color by a tuple once the color has been used.
    return {name: "#" + bytes(ImageColor.getrgb(name)[:3]).hex() for name in list(ImageColor.colormap)}
