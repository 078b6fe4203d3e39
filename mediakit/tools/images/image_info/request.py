"""The request of `image_info`."""

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any

from pydantic import Field

from mediakit.core.inputs import ImageFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms


@request
class ImageInfoRequest:
    """An image, and what to find out beyond its facts."""

    file: ImageFile
    """PNG, JPEG, WebP, AVIF, GIF, TIFF, BMP or ICO image of up to 50 megapixels; HEIC if pillow-heif is installed."""
    _: KW_ONLY
    palette: Annotated[int, Field(ge=0, le=10), Synonyms("colors, colours")] = 0
    """Number of main colors to name."""
    hashes: Annotated[bool, Synonyms("hash, phash, checksum")] = False
    """Calculate perceptual hashes and SHA-256."""
    exif: bool = True
    """Return `exif` and `gps`. `has_gps` states in any case whether the file has a location."""


@dataclass(frozen=True)
class Inspected:
    """What a worker returns."""

    fields: dict[str, Any]
    warnings: list[str]
    palette_rest: float | None
    """Share of the colors that are not named; None without a palette."""
    thumbnail: bytes
    """Small WebP; empty if the image cannot be decoded."""
