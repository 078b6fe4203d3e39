"""Themes: the colours of everything in a chart.

The palettes hold ten colours whose differences stay above 8.5 (Oklab, in hundredths) for normal, protan, deutan and
tritan eyes alike, by the model of Machado, Oliveira and Fernandes (2009). Okabe and Ito's ten reach 1.9.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

ThemeName = Literal["light", "dark"]

PALER, TINT = 0.74, 0.1
"""How much of a colour stays when it comes again, and in a ground."""

READABLE = 0.3
"""Relative luminance from which on dark letters are easier to read on a colour than white ones."""


@dataclass(frozen=True)
class Theme:
    """Colours by what they are for."""

    background: str
    strong: str
    """The title and the figures that matter."""
    text: str
    muted: str
    """What is there but counts for nothing: slices of no size."""
    grid: str
    web: str
    """The lines of a radar chart, which are slanted and would look paler."""
    zero: str
    """The line of zero."""
    palette: tuple[str, ...]

    def colors(self, count: int, own: Sequence[str] | None) -> list[str]:
        """Give so many colours; when they run out they come again, paler each time."""
        base = own or self.palette
        return [
            _mixed(base[place % len(base)], self.background, PALER ** (place // len(base))) for place in range(count)
        ]

    def tint(self, color: str) -> str:
        """Give a colour's breath on the paper, for grounds."""
        return _mixed(color, self.background, TINT)


THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        background="#ffffff",
        strong="#16191f",
        text="#4c5361",
        muted="#9aa1ad",
        grid="#e6e8ec",
        web="#d9dce2",
        zero="#8b93a1",
        palette=(
            "#3e5afa", "#de6611", "#45c6ca", "#85447a", "#e8ae34",
            "#998bf5", "#77252c", "#5941b3", "#37a773", "#9a77a8",
        ),
    ),
    "dark": Theme(
        background="#14171c",
        strong="#f2f4f7",
        text="#a9b0bc",
        muted="#6c7482",
        grid="#2a2f38",
        web="#353b46",
        zero="#79818f",
        palette=(
            "#7b82f7", "#f57a2a", "#59d5c5", "#b7649f", "#f5c53b",
            "#ada5fa", "#b84851", "#7d5adc", "#57ba7e", "#bb92bd",
        ),
    ),
}  # fmt: skip


def letters_on(color: str) -> str:
    """Give the colour of letters on a colour."""
    return "#16191f" if _luminance(color) > READABLE else "#ffffff"


def _luminance(color: str) -> float:
    """Give the relative luminance (WCAG 2.2)."""
    shares = [part / 255 for part in parts(color)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _mixed(color: str, other: str, part: float) -> str:
    """Give a colour of which a part is one colour and the rest another."""
    mixed = (round(a * part + b * (1 - part)) for a, b in zip(parts(color), parts(other), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def parts(color: str) -> bytes:
    """Give red, green and blue."""
    return bytes.fromhex(color[1:])
