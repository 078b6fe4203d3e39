"""Additional passes decode damaged codes, and images without codes return an empty list."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageOps

import mediakit
from mediakit.tools.images.code_reader import scan_file
from mediakit.tools.images.code_reader.decoder import decode
from mediakit.tools.images.code_reader.retail import reading
from mediakit.tools.images.code_reader.scanner import Scanner
from mediakit.tools.images.code_reader.tool import CodeReaderRequest
from mediakit.tools.images.code_reader.voting import VoteTally
from tests.support.codes_kit import SAMPLES, bent, blurred, colored, faint, noisy, png, shaded, sheet, symbol, turned

BARS = ["EAN13", "Code128", "Code39", "ITF"]


EXTRA_SECONDS = 5.0
"""CPU time per image in seconds. It is long, because other processes run at the same time."""


def read(image: Image.Image) -> list[str]:
    return [code["text"] for code in scan_file.scan(CodeReaderRequest(png(image)), EXTRA_SECONDS)["codes"]]


@pytest.mark.parametrize("kind", BARS)
def test_linear_code_is_read_in_any_direction(kind: str) -> None:
    for degrees in (17, 45, 71, 128, 203):
        assert read(turned(symbol(kind, module=3), degrees)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", [*BARS, "QRCode", "PDF417"])
def test_inverted_code_is_read(kind: str) -> None:
    assert read(ImageOps.invert(symbol(kind))) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", BARS)
def test_linear_code_of_low_contrast_is_read(kind: str) -> None:
    assert read(noisy(faint(symbol(kind)), 3)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", BARS)
def test_linear_code_in_noise_is_read(kind: str) -> None:
    assert read(noisy(symbol(kind, module=3), 90)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", [*BARS, "QRCode", "DataMatrix"])
def test_code_in_uneven_light_is_read(kind: str) -> None:
    assert read(shaded(symbol(kind))) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", BARS)
def test_blurred_linear_code_is_read(kind: str) -> None:
    assert read(blurred(symbol(kind, module=4), 3.2)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", ["EAN13", "Code128", "ITF"])
def test_linear_code_on_a_cylinder_is_read(kind: str) -> None:
    assert read(bent(symbol(kind, module=4), 0.9)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", ["EAN13", "QRCode"])
def test_green_code_on_red_of_equal_brightness_is_read(kind: str) -> None:
    assert read(colored(symbol(kind), (0, 150, 0), (235, 25, 25))) == [SAMPLES[kind]]


@pytest.mark.parametrize("degrees", [8, 25, 140])
def test_rotated_stacked_code_is_read(degrees: int) -> None:
    assert read(turned(symbol("PDF417", module=3), degrees)) == [SAMPLES["PDF417"]]


def test_framed_linear_code_without_quiet_zone_is_read() -> None:
    image = symbol("Code128", module=3)
    ink = ImageOps.invert(image).getbbox()
    assert ink is not None
    tight = image.crop((ink[0] - 6, ink[1], ink[2] + 6, ink[3]))
    assert read(ImageOps.expand(ImageOps.expand(tight, 12, 30), 40, 235)) == [SAMPLES["Code128"]]


def test_position_from_additional_passes_is_in_image_pixels() -> None:
    paper = Image.new("L", (800, 600), 255)
    paper.paste(symbol("Code128", module=3), (200, 250))
    ink = ImageOps.invert(paper).getbbox()
    assert ink is not None
    code = mediakit.code_reader(png(ImageOps.invert(paper)))[0]
    box = code.box
    assert box.x == pytest.approx(ink[0], abs=12)
    assert box.x + box.width == pytest.approx(ink[2], abs=12)
    assert ink[1] - 12 <= box.y
    assert box.y + box.height <= ink[3] + 12


def test_clear_image_needs_no_additional_pass() -> None:
    assert mediakit.code_reader(png(symbol("QRCode"))).meta["passes"] == 0


def test_sheet_of_labels_gets_additional_passes() -> None:
    first, second = symbol("QRCode", "first"), symbol("QRCode", "second")
    dark = faint(symbol("QRCode", "third"), 20, 40)
    assert set(read(sheet(first, second, dark))) >= {"first", "second"}


IMAGES_WITHOUT_CODES = {
    "noise": lambda: noisy(Image.new("L", (600, 400), 128), 60),
    "stripes": lambda: Image.fromarray(np.tile(((np.arange(600) // 5) % 2 * 255).astype(np.uint8), (400, 1))),
    "random stripes": lambda: Image.fromarray(
        np.tile((np.random.default_rng(5).integers(0, 2, 150).repeat(4) * 255).astype(np.uint8), (400, 1))
    ),
    "chart": lambda: Image.fromarray(
        np.where(
            (np.arange(400)[:, None] > np.random.default_rng(2).integers(50, 350, 60).repeat(10)[None, :])
            & (np.arange(600)[None, :] % 10 < 6),
            40,
            250,
        ).astype(np.uint8)
    ),
    "gradient": lambda: Image.linear_gradient("L").resize((500, 500)),
}


@pytest.mark.parametrize("name", IMAGES_WITHOUT_CODES)
def test_image_without_codes_returns_empty_list(name: str) -> None:
    assert read(IMAGES_WITHOUT_CODES[name]()) == []


def test_random_stripes_return_no_codes() -> None:
    stripes = np.random.default_rng(11)
    for _ in range(25):
        line = stripes.integers(0, 2, 120).repeat(3) * 255
        image = Image.fromarray(np.tile(line.astype(np.uint8), (120, 1)))
        assert Scanner(noisy(blurred(image, 1.5), 25), (), extra_seconds=0.2).scan()[0] == []


def test_retail_code_from_few_lines_needs_another_pass() -> None:
    thin, tall = (decode(symbol("EAN13", module=3).crop((0, 40, 400, 40 + lines)), ("EAN13",))[0] for lines in (4, 100))
    for detection, accepted in ((thin, False), (tall, True)):
        tally = VoteTally()
        tally.add_detections([detection], "plain", first=True)
        assert bool(tally.accepted()) is accepted
        tally.add_detections([detection], "plain")
        assert bool(tally.accepted()) is accepted
        tally.add_detections([detection], "sharpened")
        tally.add_detections([detection], "doubled")
        assert tally.accepted()


def test_overlapping_retail_codes_return_the_one_with_more_votes() -> None:
    right, wrong = (decode(symbol("EAN13", text), ("EAN13",))[0] for text in ("4006381333931", "9074932437075"))
    tally = VoteTally()
    for name in ("one", "two"):
        tally.add_detections([right, wrong], name)
    tally.add_detections([right], "three")
    assert [each.detection.text for each in tally.accepted()] == ["4006381333931"]


@pytest.mark.parametrize("digits", ["9004", "31", "201764"])
@pytest.mark.parametrize("bar_height", [25, 60])
def test_short_itf_is_read_from_a_clear_image(digits: str, bar_height: int) -> None:
    image = symbol("ITF", digits.zfill(4), module=3)
    assert read(image.crop((0, 40, image.width, 40 + bar_height))) == [digits.zfill(4)]


def test_short_itf_is_not_found_by_additional_passes() -> None:
    hidden = ImageOps.invert(symbol("ITF", "9004"))
    assert read(hidden) == []
    assert mediakit.code_reader(png(hidden), formats=["ITF"]).texts == ["9004"]


@pytest.mark.parametrize("quiet_zone", [0, 2])
@pytest.mark.parametrize("bar_height", [30, 200])
def test_wide_code39_that_fills_the_image_is_read(quiet_zone: int, bar_height: int) -> None:
    text = "PALLET 0042-BX SHELF 17-B AISLE 9"
    image = symbol("Code39", text, module=3)
    ink = ImageOps.invert(image).getbbox()
    assert ink is not None
    left, _, right, _ = ink
    assert read(
        image.crop((left - quiet_zone, 40, right + quiet_zone, 40 + bar_height)).resize((1800, bar_height))
    ) == [text]


def test_number_that_the_bars_contradict_is_dropped() -> None:
    image = blurred(symbol("EAN13", module=3), 1)
    right = decode(image, ("EAN13",))[0]
    wrong = replace(right, text="4006387333935", content=b"4006387333935")
    for detection, expected in ((right, False), (wrong, True)):
        assert reading.is_contradicted(image, detection) is expected
        tally = VoteTally(gray=image)
        for name in ("one", "two", "three", "four"):
            tally.add_detections([detection], name)
        assert bool(tally.accepted()) is not expected
        assert not tally.undecided


def test_number_is_kept_where_the_model_does_not_fit() -> None:
    image = ImageOps.invert(symbol("EAN13", module=3))
    detection = decode(symbol("EAN13", module=3), ("EAN13",))[0]
    assert not reading.is_contradicted(image, detection)


@pytest.mark.parametrize("degrees", [0, 30, 180])
def test_right_number_is_never_contradicted(degrees: float) -> None:
    for kind in ("EAN13", "UPCA"):
        for blur in (0.3, 2, 3):
            image = turned(noisy(blurred(symbol(kind, module=3), blur), 4), degrees)
            for detection in decode(image, ("EAN13",)):
                assert not reading.is_contradicted(image, detection)
