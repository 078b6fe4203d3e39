"""Codes as modules, and modules as files: what QR codes and barcodes share.

A symbol is a Pillow image of mode "L" with a pixel a module, black on white, without a quiet zone.
"""

from mediakit.engines.symbol.colours import Warn, colour_warnings
from mediakit.engines.symbol.modules import WHITE, modules_of, row_groups, strokes
from mediakit.engines.symbol.png import Band, indexed_png, shades

__all__ = ["WHITE", "Band", "Warn", "colour_warnings", "indexed_png", "modules_of", "row_groups", "shades", "strokes"]
