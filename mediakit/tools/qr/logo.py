"""A picture in the middle of the code, as large as error correction allows."""

from io import BytesIO

import pybase64
from PIL import Image

from mediakit.engines import raster
from mediakit.engines.qr_symbol import ErrorCorrection
from mediakit.errors import InvalidInput

SHARES: dict[ErrorCorrection, float] = {"H": 0.3, "Q": 0.22}
"""Side of the space for it, of the code's; four readers read 0.35 at H and 0.3 at Q."""
SMALLEST = 5
"""Modules of that space."""
FILLED = 0.86
"""Share of the space that the picture takes; the rest stays light around it."""
SVG_PIXELS = 600
"""Longest side of the picture in an SVG."""


def space(modules: int, ecc: ErrorCorrection) -> int:
    """Give the side of the space for it, in modules: odd, as the code's, so that it covers whole modules."""
    return max(SMALLEST, int(modules * SHARES[ecc] - 1) // 2 * 2 + 1)


def cleared(symbol: Image.Image, side: int) -> Image.Image:
    """Give the symbol without the modules in its middle."""
    start = (symbol.width - side) // 2
    made = symbol.copy()
    made.paste(255, (start, start, start + side, start + side))
    return made


def picture(content: bytes, pixels: int) -> Image.Image:
    """Read a picture and scale it to fit a square.

    Raises:
        InvalidInput: The file is no picture, damaged or too large.
    """
    try:
        made = raster.convert(content, width=pixels, height=pixels, fit="inside", format="png")
    except InvalidInput as error:
        raise InvalidInput(f"logo:{error.message.removeprefix('file:')}") from None
    with Image.open(BytesIO(made.content)) as image:
        return image.convert("RGBA")


def paste(code: Image.Image, content: bytes, space: int) -> None:
    """Put the picture into the middle of a code.

    Args:
        code: What to change.
        content: The picture's file.
        space: Side of the space for it, in pixels.
    """
    image = picture(content, max(1, round(space * FILLED)))
    code.paste(image, ((code.width - image.width) // 2, (code.height - image.height) // 2), image)


def svg(content: bytes, modules: int, space: int) -> str:
    """Embed the picture in the middle of an SVG.

    Args:
        content: The picture's file.
        modules: Side of the whole drawing.
        space: Side of the space for it, in modules.
    """
    picture(content, SVG_PIXELS).save(file := BytesIO(), "PNG")
    side = space * FILLED
    start = (modules - side) / 2
    return (
        f'<image x="{start:g}" y="{start:g}" width="{side:g}" height="{side:g}" '
        f'href="data:image/png;base64,{pybase64.b64encode(file.getvalue()).decode()}"/>'
    )
