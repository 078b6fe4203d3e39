"""Modules: from the encoder's picture to ours, and to a path of SVG."""

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


def modules_of(barcode: "zxingcpp.Barcode") -> Image.Image:
    """Give the symbol of a barcode that zxing-cpp made; a PDF417 row and a linear bar are several modules high."""
    image = barcode.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    height, width = image.shape
    return Image.frombytes("L", (width, height), bytes(memoryview(cast("Buffer", image))))


def strokes(symbol: Image.Image, margin: int = 0) -> str:
    """Draw each run of dark modules as a line of an SVG path, one module thick.

    Args:
        symbol: A pixel a module.
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


def row_groups(symbol: Image.Image) -> Iterator[tuple[int, int, bytes]]:
    """Give each run of equal rows: the first one's number, how many there are, and their pixels."""
    width, pixels, y = symbol.width, symbol.tobytes(), 0
    for row, equal in groupby(pixels[start : start + width] for start in range(0, len(pixels), width)):
        count = len(list(equal))
        yield y, count, row
        y += count
