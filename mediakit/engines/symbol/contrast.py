"""Warnings about colors that scanners cannot read reliably."""

from mediakit.engines.colors import contrast_ratio, luminance
from mediakit.results.item import ResultWarning

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


def is_lighter(color: str, than: str) -> bool:
    """Return whether a color has a higher luminance than another one."""
    return luminance(color) > luminance(than)
