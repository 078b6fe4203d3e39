"""Blurred, small and curved matrix codes are read, and textures without a code are not."""

import random

import numpy as np
import pytest
from PIL import Image, ImageOps

from mediakit.tools.images.code_reader.regions import find_matrix_regions
from mediakit.tools.images.code_reader.scan_file import scan
from mediakit.tools.images.code_reader.tool import CodeReaderRequest
from tests.support.codes_kit import (
    SAMPLES,
    bent,
    blurred,
    bowed,
    defocused,
    framed,
    moved,
    noisy,
    png,
    symbol,
    text_page,
)

SQUARE = ["QRCode", "DataMatrix", "Aztec"]
MODULE = 4


def read(image: Image.Image, *formats: str, seconds: float = 5.0) -> list[str]:
    return [
        code["text"] for code in scan(CodeReaderRequest(png(image), formats=list(formats) or None), seconds)["codes"]
    ]


def on_table(image: Image.Image) -> Image.Image:
    return ImageOps.expand(image, 40, 225)


@pytest.mark.parametrize("kind", SQUARE)
@pytest.mark.parametrize("blur", [0.6, 0.75])
def test_blurred_matrix_code_is_read(kind: str, blur: float) -> None:
    options = {"options": "forceSquare"} if kind == "DataMatrix" else {}
    image = defocused(on_table(symbol(kind, module=MODULE, **options)), blur * MODULE)
    assert read(image) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", SQUARE)
def test_matrix_code_blurred_by_motion_is_read(kind: str) -> None:
    options = {"options": "forceSquare"} if kind == "DataMatrix" else {}
    assert read(moved(on_table(symbol(kind, module=MODULE, **options)), int(1.8 * MODULE))) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", SQUARE)
def test_small_matrix_code_on_a_page_of_text_is_read(kind: str) -> None:
    options = {"options": "forceSquare"} if kind == "DataMatrix" else {}
    code = symbol(kind, module=MODULE, **options)
    ink = ImageOps.invert(code).getbbox()
    assert ink is not None
    small = code.crop((ink[0] - 8, ink[1] - 8, ink[2] + 8, ink[3] + 8)).resize(
        (round((ink[2] - ink[0] + 16) * 0.5), round((ink[3] - ink[1] + 16) * 0.5)), Image.Resampling.BICUBIC
    )
    page = text_page()
    page.paste(small, (700, 905))
    assert read(page) == [SAMPLES[kind]]


def test_position_of_blurred_matrix_code_is_in_image_pixels() -> None:
    code = symbol("QRCode", module=MODULE)
    paper = Image.new("L", (700, 500), 225)
    paper.paste(code, (200, 150))
    ink = ImageOps.invert(code).getbbox()
    assert ink is not None
    box = scan(CodeReaderRequest(png(defocused(paper, 0.85 * MODULE))), 5.0)["codes"][0]["box"]
    assert box["x"] == pytest.approx(200 + ink[0], abs=MODULE)
    assert box["y"] == pytest.approx(150 + ink[1], abs=MODULE)
    assert box["width"] == pytest.approx(ink[2] - ink[0], abs=2 * MODULE)


def test_blurred_matrix_code_is_not_returned_if_only_other_formats_are_requested() -> None:
    image = defocused(on_table(symbol("QRCode", module=MODULE)), 0.85 * MODULE)
    assert read(image, "QRCode") == [SAMPLES["QRCode"]]
    assert read(image, "Aztec", "PDF417") == []


@pytest.mark.parametrize("kind", ["PDF417", "Aztec"])
def test_matrix_code_on_a_cylinder_seen_from_above_is_read(kind: str) -> None:
    image = symbol(kind, module=3)
    ink = ImageOps.invert(image).getbbox()
    assert ink is not None
    label = image.crop((ink[0] - 6, ink[1] - 20, ink[2] + 6, ink[3] + 20))
    assert read(ImageOps.expand(bowed(bent(label, 0.85), 0.06 * label.width), 30, 255)) == [SAMPLES[kind]]


@pytest.mark.parametrize("kind", ["EAN13", "EAN8", "UPCA", "Code39", "Code128", "ITF"])
def test_linear_code_that_a_frame_touches_is_read(kind: str) -> None:
    assert read(framed(symbol(kind, module=3))) == [SAMPLES[kind]]


def test_regions_contain_the_code_of_a_page() -> None:
    page = text_page()
    page.paste(symbol("QRCode", module=3).resize((90, 90), Image.Resampling.BICUBIC), (600, 700))
    best = find_matrix_regions(page, 1)[0]
    assert abs((best.left + best.right) / 2 - 645) < 15
    assert abs((best.top + best.bottom) / 2 - 745) < 15


def test_random_modules_return_no_code() -> None:
    chance = np.random.default_rng(3)
    for size in (12, 18, 25):
        for blur in (0.0, 0.6, 1.0):
            modules = (chance.integers(0, 2, (size, size)) * 255).astype(np.uint8)
            image = Image.fromarray(np.pad(modules, 5, constant_values=255)).resize((6 * size + 60,) * 2, 0)
            assert read(noisy(blurred(image, 6 * blur), 4), seconds=0.6) == []


def test_random_checkerboards_and_letters_return_no_code() -> None:
    chance = random.Random(8)
    page = text_page(600, 500)
    for _ in range(40):
        left, top, side = chance.randrange(560), chance.randrange(460), chance.randrange(4, 24)
        page.paste(chance.choice((20, 240)), (left, top, left + side, top + side))
    assert read(page, seconds=1) == []
    board = np.indices((20, 20)).sum(0) % 2 * 255
    assert read(blurred(Image.fromarray(board.astype(np.uint8)).resize((400, 400), 0), 3), seconds=1) == []
