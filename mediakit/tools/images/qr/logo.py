"""The logo in the center of a QR code, as large as error correction allows."""

from io import BytesIO

import pybase64
from PIL import Image, ImageOps

from mediakit.core.runtime import runtime
from mediakit.engines import raster
from mediakit.engines.symbol.qr import ErrorCorrection
from mediakit.errors import InvalidInput

MAX_AREA_SHARES: dict[ErrorCorrection, float] = {"H": 0.3, "Q": 0.22}
"""Side of the cleared area relative to the code. Four readers decode 0.35 at H and 0.3 at Q."""
MIN_AREA_MODULES = 5
"""Minimum side of the cleared area."""
LOGO_SHARE = 0.86
"""Side of the logo relative to the cleared area; the rest stays light."""
MAX_LOGO_PIXELS = 600
"""Longest side of the logo: 0.3 of the largest PNG, also used in SVG."""


def area_sides(modules: int, ecc: ErrorCorrection) -> list[int]:
    """Return the sides of the cleared area to try, in modules, largest first.

    They are odd, like the side of the code, so that whole modules are covered.
    """
    sides = (int(modules * MAX_AREA_SHARES[ecc] * part - 1) // 2 * 2 + 1 for part in (1, 0.75, 0.5))
    return list(dict.fromkeys(max(MIN_AREA_MODULES, side) for side in sides))


def clear_center(symbol: Image.Image, side: int) -> Image.Image:
    """Return the symbol without the modules of its central area."""
    start = (symbol.width - side) // 2
    cleared = symbol.copy()
    cleared.paste(255, (start, start, start + side, start + side))
    return cleared


def load(content: bytes) -> Image.Image:
    """Decode a logo and limit its size.

    Raises:
        InvalidInput: The file is not an image, is damaged or too large.
    """
    try:
        options = raster.ConvertOptions(width=MAX_LOGO_PIXELS, height=MAX_LOGO_PIXELS, fit="inside", format="png")
        converted = runtime.run(raster.convert_isolated(content, options))
    except InvalidInput as error:
        raise InvalidInput(f"logo:{error.message.removeprefix('file:')}") from None
    with Image.open(BytesIO(converted.content)) as image:
        return image.convert("RGBA")


def paste(code: Image.Image, logo: Image.Image, area_side: int) -> None:
    """Paste the logo into the center of a code.

    Args:
        code: Image to change.
        logo: Result of `load`.
        area_side: Side of the cleared area, in pixels.
    """
    side = max(1, round(area_side * LOGO_SHARE))
    small = ImageOps.contain(logo, (side, side), Image.Resampling.LANCZOS)
    corner = (code.width - small.width) // 2, (code.height - small.height) // 2
    if code.mode == "RGBA":
        code.alpha_composite(small, corner)
    else:
        code.paste(small, corner, small)


def svg_image(logo: Image.Image, modules: int, area_side: int) -> str:
    """Return the logo as an SVG element in the center of the code.

    Args:
        logo: Result of `load`.
        modules: Side of the whole image, in modules.
        area_side: Side of the cleared area, in modules.
    """
    logo.save(file := BytesIO(), "PNG")
    side = area_side * LOGO_SHARE
    start = (modules - side) / 2
    return (
        f'<image x="{start:g}" y="{start:g}" width="{side:g}" height="{side:g}" '
        f'href="data:image/png;base64,{pybase64.b64encode(file.getvalue()).decode()}"/>'
    )
