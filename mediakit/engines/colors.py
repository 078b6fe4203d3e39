"""Colors as `#rrggbb`: luminance and contrast (WCAG 2.2), mixtures, and named palettes of eight colors each.

Any two colors of a palette differ by more than 6.5 (Oklab distance x 100) with normal, protan, deutan and tritan
vision. Each has a contrast of 3 with a white background; that of the first color is at least 4.5, also with a dark one.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

TEXT_CONTRAST = 4.5
"""Minimum contrast of text and background (WCAG 2.2, 1.4.3)."""


def contrast_ratio(one: str, other: str) -> float:
    """Return the contrast ratio of two colors, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)
def luminance(color: str) -> float:
    """Return the relative luminance of a color, 0 to 1."""
    values = (value / 255 for value in rgb(color))
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mix(color: str, background: str, opacity: float) -> str:
    """Return a color with an opacity on a background."""
    pairs = zip(rgb(color), rgb(background), strict=True)
    return "#" + bytes(round(above * opacity + below * (1 - opacity)) for above, below in pairs).hex()


def rgb(color: str) -> bytes:
    """Return red, green and blue of `#rrggbb`."""
    return bytes.fromhex(color[1:])


PaletteName = Literal["ocean", "forest", "sunset", "berry", "earth", "graphite"]
PALETTE_NAMES: tuple[PaletteName, ...] = get_args(PaletteName)


class Palette(NamedTuple):
    """The colors of a palette, by background."""

    light: tuple[str, ...]
    """Colors on light backgrounds."""
    dark: tuple[str, ...]
    """Colors on dark backgrounds."""


PALETTES: Mapping[str, Palette] = {
    name: Palette(tuple(colors["light"]), tuple(colors["dark"]))
    for name, colors in json.loads(Path(__file__).with_name("palettes.json").read_text("utf-8")).items()
}
