"""Codes as modules, and modules as files: what QR codes and barcodes share.

A symbol is a Pillow image of mode "L" with a pixel a module, black on white, without a quiet zone.
"""

from mediakit.engines.symbol.colours import Warn, colour_warnings
from mediakit.engines.symbol.modules import DARK_RUN, WHITE, modules_of, row_groups, strokes
from mediakit.engines.symbol.png import SHADES, Band, bands, indexed_png, packed_rows, shades

__all__ = [
    "DARK_RUN",
    "SHADES",
    "WHITE",
    "Band",
    "Warn",
    "bands",
    "colour_warnings",
    "indexed_png",
    "modules_of",
    "packed_rows",
    "row_groups",
    "shades",
    "strokes",
]
