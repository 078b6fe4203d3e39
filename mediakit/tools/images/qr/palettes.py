"""Named color palettes of QR codes. Both colors of every palette have a contrast of 4.5 or more with its background."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

PaletteName = Literal["ink", "graphite", "ocean", "forest", "earth", "sunset", "berry", "aurora"]


class Palette(NamedTuple):
    """The colors of a QR code, each as `#rrggbb`."""

    dark: str
    """Color of the modules."""
    light: str
    """Color of the background."""
    gradient: str | None = None
    """Color at the end of the gradient; None for a single color."""


PALETTES: Mapping[PaletteName, Palette] = {
    "ink": Palette("#111827", "#ffffff"),
    "graphite": Palette("#272e3a", "#f3f5f8", "#4f5563"),
    "ocean": Palette("#0b2e59", "#f0f9ff", "#0e7490"),
    "forest": Palette("#14432a", "#f6fbf2", "#3f7d20"),
    "earth": Palette("#3e2723", "#f6efe6"),
    "sunset": Palette("#86198f", "#fff7ed", "#c2410c"),
    "berry": Palette("#4c1d95", "#fdf4ff", "#be185d"),
    "aurora": Palette("#3730a3", "#ffffff", "#0f766e"),
}
