"""Named palettes: their colors differ with every color vision and are visible on their background."""

import pytest

from mediakit.engines.colors import PALETTES
from tests.support.color_vision import VISION, contrast, least_difference

palettes = pytest.mark.parametrize("name", PALETTES)


@palettes
@pytest.mark.parametrize("vision", VISION)
def test_colors_of_a_palette_are_distinguishable_with_every_color_vision(name: str, vision: str) -> None:
    for colors in PALETTES[name]:
        assert len(set(colors)) == 8
        assert least_difference(colors, vision) > 0.065


@palettes
def test_colors_of_a_palette_are_visible_on_their_background(name: str) -> None:
    for colors, background in ((PALETTES[name].light, "#ffffff"), (PALETTES[name].dark, "#14171c")):
        assert contrast(colors[0], background) >= 4.5
        assert min(contrast(color, background) for color in colors) > (3 if background == "#ffffff" else 1.85)
