"""Modules: the conversion of an encoder's image to rows of modules, and of a symbol to an SVG path."""

import re
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, cast

from PIL import Image

if TYPE_CHECKING:
    import zxingcpp
    from _typeshed import ReadableBuffer as Buffer

WHITE = 255
ROW_END = "\n"
_RUN = re.compile("([^\0]*)(\0+)")
_TWO_RUNS = re.compile("[^\0]*\0+[^\0]+\0+|[^\0]*\0+")  # fewer matches, and few distinct ones
MAX_KNOWN_MOVES = 4096
DARK_RUN = re.compile(rb"\0+")


class Band(NamedTuple):
    """A group of equal rows."""

    row: bytes
    """One row: a byte per module, black on white, or pixels that are packed at the bit depth of an image."""
    height: int
    """Number of rows."""


def symbol_pixels(barcode: "zxingcpp.Barcode") -> tuple[int, bytes]:
    """Return the width of a symbol and its pixels, one byte per module."""
    image = barcode.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
    return image.shape[1], bytes(memoryview(cast("Buffer", image)))


def symbol_bands(barcode: "zxingcpp.Barcode") -> list[Band]:
    """Return the rows of a symbol. Those of PDF417 are several modules high."""
    width, pixels = symbol_pixels(barcode)
    rows = [pixels[start : start + width] for start in range(0, len(pixels), width)]
    return [Band(row, len(list(equal))) for row, equal in groupby(rows)]


def svg_path(symbol: Image.Image, margin: int = 0) -> str:
    """Return an SVG path with one line per run of dark modules, one module thick.

    Args:
        symbol: A symbol.
        margin: Quiet zone above and to the left, in modules.
    """
    width, pixels = symbol.width, symbol.tobytes().decode("latin-1")
    rows = [pixels[start : start + width] for start in range(0, len(pixels), width)]
    runs = _TWO_RUNS.findall(ROW_END.join(rows))
    return f"M{margin} {margin}.5{''.join(map(_moves(width).__getitem__, runs))}"


class _Moves(dict[str, str]):
    """The path of up to two runs of dark modules, each after the light modules and ends of rows before it."""

    def __init__(self, width: int) -> None:
        """Store the modules of a row."""
        super().__init__()
        self._width = width

    def __missing__(self, runs: str) -> str:
        """Make the path of runs, and keep it for the next ones."""
        if len(self) >= MAX_KNOWN_MOVES:
            self.clear()
        path = self[runs] = "".join(self._move(light, len(dark)) for light, dark in _RUN.findall(runs))
        return path

    def _move(self, light: str, length: int) -> str:
        down = light.count(ROW_END)
        return f"m{len(light) - down * (self._width + 1)} {down}h{length}" if light else f"h{length}"


@lru_cache(maxsize=64)
def _moves(width: int) -> _Moves:
    return _Moves(width)
