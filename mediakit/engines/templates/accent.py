"""The accent color of a template, and variants of it that are readable."""

from collections.abc import Iterator

from mediakit.engines.colors import TEXT_CONTRAST, contrast_ratio

INK = "#101418"
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


def _text_on(color: str) -> str:
    return "#ffffff" if contrast_ratio(color, "#ffffff") >= LARGE_TEXT_CONTRAST else INK


def _darker(color: str) -> Iterator[str]:
    for percent in range(100, -1, -4):
        yield "#" + bytes(value * percent // 100 for value in bytes.fromhex(color[1:])).hex()


def _lighter(color: str) -> Iterator[str]:
    for percent in range(100, -1, -4):
        yield "#" + bytes(255 - (255 - value) * percent // 100 for value in bytes.fromhex(color[1:])).hex()
