"""The accent colour, and what can be read on it and in it."""

from collections.abc import Iterator

INK = "#101418"
READABLE = 4.5
"""Contrast that text needs against its background (WCAG 2.2, 1.4.3)."""
VISIBLE = 3
"""Contrast that large text and shapes need (WCAG 2.2, 1.4.3 and 1.4.11)."""
NIGHT = "#0b0d12"
"""The background of dark templates."""


def variables(accent: str) -> str:
    """Write the CSS variables of an accent: itself, text upon it, a shade of it for white and a tint for night."""
    text = "#ffffff" if contrast(accent, "#ffffff") >= VISIBLE else INK
    shade = next(shade for shade in _darker(accent) if contrast(shade, "#ffffff") >= READABLE)
    button = shade if text == "#ffffff" else "#ffffff"
    bright = next(bright for bright in _lighter(accent) if contrast(bright, NIGHT) >= VISIBLE)
    on_bright = "#ffffff" if contrast(bright, "#ffffff") >= VISIBLE else INK
    lights = f"--bright:{bright};--on-bright:{on_bright};"
    return f"{lights}--accent:{accent};--on-accent:{text};--on-button:{button};--accent-ink:{shade};"


def contrast(one: str, other: str) -> float:
    """Give the contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (value / 255 for value in bytes.fromhex(colour[1:]))
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _darker(colour: str) -> Iterator[str]:
    for percent in range(100, -1, -4):
        yield "#" + bytes(value * percent // 100 for value in bytes.fromhex(colour[1:])).hex()


def _lighter(colour: str) -> Iterator[str]:
    for percent in range(100, -1, -4):
        yield "#" + bytes(255 - (255 - value) * percent // 100 for value in bytes.fromhex(colour[1:])).hex()
