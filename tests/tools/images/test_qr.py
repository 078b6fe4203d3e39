"""The `qr` tool: exact size and colors, and codes that readers decode."""

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
from mediakit.results.files import ImageResult
from mediakit.samples import LANDSCAPE, LOGO


def read(code: ImageResult) -> list[str]:
    return [code.text for code in zxingcpp.read_barcodes(code.to_pil().convert("L"))]


@pytest.mark.parametrize("text", ["https://example.com", "0123456789", "HELLO WORLD", "Grüße, 世界 👋🏽", "a\nb\tc"])
@pytest.mark.parametrize("ecc", ["L", "M", "Q", "H"])
def test_code_contains_text_at_requested_level(text: str, ecc: str) -> None:
    result = mediakit.qr(text, ecc=ecc)  # type: ignore[arg-type]  # parametrize gives plain strings
    (decoded,) = zxingcpp.read_barcodes(result.to_pil().convert("L"))
    assert decoded.bytes == text.encode()
    assert decoded.ec_level == ecc


@settings(max_examples=60, deadline=None)
@given(data=st.text(max_size=300, min_size=1), ecc=st.sampled_from("LMQH"))
def test_code_has_the_modules_of_another_encoder(data: str, ecc: Any) -> None:
    options = {} if data.isascii() else {"eci": "UTF-8"}
    expected = zxingcpp.create_barcode(data, zxingcpp.BarcodeFormat.QRCode, ec_level=ecc, **options)
    symbol: Any = expected.to_image(scale=1, add_quiet_zones=False)
    width = symbol.shape[1]
    code = mediakit.qr(data, ecc=ecc, size=max(64, width), margin=0).to_pil().convert("L")
    left = (code.width - width * (code.width // width)) // 2
    side = width * (code.width // width)
    modules = code.crop((left, left, left + side, left + side)).resize((width, width), Image.Resampling.NEAREST)
    assert modules.tobytes() == bytes(memoryview(symbol))


@pytest.mark.parametrize(
    "text", ["a", "0" * 200, "https://example.com/trail?season=autumn", "The quick brown fox. " * 40]
)
def test_svg_has_the_modules_of_the_png(text: str) -> None:
    modules = mediakit.qr(text).meta["version"] * 4 + 17 + 2 * 3
    png, svg = (mediakit.qr(text, size=8 * modules, margin=3, format=kind).to_pil() for kind in ("png", "svg"))
    assert png.convert("L").tobytes() == svg.convert("L").tobytes()


@pytest.mark.parametrize("size", [64, 65, 100, 511, 512, 513, 2000])
@pytest.mark.parametrize("margin", [0, 2, 4, 20])
def test_png_has_requested_size_and_whole_modules(size: int, margin: int) -> None:
    code = mediakit.qr("hi", size=size, margin=margin)
    image = code.to_pil().convert("L")
    assert image.size == (size, size) == (code.width, code.height)
    left, top, right, bottom = image.point(lambda value: 255 - value).getbbox() or (0, 0, 0, 0)
    assert right - left == bottom - top
    module = (right - left) // 21
    assert (right - left) == module * 21
    assert left >= margin * module
    runs = {len(run) for run in re.findall(rb"\x00+", image.crop((left, top, right, top + 1)).tobytes())}
    assert all(run % module == 0 for run in runs)


def test_png_has_requested_colors() -> None:
    code = mediakit.qr("hi", dark="1E3A8A", light="#fef3c7", size=210, margin=0).to_pil().convert("RGB")
    assert code.getpixel((0, 0)) == (0x1E, 0x3A, 0x8A)
    assert {color for _, color in code.getcolors() or []} == {(0x1E, 0x3A, 0x8A), (0xFE, 0xF3, 0xC7)}


def test_svg_has_requested_size_and_same_text() -> None:
    code = mediakit.qr("https://example.com", format="svg", size=300, margin=4, dark="#123456")
    assert code.mime_type == "image/svg+xml"
    assert b'width="300" height="300"' in code.content
    assert b'viewBox="0 0 33 33"' in code.content
    assert b'stroke="#123456"' in code.content
    assert code.to_pil().size == (300, 300)
    assert read(code) == ["https://example.com"]


def test_longest_allowed_text_is_encoded() -> None:
    text = "".join(chr(33 + number % 90) for number in range(1500))
    code = mediakit.qr(text, size=1000)
    assert zxingcpp.read_barcodes(code.to_pil().convert("L"))[0].bytes.decode() == text


def test_error_for_long_text_names_its_length() -> None:
    with pytest.raises(InvalidInput, match=r"1500 characters \(6000 bytes\) do not fit .* ecc L\. Shorten the text"):
        mediakit.qr("😀" * 1500, ecc="L")


def test_error_for_small_size_names_the_minimum() -> None:
    with pytest.raises(InvalidInput, match=r"must be at least (\d+)") as error:
        mediakit.qr("x" * 300, size=64)
    smallest = int(re.findall(r"at least (\d+)", str(error.value))[0])
    assert mediakit.qr("x" * 300, size=smallest).width == smallest
    with pytest.raises(InvalidInput):
        mediakit.qr("x" * 300, size=smallest - 1)


def test_meta_reports_size_and_format() -> None:
    code = mediakit.qr("hi")
    assert code.meta == {
        "size_bytes": len(code.content),
        "format": "png",
        "ecc": "M",
        "version": 1,
        "module_px": 20,
        "warnings": [],
    }
    with Image.open(io.BytesIO(code.content)) as image:
        assert image.format == "PNG"


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=120))
def test_any_text_is_decoded_unchanged(text: str) -> None:
    (decoded,) = zxingcpp.read_barcodes(mediakit.qr(text, size=800, margin=4).to_pil().convert("L"))
    assert decoded.bytes.decode() == text


STYLES: list[Mapping[str, Any]] = [
    {"style": "rounded"},
    {"style": "dots"},
    {"logo": LOGO},
    {"logo": LANDSCAPE, "style": "rounded", "dark": "#1e3a5f"},
    {"logo": LOGO, "style": "dots", "light": "#fff7ed"},
]


@pytest.mark.parametrize("options", STYLES, ids=str)
@pytest.mark.parametrize("form", ["png", "svg"])
@pytest.mark.parametrize("text", ["hi", "https://example.com/?q=1&page=27", "Grüße, 世界 👋🏽 " * 8])
def test_code_with_style_or_logo_is_readable(options: Mapping[str, Any], form: Any, text: str) -> None:
    result = mediakit.qr(text, size=600, margin=4, format=form, **options)
    assert result.to_pil().size == (600, 600)
    (decoded,) = zxingcpp.read_barcodes(result.to_pil().convert("L"))
    assert decoded.bytes == text.encode()
    assert decoded.ec_level == result.meta["ecc"]
    assert result.meta["warnings"] == []
    other = tapirscan.scan(result.to_pil().convert("L"), formats="QRCode")
    assert [one.text for one in other.barcodes] == [text]


@pytest.mark.parametrize("size", [64, 65, 257, 513])
@pytest.mark.parametrize("style", ["rounded", "dots"])
def test_style_keeps_size_and_position_of_modules(size: int, style: Any) -> None:
    plain, styled = (mediakit.qr("hi", size=size, style=each).to_pil().convert("L") for each in ("square", style))
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
def test_svg_and_png_of_a_style_are_similar(style: Any) -> None:
    options: dict[str, Any] = {"size": 580, "margin": 4, "style": style}
    vector, pixels = (mediakit.qr("hi", format=form, **options).to_pil().convert("L") for form in ("svg", "png"))
    differences = sum(abs(a - b) for a, b in zip(vector.tobytes(), pixels.tobytes(), strict=True)) / 580**2
    assert differences < 3


def test_logo_is_centered_in_its_colors() -> None:
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


def test_logo_raises_error_correction_level() -> None:
    assert mediakit.qr("hi", logo=LOGO).meta["ecc"] == "H"
    long = "x" * 1400
    assert mediakit.qr(long, logo=LOGO, size=1200).meta["ecc"] == "Q"
    with pytest.raises(InvalidInput, match=r"logo: requires ecc H, and 1400 characters \(1400 bytes\) do not fit"):
        mediakit.qr(long, logo=LOGO, size=1200, ecc="H")
    with pytest.raises(InvalidInput, match=r"logo: requires ecc Q or H, and 1500 characters \(3000 bytes\) do not fit"):
        mediakit.qr("ü" * 1500, logo=LOGO, size=1200, ecc="L")


def test_logo_that_is_not_an_image_is_rejected() -> None:
    with pytest.raises(InvalidInput, match=r"^logo: .*PNG"):
        mediakit.qr("hi", logo=b"not an image")


def test_unreadable_code_is_rejected() -> None:
    with pytest.raises(InvalidInput, match=r"style: makes the code unreadable\. Use a larger size"):
        mediakit.qr("hello", style="dots", dark="#fefefe")
    with pytest.raises(InvalidInput, match="logo: makes the code unreadable"):
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
def test_warnings_list_problems_for_scanners(options: dict[str, Any], codes: list[str]) -> None:
    warnings = mediakit.qr("hi", **options).meta["warnings"]
    assert [warning["code"] for warning in warnings] == codes
    assert all(warning["message"].endswith(".") for warning in warnings)


def test_smallest_version_is_used() -> None:
    assert mediakit.qr("0" * 41, ecc="L").meta["version"] == 1
    assert mediakit.qr("0" * 42, ecc="L").meta["version"] == 2
    assert mediakit.qr("A" * 25, ecc="L").meta["version"] == 1
    assert mediakit.qr("0123456789" * 2 + "abcdef", ecc="L").meta["version"] == 1
