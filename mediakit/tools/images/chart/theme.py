"""Themes: the colors of a chart.

Any two of the ten colors of a palette differ by more than 8.5 (Oklab distance x 100) with normal, protan, deutan and
tritan vision, simulated by the model of Machado, Oliveira and Fernandes (2009). Okabe and Ito's ten colors reach 1.9.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mediakit.core.fields import TRANSPARENT
from mediakit.engines.colors import PALETTES, PaletteName, luminance, mix

ThemeName = Literal["light", "dark"]

REPEAT_OPACITY, TINT_OPACITY, SOFT_OPACITY = 0.74, 0.1, 0.78
"""Opacity of a palette color when the palette repeats, of a tinted area, and of a stacked area."""

MIDDLE_LUMINANCE = 0.18
"""Black and white texts contrast equally with a background of this relative luminance."""

CUSTOM_LINE_OPACITIES = (0.76, 0.12, 0.18, 0.5)
"""Opacity of texts, grid lines, the lines of a radar chart and the zero line on a background color of its own."""

DARK_TEXT_LUMINANCE = 0.3
"""Minimum relative luminance of a color for dark text on it. Text on darker colors is white."""


@dataclass(frozen=True)
class Theme:
    """The colors of a theme, by purpose."""

    background: str
    strong: str
    """Title and values."""
    text: str
    grid: str
    web: str
    """Grid lines of a radar chart; darker than `grid`, because slanted lines look paler."""
    zero: str
    """The zero line."""
    palette: tuple[str, ...]

    is_dark: bool = False

    def colors(self, count: int, palette: Sequence[str] | PaletteName | None) -> list[str]:
        """Return `count` colors of a palette. If the palette has fewer colors, it is repeated in paler colors."""
        base = self.base_colors(palette)
        return [
            mix(base[index % len(base)], self.background, REPEAT_OPACITY ** (index // len(base)))
            for index in range(count)
        ]

    def base_colors(self, palette: Sequence[str] | PaletteName | None) -> Sequence[str]:
        """Return the colors of a palette: a list, a name, or None for the palette of the theme."""
        if isinstance(palette, str):
            return PALETTES[palette].dark if self.is_dark else PALETTES[palette].light
        return palette or self.palette

    def soft(self, color: str) -> str:
        """Return a calmer color, for large areas."""
        return mix(color, self.background, SOFT_OPACITY)

    def tint(self, color: str) -> str:
        """Return a light tint of a color, for areas."""
        return mix(color, self.background, TINT_OPACITY)


THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        background="#ffffff",
        strong="#16191f",
        text="#4c5361",
        grid="#e6e8ec",
        web="#d9dce2",
        zero="#8b93a1",
        palette=(
            "#4f41f1", "#c45619", "#368973", "#85447a", "#c28a0c",
            "#9486f0", "#77252c", "#5d3eb1", "#2ca872", "#9e78af",
        ),
    ),
    "dark": Theme(
        background="#14171c",
        strong="#f2f4f7",
        text="#a9b0bc",
        grid="#2a2f38",
        web="#353b46",
        zero="#79818f",
        palette=(
            "#7b82f7", "#f57a2a", "#59d5c5", "#b7649f", "#f5c53b",
            "#ada5fa", "#b84851", "#7d5adc", "#57ba7e", "#bb92bd",
        ),
        is_dark=True,
    ),
}  # fmt: skip


def theme_on(background: str | None, name: ThemeName) -> Theme:
    """Return a theme; on a background of its own, unless that is transparent, the one whose texts contrast more."""
    if background is None or background == TRANSPARENT:
        return THEMES[name]
    base = THEMES["light" if luminance(background) > MIDDLE_LUMINANCE else "dark"]
    text, grid, web, zero = (mix(base.strong, background, opacity) for opacity in CUSTOM_LINE_OPACITIES)
    return replace(base, background=background, text=text, grid=grid, web=web, zero=zero)


def text_color_on(color: str) -> str:
    """Return the text color that is readable on a color."""
    return "#16191f" if luminance(color) > DARK_TEXT_LUMINANCE else "#ffffff"
