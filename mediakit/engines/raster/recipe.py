"""What is wanted of a picture."""

from dataclasses import dataclass

from mediakit.engines.raster.formats import OutputFormat
from mediakit.engines.raster.geometry import Fit, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Size, crop, format and weight of the result; what is not said stays as it is."""

    width: int | None = None
    """Pixels; with `height` unset the aspect ratio is kept."""
    height: int | None = None
    """Pixels; with `width` unset the aspect ratio is kept."""
    fit: Fit = "cover"
    """What to do when both are set and the ratio differs."""
    position: Position = "center"
    """What `cover` keeps, and where `contain` puts the picture."""
    without_enlargement: bool = False
    """Never scale up; `cover` may then come out smaller than asked."""
    format: OutputFormat | None = None
    """Unset: that of the file, and for GIF and TIFF PNG, or WebP when it moves."""
    quality: int | None = None
    """1 to 100 for JPEG, WebP and AVIF; PNG is lossless."""
    max_bytes: int | None = None
    """What the file may weigh; the quality follows, and `quality` is then the highest to try."""
    background: str | None = None
    """`#rrggbb` behind transparency and around the picture; unset: nothing there, and white in JPEG."""
    keep_metadata: bool = False
    """Keep EXIF and XMP; the orientation is applied and colours become sRGB all the same."""
