"""Modules: the conversion of an encoder's image to a symbol, and of a symbol to an SVG path."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from PIL import Image

if TYPE_CHECKING:
    import zxingcpp
    from _typeshed import ReadableBuffer as Buffer

WHITE = 255
LIGHT = "\xff"
"""A light module as a character of Latin-1."""
_RUN = re.compile("(\xff*)(\0+)")
_TWO_RUNS = re.compile("\xff*\0+\xff+\0+|\xff*\0+")  # fewer matches, and few distinct ones
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
    width, pixels, path = symbol.width, symbol.tobytes().decode("latin-1"), []
    for y, start in enumerate(range(0, len(pixels), width), margin):
        row = pixels[start : start + width]
        if runs := row.strip(LIGHT):
            path.append(f"M{row.index(runs) + margin} {y}.5{''.join(map(_moves, _TWO_RUNS.findall(runs)))}")
    return "".join(path)


@lru_cache(maxsize=4096)
def _moves(runs: str) -> str:
    """Return the path of up to two runs of dark modules, each after its run of light ones."""
    return "".join(f"m{len(light)} 0h{len(dark)}" if light else f"h{len(dark)}" for light, dark in _RUN.findall(runs))


def equal_rows(symbol: Image.Image) -> Iterator[tuple[int, int, bytes]]:
    """Yield each group of equal rows: number of the first row, number of rows, and their pixels."""
    width, pixels, y = symbol.width, symbol.tobytes(), 0
    while row := pixels[y * width : (y + 1) * width]:
        count = 1
        while pixels.startswith(row, (y + count) * width):
            count += 1
        yield y, count, row
        y += count
