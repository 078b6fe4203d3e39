"""Options of a conversion."""

from dataclasses import dataclass

from mediakit.engines.raster.area import RelativeArea
from mediakit.engines.raster.formats import OutputFormat
from mediakit.engines.raster.geometry import Fit, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions:
    """Size, crop, format and file size of the result. Unset options leave the image as it is."""

    crop: RelativeArea | None = None
    """Area of the upright image to keep. All other options apply to this area."""
    width: int | None = None
    """Pixels; without `height` the aspect ratio is kept."""
    height: int | None = None
    """Pixels; without `width` the aspect ratio is kept."""
    fit: Fit = "cover"
    """How the image fits into `width` and `height` if both are set."""
    position: Position = "center"
    """Part of the image that `cover` keeps, and place of the image in `contain`."""
    without_enlargement: bool = False
    """Never scale up; `cover` can then return less than the requested size."""
    format: OutputFormat | None = None
    """Output format. Unset: the input format, except for GIF and TIFF: WebP if animated, otherwise PNG."""
    quality: int | None = None
    """1 to 100 for JPEG, WebP and AVIF; PNG is lossless."""
    max_bytes: int | None = None
    """Maximum size of the file. The quality is chosen to fit; `quality` is then the highest that is tried."""
    background: str | None = None
    """`#rrggbb` behind transparency and around the image. Unset: transparent, and white in JPEG."""
    keep_metadata: bool = False
    """Keep EXIF and XMP. The orientation is still applied and colors are still converted to sRGB."""
