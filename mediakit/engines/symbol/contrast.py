"""Warnings about colors that scanners cannot read reliably."""

from mediakit.results.warning import ResultWarning

MIN_CONTRAST_RATIO = 3.0
"""Contrast ratio (WCAG 2) above which five readers decode colored codes as reliably as black on white."""


def color_warnings(dark: str, light: str) -> list[ResultWarning]:
    """Return warnings about the colors of a code, each written as `#rrggbb`."""
    if (dark, light) == ("#000000", "#ffffff"):
        return []
    contrast, found = contrast_ratio(dark, light), list[ResultWarning]()
    if contrast < MIN_CONTRAST_RATIO:
        message = (
            f"dark, light: contrast is {contrast:.1f}; scanners need a contrast of {MIN_CONTRAST_RATIO:.0f} or more."
        )
        found.append({"code": "low_contrast", "message": message})
    if is_lighter(dark, light):
        message = "dark, light: the code is lighter than its background; many scanners read only dark on light."
        found.append({"code": "inverted", "message": message})
    return found


def contrast_ratio(one: str, other: str) -> float:
    """Return the contrast ratio (WCAG 2) of two colors, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def is_lighter(color: str, than: str) -> bool:
    """Return whether a color has a higher luminance than another one."""
    return _luminance(color) > _luminance(than)


def _luminance(color: str) -> float:
    """Return the relative luminance (WCAG 2), 0 to 1."""
    red, green, blue = (_linear(value / 255) for value in bytes.fromhex(color[1:]))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
