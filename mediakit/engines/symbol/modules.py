"""Modules: the conversion of an encoder's image to a symbol, and of a symbol to an SVG path."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, cast

from PIL import Image

if TYPE_CHECKING:
    import zxingcpp
    from _typeshed import ReadableBuffer as Buffer

WHITE = 255
DARK_RUN = re.compile(rb"\0+")


def symbol_image(barcode: "zxingcpp.Barcode") -> Image.Image:
    """Return the symbol of a zxing-cpp barcode. Rows of PDF417 and linear bars are several modules high."""
    image = barcode.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    height, width = image.shape
    return Image.frombytes("L", (width, height), bytes(memoryview(cast("Buffer", image))))


def svg_path(symbol: Image.Image, margin: int = 0) -> str:
    """Return an SVG path with one line per run of dark modules, one module thick.

    Args:
        symbol: A symbol.
        margin: Quiet zone above and to the left, in modules.
    """
    width, pixels, path = symbol.width, symbol.tobytes(), []
    for y in range(symbol.height):
        end = None
        for run in DARK_RUN.finditer(pixels, y * width, (y + 1) * width):
            start, length = run.start() - y * width, run.end() - run.start()
            move = f"M{start + margin} {y + margin}.5" if end is None else f"m{start - end} 0"
            path.append(f"{move}h{length}")
            end = start + length
    return "".join(path)


def equal_rows(symbol: Image.Image) -> Iterator[tuple[int, int, bytes]]:
    """Yield each group of equal rows: number of the first row, number of rows, and their pixels."""
    width, pixels, y = symbol.width, symbol.tobytes(), 0
    for row, equal in groupby(pixels[start : start + width] for start in range(0, len(pixels), width)):
        count = len(list(equal))
        yield y, count, row
        y += count
