"""The resolution that a file states."""

from typing import Any

from PIL import ExifTags

from mediakit.engines.image_files.formats import ImageFormat
from mediakit.engines.image_files.reading import orientation_of
from mediakit.tools.images.image_info.exif import Exif, rational

_CENTIMETERS_PER_INCH = 2.54
_UNIT_CENTIMETER = 3
_JFIF_INCH, _JFIF_CENTIMETER = 1, 2
_MAX_DPI = 1_000_000


def resolution(kind: ImageFormat, image: Any) -> list[float] | None:
    """Return horizontal and vertical dots per inch, in the stored orientation; None if the file states none."""
    stated = _jpeg(image) if kind == "jpeg" else image.info.get("dpi")
    values = [rational(value) for value in stated or ()][:2]
    known = [value for value in values if value is not None and 0 < value <= _MAX_DPI]
    if len(known) != 2:
        return None
    turned = kind != "tiff" and orientation_of(image) > 4
    rounded = [_rounded(value) for value in known]
    return rounded[::-1] if turned else rounded


def _jpeg(image: Any) -> tuple[Any, Any] | None:
    """Read JFIF, then EXIF. Pillow reports 72 for a JPEG that states nothing."""
    unit = image.info.get("jfif_unit")
    if unit in (_JFIF_INCH, _JFIF_CENTIMETER):
        scale = _CENTIMETERS_PER_INCH if unit == _JFIF_CENTIMETER else 1
        x, y = image.info.get("jfif_density", (0, 0))
        return x * scale, y * scale
    exif = Exif(image)
    x, y = exif.number(ExifTags.Base.XResolution), exif.number(ExifTags.Base.YResolution)
    if x is None or y is None:
        return None
    scale = _CENTIMETERS_PER_INCH if exif.number(ExifTags.Base.ResolutionUnit) == _UNIT_CENTIMETER else 1
    return x * scale, y * scale


def _rounded(value: float) -> float:
    """Return a resolution; a PNG stores whole dots per meter, so that 300 becomes 299.9994."""
    return round(value) if abs(value - round(value)) < 0.02 else round(value, 2)
