"""Blurred EAN-13 and UPC-A are read by their most likely digits; other bars are not read as such."""

import random

import numpy as np
import pytest
from PIL import Image, ImageFilter

from mediakit.tools.images.code_reader.bar_profiles import UprightRegion
from mediakit.tools.images.code_reader.decoder import decode
from mediakit.tools.images.code_reader.regions import find_regions
from mediakit.tools.images.code_reader.retail import reading
from mediakit.tools.images.code_reader.retail.symbol_model import SET_A, SET_B, SET_C
from mediakit.tools.images.code_reader.scan_file import scan
from mediakit.tools.images.code_reader.tool import CodeReaderRequest
from tests.support.codes_kit import blurred, faint, noisy, png, symbol, turned

MODULE = 3


def numbers(count: int) -> list[str]:
    chance = random.Random(3)
    return ["".join(chance.choices("0123456789", k=12)) for _ in range(count)]


def photo(data: str, blur: float, *, kind: str = "EAN13", noise: float = 2.0) -> Image.Image:
    """Return a code with a blur of `blur` modules and sensor noise."""
    return noisy(blurred(symbol(kind, data, module=MODULE), blur * MODULE), noise)


def read_digits(image: Image.Image) -> set[str]:
    """Return the numbers that the most likely digits of the first region have on any line."""
    upright = UprightRegion(image, find_regions(image, 1)[0], margin=reading.MARGIN)
    return {found.text for line in reading.FIRST_LINES for found, _ in reading.read(upright, line)}


def read(image: Image.Image) -> list[tuple[str, str]]:
    codes = scan(CodeReaderRequest(png(image)), 5.0)["codes"]
    return [(code["format"], code["text"]) for code in codes]


@pytest.mark.parametrize("blur", [0.5, 0.9, 1.2, 1.5])
def test_blurred_number_is_the_most_likely_one(blur: float) -> None:
    found = {data: read_digits(photo(data, blur)) for data in numbers(4)}
    for data, digits in found.items():
        assert digits <= {decode(symbol("EAN13", data), ("EAN13",))[0].text}
    assert sum(map(bool, found.values())) >= 3


@pytest.mark.parametrize(("data", "expected"), [("4006381333931", "EAN13"), ("0036000291452", "UPCA")])
def test_code_whose_narrow_bars_blur_has_merged_is_read(data: str, expected: str) -> None:
    image = photo(data, 1.35)
    assert not decode(image, ("EAN13",))
    assert read(image) == [(expected, data.removeprefix("0"))]


@pytest.mark.parametrize("degrees", [12, 100, 180, 250])
def test_blurred_code_is_read_in_any_direction(degrees: float) -> None:
    assert read_digits(turned(photo("4006381333931", 1.1), degrees)) == {"4006381333931"}


def test_position_of_blurred_code_encloses_its_bars() -> None:
    paper = Image.new("L", (700, 500), 255)
    paper.paste(symbol("EAN13", "4006381333931", module=MODULE), (120, 150))
    bars = paper.point([255] * 128 + [0] * 128).getbbox()
    assert bars is not None
    box = scan(CodeReaderRequest(png(noisy(blurred(paper, 1.35 * MODULE), 2))), 5.0)["codes"][0]["box"]
    assert box["x"] == pytest.approx(bars[0], abs=8)
    assert box["x"] + box["width"] == pytest.approx(bars[2], abs=8)


def test_perspective_and_uneven_light_are_fitted() -> None:
    image = photo("4006381333931", 0.9)
    width = image.width
    tilt = (1, 0, 0, 0, 1, 0, 0.12 / width, 0)
    tilted = image.transform(image.size, Image.Transform.PERSPECTIVE, tilt, Image.Resampling.BICUBIC, fillcolor=255)
    light = np.linspace(1, 0.5, width)[None, :]
    assert read_digits(Image.fromarray((np.asarray(tilted) * light).astype(np.uint8))) == {"4006381333931"}


def test_faint_code_is_read() -> None:
    assert read_digits(noisy(faint(blurred(symbol("EAN13", module=MODULE), 1.1 * MODULE), 100, 160), 1)) == {
        "4006381333931"
    }


@pytest.mark.parametrize("kind", ["Code128", "Code39", "Codabar", "ITF", "DataBarOmni", "EAN8", "UPCE"])
def test_other_symbologies_have_no_likely_number(kind: str) -> None:
    for blur in (0.4, 1.2):
        image = noisy(symbol(kind, module=MODULE).filter(ImageFilter.GaussianBlur(blur * MODULE)), 2)
        assert read_digits(image) == set()


def test_random_bars_have_no_likely_number() -> None:
    stripes = np.random.default_rng(7)
    for blur in (0.5, 1.0, 1.6) * 4:
        bars = np.pad(stripes.integers(0, 2, 93), 1, constant_values=1)
        line = np.pad(255 * (1 - bars), 14, constant_values=255).repeat(MODULE)
        image = Image.fromarray(np.tile(line.astype(np.uint8), (120, 1)))
        assert read_digits(noisy(blurred(image, blur * MODULE), 2)) == set()


@pytest.mark.parametrize(
    ("sets", "blur", "digits"),
    [("AAAAAB", 0.5, "380675691933"), ("BAAAAA", 0.9, "472019860395"), ("ABBBBA", 1.2, "320732021527")],
)
def test_digits_in_number_sets_that_no_first_digit_has_are_not_read(sets: str, blur: float, digits: str) -> None:
    left = [
        SET_A[int(digit)] if each == "A" else SET_B[int(digit)] for digit, each in zip(digits[:6], sets, strict=True)
    ]
    right = [SET_C[int(digit)] for digit in digits[6:]]
    bits = np.concatenate(([1, 0, 1], *left, [0, 1, 0, 1, 0], *right, [1, 0, 1]))
    row = (255 * (1 - np.pad(bits, 14))).astype(np.uint8).repeat(MODULE)
    assert read(noisy(blurred(Image.fromarray(np.tile(row, (150, 1))), blur * MODULE), 2)) == []


def test_blurred_code_is_not_returned_if_only_other_formats_are_requested() -> None:
    image = photo("4006381333931", 1.35)
    for formats in (("UPCA",), ("EAN8", "Code128")):
        assert scan(CodeReaderRequest(png(image), formats=list(formats)), 5.0)["codes"] == []
