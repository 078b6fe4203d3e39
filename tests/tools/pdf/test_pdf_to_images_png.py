"""PNG encoding of rendered pages, read back with Pillow."""

import io

import numpy as np
import pytest
from PIL import Image

from mediakit.engines.png import ROWS_PER_STRIP
from mediakit.tools.pdf.pdf_to_images.drawing import encode_pixels


def decoded(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("shape", [(1, 1), (7, 1), (1, 9), (ROWS_PER_STRIP, 5), (2 * ROWS_PER_STRIP + 1, 33)])
def test_every_pixel_of_noise_is_kept(shape: tuple[int, int], channels: int) -> None:
    pixels = np.random.default_rng(7).integers(0, 256, (*shape, channels), np.uint8)
    image = decoded(encode_pixels(pixels))
    assert image.mode == {3: "RGB", 4: "RGBA"}[channels]
    assert (np.asarray(image) == pixels).all()


def test_page_of_plain_and_photographic_strips_keeps_every_pixel() -> None:
    pixels = np.full((4 * ROWS_PER_STRIP, 64, 3), 255, np.uint8)
    pixels[150:300] = np.random.default_rng(3).integers(0, 256, (150, 64, 3), np.uint8)
    assert (np.asarray(decoded(encode_pixels(pixels))) == pixels).all()


def test_gradients_are_smaller_than_their_pixels() -> None:
    across = np.arange(256, dtype=np.uint8)
    pixels = np.stack([np.add.outer(across, across)] * 3, axis=2)
    assert len(encode_pixels(pixels)) < pixels.size / 20


def test_resolution_is_stored() -> None:
    pixels = np.zeros((2, 2, 3), np.uint8)
    assert decoded(encode_pixels(pixels, 150)).info["dpi"] == pytest.approx((150, 150), abs=0.1)
    assert "dpi" not in decoded(encode_pixels(pixels)).info
