"""Raster images: validate and decode untrusted files, resize and crop them, encode them small.

This package knows neither HTTP nor tools. A rejected file raises an `InvalidInput` that begins with `file:`.
"""

from mediakit.engines.raster.convert import Converted, ConvertOptions, convert, convert_isolated
from mediakit.engines.raster.formats import InputFormat, OutputFormat
from mediakit.engines.raster.geometry import Fit, PositionField, RelativeArea
from mediakit.engines.raster.source import SourceImage, read_header

__all__ = [
    "ConvertOptions",
    "Converted",
    "Fit",
    "InputFormat",
    "OutputFormat",
    "PositionField",
    "RelativeArea",
    "SourceImage",
    "convert",
    "convert_isolated",
    "read_header",
]
