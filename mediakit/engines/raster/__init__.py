"""Pictures as pixels: read hostile files safely, resize and crop them, write them small.

Nothing here knows HTTP or tools. Every refusal is an `InvalidInput` that begins with `file:`.
"""

from mediakit.engines.raster.convert import Converted, convert
from mediakit.engines.raster.formats import InputFormat, OutputFormat
from mediakit.engines.raster.geometry import Fit, Position
from mediakit.engines.raster.guarded import convert_guarded
from mediakit.engines.raster.recipe import Recipe
from mediakit.engines.raster.source import Picture, read

__all__ = [
    "Converted",
    "Fit",
    "InputFormat",
    "OutputFormat",
    "Picture",
    "Position",
    "Recipe",
    "convert",
    "convert_guarded",
    "read",
]
