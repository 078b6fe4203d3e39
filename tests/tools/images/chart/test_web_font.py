"""The embedded font of an SVG chart, as FreeType and a browser read it."""

import base64
import io
import re

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageStat

import mediakit
from mediakit.engines.drawing.text import text_width
from mediakit.engines.drawing.typeface import Weight, web_font

TEXT = "Ångström, Ωμέγα & Жук: −12.5% “Te AV”"


def fonts(svg: bytes) -> list[bytes]:
    return [base64.b64decode(font) for font in re.findall(rb"base64,([\w+/=]+)", svg)]


@pytest.mark.parametrize("weight", [400, 600])
def test_freetype_measures_the_same_advances(weight: Weight) -> None:
    font = ImageFont.truetype(io.BytesIO(web_font([TEXT], weight)), 1000, layout_engine=ImageFont.Layout.BASIC)
    for char in TEXT:
        assert font.getlength(char) == pytest.approx(text_width(char, 1000, weight), abs=1)


def test_glyphs_match_the_original_font() -> None:
    ours = ImageFont.truetype(io.BytesIO(web_font(["dpgÅB8"], 400)), 200)
    inter = ImageFont.truetype("mediakit/engines/fonts_data/inter-latin.woff2", 200)
    inter.set_variation_by_axes([400])
    for char in "dpgÅB8":
        one, other = (Image.new("L", (300, 300)) for _ in range(2))
        for image, font in ((one, ours), (other, inter)):
            ImageDraw.Draw(image).text((40, 250), char, fill=255, font=font, anchor="ls")
        assert ImageStat.Stat(ImageChops.difference(one, other)).mean[0] < 4


def test_font_has_only_the_used_characters() -> None:
    few, many = (web_font([text], 400) for text in ("AB", "".join(map(chr, range(33, 127)))))
    assert len(few) < 1500 < len(many) < 16_000
    shown = ImageFont.truetype(io.BytesIO(few), 100)
    assert shown.getmask("C").getbbox() == shown.getmask("D").getbbox()
    assert shown.getmask("A").getbbox() != shown.getmask("C").getbbox()


def test_svg_with_embedded_fonts_has_less_than_12_kb() -> None:
    made = mediakit.chart("bar", {"Mon": 1, "Tue": 2}, title="Visits", format="svg")
    assert len(fonts(made.content)) == 2
    assert len(made.content) < 12_000


def test_each_chart_has_its_own_font_family() -> None:
    names = {
        re.findall(rb"font-family:(chart-\w+)", mediakit.chart("bar", {label: 1}, format="svg").content)[0]
        for label in ("a", "b")
    }
    assert len(names) == 2


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["bar", "line", "pie", "doughnut", "radar"])
def test_browser_renders_svg_like_png(kind: str) -> None:
    call = {"labels": ["Berlin", "Tōkyō", "Αθήνα"], "series": {"2024": [3, 5, 4], "2025": [4, 4, 6]}, "title": "AV To"}
    png, svg = (mediakit.chart(kind, **call, width=480, height=300, format=form) for form in ("png", "svg"))  # type: ignore[arg-type]
    page = f'<body style="margin:0"><img src="{svg.data_uri()}">'
    shown = mediakit.capture(page, width=480, height=300, format="png").to_pil().convert("RGB")
    apart = ImageChops.difference(shown, png.to_pil().convert("RGB")).convert("L")
    assert ImageStat.Stat(apart).mean[0] < 1
    assert sum(apart.histogram()[128:]) < 150
