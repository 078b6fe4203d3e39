"""The levels of compression, and the ladder that `max_bytes` climbs down."""

from collections.abc import Sequence
from dataclasses import dataclass

from mediakit.tools.pdf.pdf_compress.request import PdfCompressRequest

TOLERANCE = 17 / 15
"""Images are reduced from this multiple of the target resolution on: 170 dpi become 150."""


@dataclass(frozen=True)
class ImageSettings:
    """What happens to images."""

    name: str
    """`level_used` of a result with these settings."""
    dpi: int | None = None
    """Target resolution; None keeps all pixels."""
    quality: int | None = None
    """JPEG quality, 1 to 100; None allows no loss."""

    @property
    def lossy(self) -> bool:
        """Whether images may lose detail."""
        return self.quality is not None


GRAY_QUALITY = 92
"""JPEG quality of images that must be encoded again, to become gray, although no loss was requested."""

LOSSLESS = ImageSettings("lossless")
LEVELS = {
    "lossless": LOSSLESS,
    "medium": ImageSettings("medium", 150, 75),
    "strong": ImageSettings("strong", 110, 55),
}
LADDER = tuple(
    ImageSettings(f"{dpi} dpi", dpi, quality)
    for dpi, quality in ((300, 85), (200, 80), (150, 75), (110, 55), (96, 45), (72, 35))
)
"""Settings that `max_bytes` tries after `lossless`, the mildest first."""


def settings_of(request: PdfCompressRequest) -> ImageSettings:
    """Return the settings of a call without `max_bytes`."""
    level = LEVELS[request.level or "medium"]
    return ImageSettings(level.name, request.image_dpi or level.dpi, request.image_quality or level.quality)


def ladder_of(request: PdfCompressRequest) -> Sequence[ImageSettings]:
    """Return the settings to try, the mildest first."""
    return (LOSSLESS, *LADDER) if request.max_bytes is not None else (settings_of(request),)
