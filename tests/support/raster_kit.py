"""Helpers of the raster tests."""

from typing import Any

from mediakit.engines import raster


def convert(content: bytes, **options: Any) -> raster.Converted:
    """Convert an image in this process."""
    return raster.convert(content, raster.ConvertOptions(**options))
