"""Symbols: the modules of QR codes and barcodes, and how they become PNG and SVG files.

A symbol is a Pillow image of mode "L" with one pixel per module, black on white, without a quiet zone.
"""

from mediakit.engines.colors import contrast_ratio
from mediakit.engines.symbol.contrast import color_warnings, is_lighter
from mediakit.engines.symbol.modules import DARK_RUN, WHITE, Band, svg_path, symbol_bands
from mediakit.engines.symbol.png import (
    ANTIALIAS_DEPTH,
    cut_out_palette,
    encode_indexed,
    gradient_palette,
    pack_bands,
    pack_digits,
    palette_digits,
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
    "gradient_palette",
    "is_lighter",
    "pack_bands",
    "pack_digits",
    "palette_digits",
    "svg_path",
    "symbol_bands",
]
