"""Colors as `#rrggbb`: luminance and contrast (WCAG 2.2), mixtures, and named palettes of eight colors each.

Any two colors of a palette differ by more than 6.5 (Oklab distance x 100) with normal, protan, deutan and tritan
vision. Each has a contrast of 3 with a white background; that of the first color is at least 4.5, also with a dark one.
"""

from collections.abc import Mapping
from functools import lru_cache
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
    "ocean": Palette(
        ("#0d3a92", "#37a590", "#d45304", "#4c81c6", "#cf8303", "#7f94be", "#016e65", "#002259"),
        ("#5486e5", "#00d9bf", "#e7804f", "#b2dffe", "#ebb91c", "#41587a", "#6daaf7", "#4d7e6e"),
    ),
    "forest": Palette(
        ("#246c52", "#7a8e54", "#a46900", "#0b2a22", "#48a487", "#aa9402", "#693a0d", "#578a8d"),
        ("#648f6f", "#bee597", "#cd9201", "#4d6967", "#94c494", "#a05a0b", "#34abb8", "#e9b818"),
    ),
    "sunset": Palette(
        ("#b32325", "#be8c03", "#5e118a", "#db4521", "#df718e", "#1a2550", "#c34e97", "#9476dc"),
        ("#f4343f", "#fad075", "#9e8af9", "#fb8417", "#be5488", "#d69cb5", "#5871ca", "#7d3987"),
    ),
    "berry": Palette(
        ("#99255e", "#a15ee6", "#b58c5d", "#de6ea2", "#2945aa", "#848de4", "#df3047", "#3a025f"),
        ("#bc63a1", "#bfcbff", "#fcc789", "#6f67f0", "#f687ab", "#ec2d49", "#b091ff", "#543dad"),
    ),
    "earth": Palette(
        ("#803d10", "#d67137", "#28433a", "#2b6894", "#996302", "#818276", "#2f5a64", "#2f2215"),
        ("#b17161", "#fbb340", "#9cb089", "#4090a9", "#e3810f", "#ddd0af", "#68c0d5", "#615137"),
    ),
    "graphite": Palette(
        ("#272e3a", "#e05f0a", "#7d7f8a", "#3d5dcc", "#599757", "#8a93b3", "#a78f87", "#4f5563"),
        ("#d0e0f2", "#e08b21", "#9098af", "#2979f1", "#80c9ba", "#747883", "#f8cb65", "#4c4f55"),
    ),
}
