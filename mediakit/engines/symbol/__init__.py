"""Symbols: the modules of QR codes and barcodes, and how they become PNG and SVG files.

A symbol is a Pillow image of mode "L" with one pixel per module, black on white, without a quiet zone.
"""

from mediakit.engines.contrast import contrast_ratio
from mediakit.engines.symbol.contrast import color_warnings, is_lighter
from mediakit.engines.symbol.modules import DARK_RUN, WHITE, equal_rows, svg_path, symbol_image
from mediakit.engines.symbol.png import (
    ANTIALIAS_DEPTH,
    Band,
    cut_out_palette,
    encode_indexed,
    gradient_palette,
    pack_bands,
    pack_rows,
)

__all__ = [
    "ANTIALIAS_DEPTH",
    "DARK_RUN",
    "WHITE",
    "Band",
    "color_warnings",
    "contrast_ratio",
    "cut_out_palette",
    "encode_indexed",
    "equal_rows",
    "gradient_palette",
    "is_lighter",
    "pack_bands",
    "pack_rows",
    "svg_path",
    "symbol_image",
]
