"""The background: a color of its own, or transparent."""

import io
from typing import Any

import pytest
from PIL import Image

import mediakit
from mediakit.engines.colors import mix, rgb
from mediakit.errors import InvalidInput
from mediakit.tools.images.chart.theme import theme_on
from tests.support.color_vision import contrast

TYPES = ["bar", "line", "pie", "doughnut", "radar", "timeline", "scatter", "area", "combo"]


def render(kind: str, **options: Any) -> Any:
    return mediakit.chart(kind, ["1", "2"], [{"name": "A", "data": [1, -2]}, {"data": [3, 4]}], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", TYPES)
def test_transparent_png_has_an_alpha_channel(kind: str) -> None:
    with Image.open(io.BytesIO(render(kind, background="transparent", width=400, height=300).content)) as image:
        assert image.mode == "RGBA"
        assert image.getpixel((1, 1)) == (0, 0, 0, 0)
        assert image.getchannel("A").getextrema() == (0, 255)


def test_transparent_doughnut_has_a_hole() -> None:
    image = mediakit.chart("doughnut", {"a": 1}, background="transparent", legend="none", width=300, height=300)
    middle = image.to_pil().getpixel((150, 135))
    assert middle[3] in (0, 255)  # type: ignore[index]
    corner = image.to_pil().crop((140, 100, 160, 130)).getchannel("A").getextrema()
    assert corner[0] == 0


def test_svg_has_a_background_unless_it_is_transparent() -> None:
    assert b'fill="#fdf6e3"/>' in render("bar", background="#FDF6E3", format="svg").content
    assert b"<rect" not in render("bar", background="transparent", format="svg").content


@pytest.mark.parametrize("color", ["#fdf6e3", "#000080", "#808080", "#ff6347"])
def test_texts_contrast_with_the_background(color: str) -> None:
    theme = theme_on(color, "light")
    assert theme.background == color
    assert contrast(theme.strong, color) >= 4.4
    assert contrast(theme.text, color) >= 2.9


def test_css_color_is_the_background() -> None:
    image = render("bar", background="tomato").to_pil()
    assert image.getpixel((0, 0)) == (255, 99, 71)
    with pytest.raises(InvalidInput, match=r'background: must be an opaque color .* or "transparent", got "tomat"'):
        render("bar", background="tomat")


def test_translucent_dots_have_their_exact_color() -> None:
    series = [{"name": "a", "x": [float(x) for x in range(100)], "data": [float(x * 37 % 101) for x in range(100)]}]
    chart = mediakit.chart("scatter", series=series, palette=["#3e5afa"], width=900, height=600)
    colors = {color for _, color in chart.to_pil().convert("RGB").getcolors(1 << 20) or []}
    assert tuple(rgb(mix("#3e5afa", "#ffffff", 0.75))) in colors
