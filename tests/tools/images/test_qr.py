"""`qr`: exact pictures that readers read."""

import io
import re
from collections.abc import Mapping
from typing import Any

import pytest
import tapirscan
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput
from mediakit.results.image import ImageResult
from mediakit.samples import LANDSCAPE, LOGO


def read(picture: ImageResult) -> list[str]:
    return [code.text for code in zxingcpp.read_barcodes(picture.to_pil().convert("L"))]


@pytest.mark.parametrize("text", ["https://example.com", "0123456789", "HELLO WORLD", "Grüße, 世界 👋🏽", "a\nb\tc"])
@pytest.mark.parametrize("ecc", ["L", "M", "Q", "H"])
def test_says_what_it_was_given(text: str, ecc: str) -> None:
    picture = mediakit.qr(text, ecc=ecc)  # type: ignore[arg-type]  # parametrize gives plain strings
    (code,) = zxingcpp.read_barcodes(picture.to_pil().convert("L"))
    assert code.bytes == text.encode()
    assert code.ec_level == ecc


@pytest.mark.parametrize("size", [64, 65, 100, 511, 512, 513, 2000])
@pytest.mark.parametrize("margin", [0, 2, 4, 20])
def test_has_the_asked_size_and_whole_modules(size: int, margin: int) -> None:
    picture = mediakit.qr("hi", size=size, margin=margin)
    image = picture.to_pil().convert("L")
    assert image.size == (size, size) == (picture.width, picture.height)
    left, top, right, bottom = image.point(lambda value: 255 - value).getbbox() or (0, 0, 0, 0)
    assert right - left == bottom - top
    module = (right - left) // 21
    assert (right - left) == module * 21
    assert left >= margin * module
    runs = {len(run) for run in re.findall(rb"\x00+", image.crop((left, top, right, top + 1)).tobytes())}
    assert all(run % module == 0 for run in runs)


def test_draws_in_its_colours() -> None:
    picture = mediakit.qr("hi", dark="1E3A8A", light="#fef3c7", size=210, margin=0).to_pil().convert("RGB")
    assert picture.getpixel((0, 0)) == (0x1E, 0x3A, 0x8A)
    assert {color for _, color in picture.getcolors() or []} == {(0x1E, 0x3A, 0x8A), (0xFE, 0xF3, 0xC7)}


def test_the_svg_has_the_asked_size_and_reads_the_same() -> None:
    picture = mediakit.qr("https://example.com", format="svg", size=300, margin=4, dark="#123456")
    assert picture.mime_type == "image/svg+xml"
    assert b'width="300" height="300"' in picture.content
    assert b'viewBox="0 0 33 33"' in picture.content
    assert b'stroke="#123456"' in picture.content
    assert picture.to_pil().size == (300, 300)
    assert read(picture) == ["https://example.com"]


def test_holds_the_longest_text_allowed() -> None:
    text = "".join(chr(33 + number % 90) for number in range(1500))
    picture = mediakit.qr(text, size=1000)
    assert zxingcpp.read_barcodes(picture.to_pil().convert("L"))[0].bytes.decode() == text


def test_says_by_how_much_a_text_is_too_long() -> None:
    with pytest.raises(InvalidInput, match=r"1500 characters \(6000 bytes\) need more .* ecc L; shorten the text"):
        mediakit.qr("😀" * 1500, ecc="L")


def test_says_how_large_a_picture_must_be() -> None:
    with pytest.raises(InvalidInput, match=r"give at least (\d+)") as refusal:
        mediakit.qr("x" * 300, size=64)
    least = int(re.findall(r"at least (\d+)", str(refusal.value))[0])
    assert mediakit.qr("x" * 300, size=least).width == least
    with pytest.raises(InvalidInput):
        mediakit.qr("x" * 300, size=least - 1)


def test_meta_tells_size_and_format() -> None:
    picture = mediakit.qr("hi")
    assert picture.meta == {
        "size_bytes": len(picture.content),
        "format": "png",
        "ecc": "M",
        "version": 1,
        "module_px": 20,
        "warnings": [],
    }
    with Image.open(io.BytesIO(picture.content)) as image:
        assert image.format == "PNG"


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=120))
def test_any_text_comes_back(text: str) -> None:
    (code,) = zxingcpp.read_barcodes(mediakit.qr(text, size=800, margin=4).to_pil().convert("L"))
    assert code.bytes.decode() == text


LOOKS: list[Mapping[str, Any]] = [
    {"style": "rounded"},
    {"style": "dots"},
    {"logo": LOGO},
    {"logo": LANDSCAPE, "style": "rounded", "dark": "#1e3a5f"},
    {"logo": LOGO, "style": "dots", "light": "#fff7ed"},
]


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("form", ["png", "svg"])
@pytest.mark.parametrize("text", ["hi", "https://example.com/?q=1&page=27", "Grüße, 世界 👋🏽 " * 8])
def test_a_code_with_a_style_or_a_logo_reads_back(look: Mapping[str, Any], form: Any, text: str) -> None:
    picture = mediakit.qr(text, size=600, margin=4, format=form, **look)
    assert picture.to_pil().size == (600, 600)
    (code,) = zxingcpp.read_barcodes(picture.to_pil().convert("L"))
    assert code.bytes == text.encode()
    assert code.ec_level == picture.meta["ecc"]
    assert picture.meta["warnings"] == []
    other = tapirscan.scan(picture.to_pil().convert("L"), formats="QRCode")
    assert [one.text for one in other.barcodes] == [text]


@pytest.mark.parametrize("size", [64, 65, 257, 513])
@pytest.mark.parametrize("style", ["rounded", "dots"])
def test_a_style_keeps_size_and_place_of_the_modules(size: int, style: Any) -> None:
    plain, styled = (mediakit.qr("hi", size=size, style=look).to_pil().convert("L") for look in ("square", style))
    assert styled.size == (size, size)
    boxes = [image.point(lambda value: 255 * (value < 128)).getbbox() for image in (plain, styled)]
    assert boxes[0] == boxes[1]


def test_rounded_corners_are_round_and_dots_do_not_touch() -> None:
    rounded = mediakit.qr("hi", size=420, margin=0, style="rounded").to_pil().convert("L")
    assert rounded.getpixel((0, 0)) == 255
    assert rounded.getpixel((70, 0)) == 0
    dots = mediakit.qr("hi", size=420, margin=0, style="dots").to_pil().convert("L")
    beyond = dots.crop((180, 0, 240, 420))
    columns = [beyond.crop((x, 0, x + 1, 420)).getextrema() for x in range(0, 60, 20)]
    assert all(extrema[0] == 255 for extrema in columns)


@pytest.mark.parametrize("style", ["rounded", "dots"])
def test_svg_and_png_of_a_style_look_alike(style: Any) -> None:
    options: dict[str, Any] = {"size": 580, "margin": 4, "style": style}
    vector, pixels = (mediakit.qr("hi", format=form, **options).to_pil().convert("L") for form in ("svg", "png"))
    differences = sum(abs(a - b) for a, b in zip(vector.tobytes(), pixels.tobytes(), strict=True)) / 580**2
    assert differences < 3


def test_a_logo_stands_in_the_middle_in_its_colours() -> None:
    logo = Image.new("RGB", (40, 20), "#d32f2f")
    logo.save(file := io.BytesIO(), "PNG")
    image = mediakit.qr("https://example.com", logo=file.getvalue(), size=500).to_pil().convert("RGB")
    assert image.getpixel((250, 250)) == (0xD3, 0x2F, 0x2F)
    red = image.getchannel("G").point(lambda value: 255 * (value == 0x2F)).getbbox()
    assert red
    left, top, right, bottom = red
    assert (right - left) == pytest.approx(2 * (bottom - top), abs=2)
    assert abs(left + right - 500) <= 2
    assert abs(top + bottom - 500) <= 2


def test_a_logo_raises_the_error_correction_as_far_as_the_text_allows() -> None:
    assert mediakit.qr("hi", logo=LOGO).meta["ecc"] == "H"
    long = "x" * 1400
    assert mediakit.qr(long, logo=LOGO, size=1200).meta["ecc"] == "Q"
    with pytest.raises(InvalidInput, match=r"logo: needs ecc H, and 1400 characters \(1400 bytes\) are more"):
        mediakit.qr(long, logo=LOGO, size=1200, ecc="H")
    with pytest.raises(InvalidInput, match=r"logo: needs ecc Q or H, and 1500 characters \(3000 bytes\) are more"):
        mediakit.qr("ü" * 1500, logo=LOGO, size=1200, ecc="L")


def test_a_logo_that_is_no_picture_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"^logo: .*PNG"):
        mediakit.qr("hi", logo=b"not a picture")


def test_a_code_that_no_reader_reads_is_not_given_away() -> None:
    with pytest.raises(InvalidInput, match="style: the code could not be read back with it; give a larger size"):
        mediakit.qr("hello", style="dots", dark="#fefefe")
    with pytest.raises(InvalidInput, match="logo: the code could not be read back"):
        mediakit.qr("hello", logo=LOGO, dark="#fefefe")


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({}, []),
        ({"dark": "#1e3a8a", "light": "#fef3c7", "margin": 4}, []),
        ({"dark": "#ffa500"}, ["low_contrast"]),
        ({"dark": "#ffffff", "light": "#000000"}, ["inverted"]),
        ({"dark": "#dddddd", "light": "#bbbbbb"}, ["low_contrast", "inverted"]),
        ({"size": 64, "margin": 4}, ["tiny_modules"]),
        ({"margin": 0, "size": 420}, ["thin_margin"]),
        ({"margin": 1, "format": "svg"}, ["thin_margin"]),
    ],
)
def test_warns_of_what_scanners_do_not_like(options: dict[str, Any], codes: list[str]) -> None:
    warnings = mediakit.qr("hi", **options).meta["warnings"]
    assert [warning["code"] for warning in warnings] == codes
    assert all(warning["message"].endswith(".") for warning in warnings)


def test_is_as_small_as_the_standard_allows() -> None:
    assert mediakit.qr("0" * 41, ecc="L").meta["version"] == 1
    assert mediakit.qr("0" * 42, ecc="L").meta["version"] == 2
    assert mediakit.qr("A" * 25, ecc="L").meta["version"] == 1
    assert mediakit.qr("0123456789" * 2 + "abcdef", ecc="L").meta["version"] == 1
