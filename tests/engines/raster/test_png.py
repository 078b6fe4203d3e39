"""PNG encoding of photographs is lossless for every mode and size."""

from io import BytesIO

import pytest
from PIL import Image, ImageFilter

from mediakit.engines.png import ROWS_PER_STRIP as ROWS
from mediakit.engines.png import encode_photo, is_photographic


def noise(mode: str, size: tuple[int, int]) -> Image.Image:
    return Image.merge(mode, [Image.effect_noise(size, 20 * (1 + band)) for band in range(len(mode))])


@pytest.mark.parametrize("mode", ["L", "LA", "RGB", "RGBA"])
@pytest.mark.parametrize("size", [(1, 1), (1, 300), (300, 1), (97, ROWS), (97, ROWS + 1), (31, 3 * ROWS - 1)])
def test_encode_photo_keeps_every_pixel(mode: str, size: tuple[int, int]) -> None:
    image = noise(mode, size)
    with Image.open(BytesIO(encode_photo(image))) as read:
        assert (read.format, read.mode, read.size) == ("PNG", mode, size)
        assert read.tobytes() == image.tobytes()


def test_encode_photo_is_smaller_than_without_a_filter() -> None:
    image = noise("RGB", (400, 300)).filter(ImageFilter.GaussianBlur(3))
    unfiltered = BytesIO()
    image.convert("RGBX").convert("RGB").save(unfiltered, "TIFF", compression="tiff_adobe_deflate")
    assert len(encode_photo(image)) < len(unfiltered.getvalue())


def test_noise_is_photographic_and_a_gradient_is_not() -> None:
    assert is_photographic(noise("RGB", (400, 300)))
    assert not is_photographic(Image.radial_gradient("L").resize((2000, 2000), Image.Resampling.BICUBIC))
