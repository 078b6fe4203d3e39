"""The palettes: colors stay distinguishable with color blindness."""

from itertools import combinations

import pytest

from mediakit.tools.images.chart.theme import THEMES, Theme, text_color_on

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

VISION: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB."""
TO_CONES: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def multiply(matrix: Matrix, vector: Triple) -> Triple:
    a, b, c = (sum(one * other for one, other in zip(row, vector, strict=True)) for row in matrix)
    return a, b, c


def linear(color: str) -> Triple:
    shares = (part / 255 for part in bytes.fromhex(color[1:]))
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return red, green, blue


def perceived(color: str, vision: str) -> Triple:
    """Return a color in Oklab as it is perceived with a kind of color vision."""
    a, b, c = multiply(TO_CONES, tuple(min(1.0, max(0.0, part)) for part in multiply(VISION[vision], linear(color))))  # type: ignore[arg-type]
    return multiply(TO_LAB, (a ** (1 / 3), b ** (1 / 3), c ** (1 / 3)))


def contrast(one: str, other: str) -> float:
    light = sorted(
        sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) for c in (one, other)
    )
    return (light[1] + 0.05) / (light[0] + 0.05)


themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


@themes
@pytest.mark.parametrize("vision", VISION)
def test_palette_colors_are_distinguishable_with_every_color_vision(theme: Theme, vision: str) -> None:
    lab = [perceived(color, vision) for color in theme.palette]
    least = min(sum((a - b) ** 2 for a, b in zip(one, two, strict=True)) ** 0.5 for one, two in combinations(lab, 2))
    assert least > 0.08


@themes
def test_colors_and_texts_contrast_with_the_background(theme: Theme) -> None:
    assert min(contrast(color, theme.background) for color in theme.palette) > 1.9
    assert contrast(theme.text, theme.background) > 7
    assert contrast(theme.strong, theme.background) > 15


@themes
def test_text_on_palette_colors_has_a_contrast_of_3(theme: Theme) -> None:
    assert min(contrast(text_color_on(color), color) for color in theme.palette) >= 3


@themes
def test_exhausted_palette_repeats_in_paler_colors(theme: Theme) -> None:
    colors = theme.colors(50, None)
    assert len(set(colors)) == 50
    assert colors[:10] == list(theme.palette)
    assert theme.colors(3, ["#000000", "#ffffff"])[:2] == ["#000000", "#ffffff"]
