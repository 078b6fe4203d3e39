"""Colours that scanners do not like."""

from typing import TypedDict

ENOUGH_CONTRAST = 3.0
"""Contrast ratio (WCAG 2) from which on five readers read a code as well as in black and white."""


class Warn(TypedDict):
    """Something that may keep a scanner from reading a code."""

    code: str
    message: str


def colour_warnings(dark: str, light: str) -> list[Warn]:
    """Say what is wrong with the colours of a code, each six hexadecimal digits after `#`."""
    if (dark, light) == ("#000000", "#ffffff"):
        return []
    dark_luminance, light_luminance = _luminance(dark), _luminance(light)
    high, low = max(dark_luminance, light_luminance), min(dark_luminance, light_luminance)
    contrast, found = (high + 0.05) / (low + 0.05), list[Warn]()
    if contrast < ENOUGH_CONTRAST:
        message = f"dark, light: their contrast is {contrast:.1f}; scanners need {ENOUGH_CONTRAST:.0f} or more."
        found.append({"code": "low_contrast", "message": message})
    if dark_luminance > light_luminance:
        message = "dark, light: the code is lighter than its background; many scanners read only dark on light."
        found.append({"code": "inverted", "message": message})
    return found


def _luminance(color: str) -> float:
    """Give the relative luminance (WCAG 2), 0 to 1."""
    red, green, blue = (_linear(value / 255) for value in bytes.fromhex(color[1:]))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
