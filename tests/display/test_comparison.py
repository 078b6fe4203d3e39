"""A notebook shows the result of `images` beside the original."""

import re
from io import BytesIO

import pybase64
import pytest
from PIL import Image

import mediakit
from mediakit.results.files import ImageResult
from mediakit.samples import LANDSCAPE

IMG = re.compile(r'<img src="data:image/webp;base64,([^"]+)" width="(\d+)" height="(\d+)"')


def shown(result: ImageResult) -> str:
    html = result._repr_mimebundle_()[0]["text/html"]
    assert isinstance(html, str)
    return html


def images(html: str) -> list[Image.Image]:
    return [Image.open(BytesIO(pybase64.b64decode(found[1]))) for found in IMG.finditer(html)]


def test_comparison_shows_both_images_with_sizes() -> None:
    made = mediakit.images(LANDSCAPE, width=300, height=300, format="webp")
    html = shown(made)
    assert "JPEG · 1600 × 1000 · 64.3 kB" in html
    assert "WebP · 300 × 300" in html
    assert [(match[2], match[3]) for match in IMG.finditer(html)] == [("440", "275"), ("300", "300")]
    assert [image.size for image in images(html)] == [(880, 550), (300, 300)]


def test_comparison_is_small_for_large_images() -> None:
    target = BytesIO()
    Image.effect_noise((2000, 2000), 90).convert("RGB").save(target, "PNG")
    assert len(shown(mediakit.images(target.getvalue(), width=1500))) < 900_000


def test_comparison_applies_orientation_of_original() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    target = BytesIO()
    Image.new("RGB", (200, 100), "red").save(target, "JPEG", exif=exif)
    html = shown(mediakit.images(target.getvalue(), width=50))
    assert "JPEG · 100 × 200" in html
    assert images(html)[0].size == (100, 200)


def test_bundle_with_comparison_has_image() -> None:
    assert "image/png" in mediakit.images(LANDSCAPE, width=64, format="avif")._repr_mimebundle_()[0]


@pytest.mark.parametrize("alt", ['"><script>alert(1)</script>', "<b>&"])
def test_alt_text_is_escaped(alt: str) -> None:
    made = mediakit.images(LANDSCAPE, width=64)
    made.alt = alt
    assert "<script" not in shown(made)
    assert "<b>&" not in shown(made).replace("<b>&nbsp;", "")


def test_original_over_pixel_limit_is_not_shown() -> None:
    target = BytesIO()
    Image.new("1", (6000, 5000)).save(target, "PNG")
    assert mediakit.images(target.getvalue(), width=64)._repr_mimebundle_()[0]["text/html"].count("<img") == 1


def test_generated_image_has_no_comparison() -> None:
    assert mediakit.qr("hi")._repr_mimebundle_()[0]["text/html"].count("<img") == 1
