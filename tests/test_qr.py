"""`qr`: exact pictures that readers read."""

import io
import re

import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import mediakit
from mediakit.core.results import ImageResult
from mediakit.errors import InvalidInput


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
