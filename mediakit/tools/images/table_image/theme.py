"""The looks of a table: colors and lines. Every text has a contrast of at least 4.5 (WCAG 2.2, 1.4.3)."""

from dataclasses import dataclass, replace
from typing import Literal

from mediakit.engines.colors import TEXT_CONTRAST, contrast_ratio, luminance, mix

ThemeName = Literal["light", "dark", "minimal", "striped", "grid"]

INK, WHITE, BLACK = "#16191f", "#ffffff", "#000000"
MIDDLE_LUMINANCE = 0.18
"""Black and white texts contrast equally with a background of this relative luminance."""

MIXING_STEPS = 20
SHAPE_CONTRAST = 3.0
"""Minimum contrast of bars and lines with the background (WCAG 2.2, 1.4.11)."""


@dataclass(frozen=True)
class Theme:
    """Colors, and the lines that are drawn."""

    background: str
    strong: str
    """Title, header and totals."""
    text: str
    muted: str
    """Subtitle, units, notes."""
    rule: str
    """Lines between rows."""
    frame: str
    """Lines below the header, above the total and at the end."""
    band: str = ""
    """Background of every second row; empty for none."""
    header: str = ""
    """Background of the header; empty for none."""
    group: str = ""
    """Background of the headings of groups; empty for none."""
    has_rules: bool = True
    has_columns: bool = False
    """Whether lines separate the columns."""
    is_framed: bool = False
    """Whether lines or bands begin at the sides of the table, so that texts above and below are indented."""
    has_mark: bool = True
    """Whether a short bar in the accent color is above the title."""
    frame_width: float = 1.5


_LIGHT = Theme(background="#ffffff", strong=INK, text="#2b303a", muted="#5a6372", rule="#e3e6eb", frame=INK)
_PLAIN = replace(_LIGHT, has_rules=False, frame_width=1)

THEMES: dict[ThemeName, Theme] = {
    "light": _LIGHT,
    "dark": Theme(
        background="#14171c",
        strong="#f4f6f9",
        text="#d5dae2",
        muted="#99a2b0",
        rule="#2b313b",
        frame="#8791a1",
    ),
    "minimal": replace(_PLAIN, frame="#aab1bd", has_mark=False),
    "striped": replace(_PLAIN, muted="#555e6c", frame="#c3c9d3", band="#f3f5f8", is_framed=True),
    "grid": replace(
        _LIGHT,
        muted="#555e6c",
        rule="#cfd5dd",
        frame="#cfd5dd",
        header="#eef1f5",
        group="#f6f8fa",
        is_framed=True,
        has_columns=True,
        has_mark=False,
        frame_width=1,
    ),
}


def text_on(color: str) -> str:
    """Return a text color with a contrast of at least 4.5 to a color."""
    return next(text for text in (INK, WHITE, BLACK) if contrast_ratio(text, color) >= TEXT_CONTRAST)


def readable(color: str, *backgrounds: str, minimum: float = TEXT_CONTRAST) -> str:
    """Return a color, mixed with black or white as far as its contrast to all backgrounds requires."""
    toward = BLACK if luminance(backgrounds[0]) > MIDDLE_LUMINANCE else WHITE
    for step in range(MIXING_STEPS):
        mixed = mix(toward, color, step / MIXING_STEPS)
        if all(contrast_ratio(mixed, background) >= minimum for background in backgrounds):
            return mixed
    return toward
