"""Draws the images of a comparison."""

import zlib
from io import BytesIO
from typing import TYPE_CHECKING, Any

from PIL import Image

from mediakit.engines.raster.encode import encode
from mediakit.tools.images.image_compare.loading import on_checkerboard
from mediakit.tools.images.image_compare.matching import ANTIALIASED, DIFFERENT

if TYPE_CHECKING:
    import numpy as np

    Codes = np.ndarray[Any, np.dtype[np.uint8]]

IGNORED = 3
"""Code of a pixel that was not compared, beside those of `matching`."""

_OPACITY = 0.2
"""Opacity of the first image behind the differences."""
_SHADES = 24
COLORS = {ANTIALIASED: (255, 212, 0), DIFFERENT: (224, 0, 32), IGNORED: (186, 208, 240)}

_GAP = 16
_MAX_PIXELS = 24_000_000
"""Pixels of the images side by side; larger ones are scaled down."""
_MAX_BLINK_SIDE = 1600
_BLINK_MS = 700


def diff_image(image: Image.Image, codes: "Codes") -> Image.Image:
    """Return the pale first image with different pixels in red, antialiased ones in yellow, ignored areas in blue.

    Args:
        image: The first image.
        codes: What is known of each pixel; may be larger than the image.
    """
    import numpy as np

    height, width = codes.shape
    gray = Image.new("L", (width, height), 255)
    gray.paste(on_checkerboard(image).convert("L"))
    shades = [round(level * (_SHADES - 1) / 255) for level in range(256)]
    indexes = np.array(gray.point(shades))
    for code in COLORS:
        indexes[codes == code] = _SHADES + code
    drawn = Image.fromarray(indexes)
    levels = [255 - round(_OPACITY * (255 - shade * 255 / (_SHADES - 1))) for shade in range(_SHADES)]
    palette = [(level, level, level) for level in levels] + [(255, 255, 255)] + list(COLORS.values())
    drawn.putpalette([part for color in palette for part in color])
    return drawn


def encode_diff(image: Image.Image) -> bytes:
    """Encode an image with a palette as PNG."""
    target = BytesIO()
    image.save(target, "PNG", compress_level=1, compress_type=zlib.Z_RLE if image.width * image.height > 4e6 else 0)
    return target.getvalue()


def side_by_side(images: list[Image.Image]) -> tuple[bytes, float]:
    """Return a PNG of images from left to right, and the scale at which it shows them."""
    width, height = sum(image.width for image in images), max(image.height for image in images)
    scale = min(1.0, (_MAX_PIXELS / (width * height)) ** 0.5)
    shown = [_scaled(image, scale) for image in images]
    gaps = _GAP * (len(shown) - 1)
    canvas = Image.new("RGB", (sum(one.width for one in shown) + gaps, max(one.height for one in shown)), "white")
    left = 0
    for image in shown:
        canvas.paste(image, (left, 0))
        left += image.width + _GAP
    return encode(canvas, "png"), scale


def blink(first: Image.Image, second: Image.Image) -> tuple[bytes, float]:
    """Return an animated WebP that alternates between two images, and the scale at which it shows them."""
    size = max(first.width, second.width), max(first.height, second.height)
    scale = min(1.0, _MAX_BLINK_SIDE / max(size))
    frames = []
    for image in (first, second):
        canvas = Image.new("RGB", [max(1, round(side * scale)) for side in size], "white")
        canvas.paste(_scaled(image, scale))
        frames.append(canvas)
    target = BytesIO()
    frames[0].save(
        target, "WEBP", save_all=True, append_images=frames[1:], duration=_BLINK_MS, loop=0, quality=80, method=2
    )
    return target.getvalue(), scale


def _scaled(image: Image.Image, scale: float) -> Image.Image:
    flat = on_checkerboard(image).convert("RGB")
    if scale == 1:
        return flat
    size = (max(1, round(flat.width * scale)), max(1, round(flat.height * scale)))
    return flat.resize(size, Image.Resampling.BOX, reducing_gap=2.0)
