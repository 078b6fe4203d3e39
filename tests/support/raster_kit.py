"""What the tests of pictures share."""

from typing import Any

from mediakit.engines import raster


def convert(content: bytes, **wishes: Any) -> raster.Converted:
    """Convert a picture in this process."""
    return raster.convert(content, raster.Recipe(**wishes))
