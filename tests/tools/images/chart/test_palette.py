"""The palettes: colors stay distinguishable with color blindness."""

import re
from typing import Any

import pytest

import mediakit
from mediakit.engines.colors import PALETTES
from mediakit.errors import InvalidInput
from mediakit.server import Server
from mediakit.tools.images.chart.theme import THEMES, Theme, ThemeName, text_color_on
from tests.support.color_vision import VISION, contrast, least_difference

themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


@themes
@pytest.mark.parametrize("vision", VISION)
def test_palette_colors_are_distinguishable_with_every_color_vision(theme: Theme, vision: str) -> None:
    assert least_difference(theme.palette, vision) > 0.08


@themes
def test_colors_and_texts_contrast_with_the_background(theme: Theme) -> None:
    assert min(contrast(color, theme.background) for color in theme.palette) >= 3
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_named_palette_colors_the_series(theme: ThemeName) -> None:
    drawn = mediakit.chart("bar", {"a": 1, "b": 2}, palette="ocean", theme=theme, format="svg").content.decode()
    assert getattr(PALETTES["ocean"], theme)[0] in drawn


@pytest.mark.parametrize(
    ("palette", "words"),
    [
        ("oceen", 'palette: "oceen" is not the name of a palette; did you mean "ocean"?'),
        (
            ["tomat"],
            'palette[0]: must be an opaque color such as "#1a2b3c", "tomato" or "rgb(255 99 71)", got "tomat".',
        ),
        ([], "palette: must have at least 1 item."),
        (5, "palette: must be a list, got 5."),
    ],
)
def test_invalid_palette_is_rejected(palette: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(words)):
        mediakit.chart("bar", {"a": 1}, palette=palette)


def test_palette_accepts_css_colors_over_http(server: Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        drawn = client.chart("bar", {"a": 1}, palette=["tomato"], width=300, height=200)
    assert drawn == mediakit.chart("bar", {"a": 1}, palette=["#ff6347"], width=300, height=200)
