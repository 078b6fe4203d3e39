"""Symbols: the modules of QR codes and barcodes, and how they become rows of pixels and SVG paths.

A symbol is a Pillow image of mode "L" with one pixel per module, black on white, without a quiet zone.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Literal, cast

import zxingcpp
from PIL import Image

from mediakit.engines.colors import contrast_ratio, luminance
from mediakit.engines.png import Band
from mediakit.errors import InvalidInput
from mediakit.results.item import ResultWarning

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

ErrorCorrection = Literal["L", "M", "Q", "H"]

LEVELS: tuple[ErrorCorrection, ...] = ("L", "M", "Q", "H")

WHITE = 255
DARK_RUN = re.compile(rb"\0+")
ANTIALIAS_DEPTH = 4
"""Bits per pixel of images with antialiased edges."""
MIN_CONTRAST_RATIO = 3.0
"""Contrast ratio (WCAG 2) above which five readers decode colored codes as reliably as black on white."""


def encode(data: str, ecc: ErrorCorrection) -> Image.Image:
    """Return the symbol of a text: one pixel per module, black on white, without a quiet zone.

    Raises:
        InvalidInput: The text does not fit at this error correction level.
    """
    if (symbol := _encoded(data, ecc)) is not None:
        return symbol
    fitting = [level for level in LEVELS[: LEVELS.index(ecc)] if _encoded(data, level)]
    fix = f"Use ecc {fitting[-1]} or shorten the text" if fitting else "Shorten the text"
    length = f"{len(data)} characters ({len(data.encode())} bytes)"
    raise InvalidInput(f"data: {length} do not fit into a QR code at ecc {ecc}. {fix}.")


def _encoded(data: str, ecc: ErrorCorrection) -> Image.Image | None:
    """Return the symbol of a text; None if it does not fit."""
    # Without a designator of the character set, readers guess it and often guess wrong.
    options = {} if data.isascii() else {"eci": "UTF-8"}
    try:
        code = zxingcpp.create_barcode(data, zxingcpp.BarcodeFormat.QRCode, ec_level=ecc, **options)
    except ValueError:
        return None
    side, pixels = symbol_pixels(code)
    return Image.frombytes("L", (side, side), pixels)


def symbol_pixels(barcode: "zxingcpp.Barcode") -> tuple[int, bytes]:
    """Return the width of a symbol and its pixels, one byte per module."""
    image = barcode.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    return image.shape[1], bytes(memoryview(cast("Buffer", image)))


def symbol_bands(barcode: "zxingcpp.Barcode") -> list[Band]:
    """Return the rows of a symbol. Those of PDF417 are several modules high."""
    width, pixels = symbol_pixels(barcode)
    return equal_rows(pixels, width)


def equal_rows(pixels: bytes, width: int) -> list[Band]:
    """Group the rows of one byte per pixel that equal the one above."""
    rows = (pixels[start : start + width] for start in range(0, len(pixels), width))
    return [(row, len(list(equal))) for row, equal in groupby(rows)]


def svg_path(symbol: Image.Image, margin: int = 0) -> str:
    """Return an SVG path with one line per run of dark modules, one module thick; `margin` is in modules."""
    width, pixels = symbol.width, symbol.tobytes()
    x, y, moves = 0, 0, [f"M{margin} {margin}.5"]
    for top in range(symbol.height):
        for run in DARK_RUN.finditer(pixels, top * width, (top + 1) * width):
            left, right = run.start() - top * width, run.end() - top * width
            moves.append(f"m{left - x} {top - y}h{right - left}")
            x, y = right, top
    return "".join(moves)


@lru_cache(maxsize=64)
def gradient_palette(dark: str, light: str, depth: int) -> bytes:
    """Return the palette from `dark` to `light` for an image with `depth` bits per pixel."""
    pairs = list(zip(bytes.fromhex(dark[1:]), bytes.fromhex(light[1:]), strict=True))
    last = 2**depth - 1
    return bytes(round(first + (end - first) * step / last) for step in range(last + 1) for first, end in pairs)


@lru_cache(maxsize=64)
def cut_out_palette(dark: str, light: str, depth: int) -> tuple[bytes, bytes]:
    """Return a palette of `dark` with decreasing opacity, and its alpha. The transparent color is `light`."""
    last = 2**depth - 1
    alpha = bytes(255 - round(255 * step / last) for step in range(last + 1))
    return bytes.fromhex(dark[1:] * last + light[1:]), alpha


def pack_bands(bands: Sequence[Band], depth: int) -> list[Band]:
    """Pack rows of gray values as indexes into a `gradient_palette`."""
    width = len(bands[0][0])
    size, stride = (width, len(bands)), (width * depth + 7) // 8
    indexes = b"".join([row for row, _ in bands]).translate(_palette_indexes(depth))
    packed = Image.frombytes("P", size, indexes).tobytes("raw", f"P;{depth}")
    rows = (packed[start : start + stride] for start in range(0, len(packed), stride))
    return [(row, height) for row, (_, height) in zip(rows, bands, strict=True)]


@lru_cache(maxsize=4)
def _palette_indexes(depth: int) -> bytes:
    """Return the palette index of each gray value."""
    return bytes((value * (2**depth - 1) + 127) // 255 for value in range(256))


def color_warnings(dark: str, light: str) -> list[ResultWarning]:
    """Return warnings about the colors of a code, each written as `#rrggbb`."""
    if (dark, light) == ("#000000", "#ffffff"):
        return []
    contrast, found = contrast_ratio(dark, light), list[ResultWarning]()
    if contrast < MIN_CONTRAST_RATIO:
        message = (
            f"dark, light: contrast is {contrast:.1f}; scanners need a contrast of {MIN_CONTRAST_RATIO:.0f} or more."
        )
        found.append({"code": "low_contrast", "message": message})
    if is_lighter(dark, light):
        message = "dark, light: the code is lighter than its background; many scanners read only dark on light."
        found.append({"code": "inverted", "message": message})
    return found


def is_lighter(color: str, than: str) -> bool:
    """Return whether a color has a higher luminance than another one."""
    return luminance(color) > luminance(than)
