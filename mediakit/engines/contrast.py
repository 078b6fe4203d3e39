"""Luminance and contrast of colors (WCAG 2.2), and mixtures of two colors. Colors are written as `#rrggbb`."""

from functools import lru_cache

TEXT_CONTRAST = 4.5
"""Minimum contrast of text and background (WCAG 2.2, 1.4.3)."""


def contrast_ratio(one: str, other: str) -> float:
    """Return the contrast ratio of two colors, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)
def luminance(color: str) -> float:
    """Return the relative luminance of a color, 0 to 1."""
    red, green, blue = (_linear(value / 255) for value in rgb(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mix(color: str, background: str, opacity: float) -> str:
    """Return a color with an opacity on a background."""
    pairs = zip(rgb(color), rgb(background), strict=True)
    return "#" + bytes(round(above * opacity + below * (1 - opacity)) for above, below in pairs).hex()


def rgb(color: str) -> bytes:
    """Return red, green and blue of `#rrggbb`."""
    return bytes.fromhex(color[1:])


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
