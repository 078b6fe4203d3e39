"""Codes that a plain look misses are read all the same, and what is no code is never one."""

import numpy as np
import pytest
from PIL import Image, ImageOps

import mediakit
from mediakit.tools.images.code_reader import reading
from mediakit.tools.images.code_reader.ballot import Ballot
from mediakit.tools.images.code_reader.ladder import Ladder
from mediakit.tools.images.code_reader.look import look
from mediakit.tools.images.code_reader.wish import Wish
from tests.support.codes_kit import SAMPLES, bent, blurred, coloured, faint, noisy, png, shaded, sheet, symbol, turned

BARS = ["EAN13", "Code128", "Code39", "ITF"]


PATIENCE = 5.0
"""Seconds of processor time, of which other programs on the machine take their share."""


def read(image: Image.Image) -> list[str]:
    return [code["text"] for code in reading.read(png(image), Wish(), PATIENCE)["codes"]]


@pytest.mark.parametrize("kind", BARS)
def test_bars_in_any_direction(kind: str) -> None:
    for degrees in (17, 45, 71, 128, 203):
        assert read(turned(symbol(kind, module=3), degrees)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", [*BARS, "QRCode", "PDF417"])
def test_light_on_dark(kind: str) -> None:
    assert read(ImageOps.invert(symbol(kind))) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", BARS)
def test_bars_that_are_hardly_darker_than_their_ground(kind: str) -> None:
    assert read(noisy(faint(symbol(kind)), 3)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", BARS)
def test_bars_in_noise(kind: str) -> None:
    assert read(noisy(symbol(kind, module=3), 90)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", [*BARS, "QRCode", "DataMatrix"])
def test_in_falling_light(kind: str) -> None:
    assert read(shaded(symbol(kind))) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", BARS)
def test_bars_out_of_focus(kind: str) -> None:
    assert read(blurred(symbol(kind, module=4), 3.2)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", ["EAN13", "Code128", "ITF"])
def test_bars_around_a_bottle(kind: str) -> None:
    assert read(bent(symbol(kind, module=4), 0.9)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", ["EAN13", "QRCode"])
def test_green_on_red_of_the_same_brightness(kind: str) -> None:
    assert read(coloured(symbol(kind), (0, 150, 0), (235, 25, 25))) == [SAMPLES[kind]]


@pytest.mark.parametrize("degrees", [8, 25, 140])
def test_a_stacked_code_that_lies_askew(degrees: int) -> None:
    assert read(turned(symbol("PDF417", module=3), degrees)) == [SAMPLES["PDF417"]]


def test_bars_in_a_frame_without_a_quiet_zone() -> None:
    image = symbol("Code128", module=3)
    ink = ImageOps.invert(image).getbbox()
    assert ink is not None
    tight = image.crop((ink[0] - 6, ink[1], ink[2] + 6, ink[3]))
    assert read(ImageOps.expand(ImageOps.expand(tight, 12, 30), 40, 235)) == [SAMPLES["Code128"]]


def test_a_place_found_by_a_harder_look_is_in_the_picture() -> None:
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


def test_a_clear_picture_gets_one_look() -> None:
    assert mediakit.code_reader(png(symbol("QRCode"))).meta["passes"] == 0


def test_a_sheet_of_labels_gets_a_second_look() -> None:
    first, second = symbol("QRCode", "first"), symbol("QRCode", "second")
    dark = faint(symbol("QRCode", "third"), 20, 40)
    assert set(read(sheet(first, second, dark))) >= {"first", "second"}


NOTHING = {
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


@pytest.mark.parametrize("name", NOTHING)
def test_invents_nothing(name: str) -> None:
    assert read(NOTHING[name]()) == []


def test_invents_nothing_in_many_random_stripes() -> None:
    stripes = np.random.default_rng(11)
    for _ in range(25):
        line = stripes.integers(0, 2, 120).repeat(3) * 255
        image = Image.fromarray(np.tile(line.astype(np.uint8), (120, 1)))
        assert Ladder(noisy(blurred(image, 1.5), 25), (), patience=0.2).climb().found == []


def test_a_retail_code_that_a_thin_band_of_lines_shows_needs_another_look() -> None:
    thin, tall = (look(symbol("EAN13", module=3).crop((0, 40, 400, 40 + lines)), ("EAN13",))[0] for lines in (4, 100))
    for sighting, believed in ((thin, False), (tall, True)):
        ballot = Ballot()
        ballot.cast([sighting], "plain", first=True)
        assert bool(ballot.believed()) is believed
        ballot.cast([sighting], "plain")
        assert bool(ballot.believed()) is believed
        ballot.cast([sighting], "sharpened")
        ballot.cast([sighting], "doubled")
        assert ballot.believed()


def test_of_two_retail_codes_on_one_spot_the_better_supported_is_given() -> None:
    right, wrong = (look(symbol("EAN13", text), ("EAN13",))[0] for text in ("4006381333931", "9074932437075"))
    ballot = Ballot()
    for name in ("one", "two"):
        ballot.cast([right, wrong], name)
    ballot.cast([right], "three")
    assert [each.sighting.text for each in ballot.believed()] == ["4006381333931"]


def test_short_digits_without_a_check_count_only_where_they_are_asked_for() -> None:
    content = png(symbol("ITF", "9004"))
    assert mediakit.code_reader(content).texts == []
    assert mediakit.code_reader(content, formats=["ITF"]).texts == ["9004"]
