"""A picture in the middle of the code, as large as error correction allows."""

from io import BytesIO

import pybase64
from PIL import Image, ImageOps

from mediakit.core.runtime import runtime
from mediakit.engines import raster
from mediakit.engines.symbol.qr import ErrorCorrection
from mediakit.errors import InvalidInput

SHARES: dict[ErrorCorrection, float] = {"H": 0.3, "Q": 0.22}
"""Side of the space for it, of the code's; four readers read 0.35 at H and 0.3 at Q."""
SMALLEST = 5
"""Modules of that space."""
FILLED = 0.86
"""Share of the space that the picture takes; the rest stays light around it."""
PIXELS = 600
"""Longest side of the picture: 0.3 of the largest code, and of any SVG."""


def spaces(modules: int, ecc: ErrorCorrection) -> list[int]:
    """Give the sides of the space for it that are worth a try, in modules: odd, as the code's, to cover whole ones."""
    sides = (int(modules * SHARES[ecc] * part - 1) // 2 * 2 + 1 for part in (1, 0.75, 0.5))
    return list(dict.fromkeys(max(SMALLEST, side) for side in sides))


def cleared(symbol: Image.Image, side: int) -> Image.Image:
    """Give the symbol without the modules in its middle."""
    start = (symbol.width - side) // 2
    made = symbol.copy()
    made.paste(255, (start, start, start + side, start + side))
    return made


def read(content: bytes) -> Image.Image:
    """Read a picture, as large as it is ever needed.

    Raises:
        InvalidInput: The file is no picture, damaged or too large.
    """
    try:
        options = raster.ConvertOptions(width=PIXELS, height=PIXELS, fit="inside", format="png")
        made = runtime.run(raster.convert_isolated(content, options))
    except InvalidInput as error:
        raise InvalidInput(f"logo:{error.message.removeprefix('file:')}") from None
    with Image.open(BytesIO(made.content)) as image:
        return image.convert("RGBA")


def paste(code: Image.Image, picture: Image.Image, space: int) -> None:
    """Put the picture into the middle of a code.

    Args:
        code: What to change.
        picture: What `read` gave.
        space: Side of the space for it, in pixels.
    """
    side = max(1, round(space * FILLED))
    small = ImageOps.contain(picture, (side, side), Image.Resampling.LANCZOS)
    code.paste(small, ((code.width - small.width) // 2, (code.height - small.height) // 2), small)


def svg(picture: Image.Image, modules: int, space: int) -> str:
    """Embed the picture in the middle of an SVG.

    Args:
        picture: What `read` gave.
        modules: Side of the whole drawing.
        space: Side of the space for it, in modules.
    """
    picture.save(file := BytesIO(), "PNG")
    side = space * FILLED
    start = (modules - side) / 2
    return (
        f'<image x="{start:g}" y="{start:g}" width="{side:g}" height="{side:g}" '
        f'href="data:image/png;base64,{pybase64.b64encode(file.getvalue()).decode()}"/>'
    )
