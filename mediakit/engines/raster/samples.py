"""Samples of 12 and 16 bits of PNG and TIFF, which Pillow reduces to 8."""

from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile

from mediakit.engines.raster.structure import libtiff_tile

_RAW_MODES = {0: ("I;16",), 2: ("RGB;16B", "RGB;16L"), 4: ("RGBA",), 6: ("RGBA;16B", "RGBA;16L")}
"""Raw modes with which Pillow decodes all bytes of the samples, or the first ones and then the second ones, by color
type (ISO/IEC 15948, 11.2.2)."""
_TIFF_RAW_MODES = {1: ("I;16N",), 3: ("RGB;16L", "RGB;16B"), 4: ("RGBA;16L", "RGBA;16B")}
"""The same by the number of samples, which libtiff returns in the order of the processor: the low byte first."""
_WHITE = 0xFFFF
_BITS, _PHOTOMETRIC, _EXTRA_SAMPLES = 258, 262, 338
_WHITE_IS_ZERO, _MULTIPLIED_ALPHA, _ALPHA = 0, (1,), (2,)

Deep = NDArray[np.uint16]
"""Height, width and 1 to 4 channels; 65,535 is white or opaque."""


def read_png(content: bytes) -> Deep:
    """Return the pixels of a PNG with 16 bits per channel; its transparent color becomes a channel."""
    planes = []
    for raw_mode in _RAW_MODES[content[25]]:
        with PngImageFile(BytesIO(content)) as image:
            image.tile = [tile._replace(args=raw_mode) for tile in image.tile]
            planes.append(np.asarray(image).reshape(image.height, image.width, -1))
            transparent = image.info.get("transparency")
    high, low = planes[0], planes[-1]
    pixels = high.astype(np.uint16) << 8 | low if len(planes) == 2 else high.view(">u2").astype(np.uint16)
    if transparent is None:
        return pixels
    alpha = np.where((pixels == np.array(transparent)).all(axis=2, keepdims=True), 0, _WHITE)
    return np.concatenate((pixels, alpha.astype(np.uint16)), axis=2)


def read_tiff(page: TiffImageFile) -> Deep:
    """Return the upright pixels of a page of a TIFF that `is_deep`; black is 0, and alpha is not multiplied in."""
    tags, file = page.tag_v2, page.fp.getvalue()  # type: ignore[union-attr]  # always a BytesIO
    parts: list[Deep] = []
    bits, extra = tags[_BITS], tags.get(_EXTRA_SAMPLES, ())
    for raw_mode in ("I;12",) if bits == (12,) else _TIFF_RAW_MODES[len(bits)]:
        with TiffImageFile(BytesIO(file)) as image:
            image.seek(page.tell())
            image._mode, image.use_load_libtiff = raw_mode.partition(";")[0].replace("I", "I;16"), True  # noqa: SLF001
            image.tile = [libtiff_tile(raw_mode, (tags[256], tags[257]), tags.offset)]
            parts.append(np.asarray(image).reshape(image.height, image.width, -1).astype(np.uint16))
    pixels = parts[0] << 8 | parts[1] if len(parts) == 2 else parts[0]
    if bits == (12,):
        pixels = pixels << 4 | pixels >> 8
    if tags.get(_PHOTOMETRIC) == _WHITE_IS_ZERO:
        pixels = ~pixels
    if extra == _MULTIPLIED_ALPHA:
        alpha = np.maximum(pixels[..., -1:], 1) / _WHITE
        pixels[..., :-1] = (pixels[..., :-1] / alpha).clip(0, _WHITE).round()
    return (pixels if extra in (_MULTIPLIED_ALPHA, _ALPHA) else pixels[..., :3]).astype(np.uint16)


def in_eight_bits(pixels: Deep) -> Image.Image:
    """Return pixels as an image: L, LA, RGB or RGBA."""
    reduced = (pixels >> 8).astype(np.uint8)
    return Image.fromarray(reduced[..., 0] if reduced.shape[2] == 1 else reduced)


def with_pixels(image: Image.Image, pixels: Deep) -> None:
    """Give an opened image pixels, reduced to 8 bits."""
    stored = in_eight_bits(pixels)
    image.im, image._mode = stored.im, stored.mode  # noqa: SLF001 - as the plugins of Pillow do
    image.info.pop("transparency", None)
