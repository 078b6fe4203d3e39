"""The accent color of a template, and variants of it that are readable."""

from collections.abc import Iterator

INK = "#101418"
TEXT_CONTRAST = 4.5
"""Minimum contrast of text and background (WCAG 2.2, 1.4.3)."""
LARGE_TEXT_CONTRAST = 3
"""Minimum contrast of large text and shapes (WCAG 2.2, 1.4.3 and 1.4.11)."""
DARK_BACKGROUND = "#0b0d12"
"""The background of dark templates."""


def css_variables(accent: str) -> str:
    """Return the CSS variables of an accent color.

    They are the color itself, a text color for it, a darker shade for white backgrounds and a lighter tint for dark
    backgrounds.
    """
    text = _text_on(accent)
    shade = next(shade for shade in _darker(accent) if contrast_ratio(shade, "#ffffff") >= TEXT_CONTRAST)
    button = shade if text == "#ffffff" else "#ffffff"
    bright = next(tint for tint in _lighter(accent) if contrast_ratio(tint, DARK_BACKGROUND) >= LARGE_TEXT_CONTRAST)
    bright_variables = f"--bright:{bright};--on-bright:{_text_on(bright)};"
    return f"{bright_variables}--accent:{accent};--on-accent:{text};--on-button:{button};--accent-ink:{shade};"


def contrast_ratio(one: str, other: str) -> float:
    """Return the contrast ratio of two colors, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _text_on(color: str) -> str:
    return "#ffffff" if contrast_ratio(color, "#ffffff") >= LARGE_TEXT_CONTRAST else INK


def _luminance(color: str) -> float:
    channels = (value / 255 for value in bytes.fromhex(color[1:]))
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _darker(color: str) -> Iterator[str]:
    for percent in range(100, -1, -4):
        yield "#" + bytes(value * percent // 100 for value in bytes.fromhex(color[1:])).hex()


def _lighter(color: str) -> Iterator[str]:
    for percent in range(100, -1, -4):
        yield "#" + bytes(255 - (255 - value) * percent // 100 for value in bytes.fromhex(color[1:])).hex()
