"""Encoders of one rendered image: at the requested quality, or within a size limit in bytes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PIL import Image

from mediakit.engines.raster.encode import encode, encode_indexed_png, encode_smallest_png
from mediakit.engines.raster.metadata import Metadata
from mediakit.errors import InvalidInput

MAX_FITTED_QUALITY = 95
"""Highest quality that `fit` tries by default. Higher qualities make larger files without a visible difference."""

_PALETTE_SIZES = (256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2)


@dataclass(frozen=True, slots=True)
class Encoded:
    """An encoded file."""

    content: bytes
    quality: int | None = None
    """Quality of a lossy encoding; None for PNG and for image data that was kept unchanged."""
    reencoded: bool = True
    """False if the image data of the input was kept unchanged."""
    reencode_reason: str = ""
    """Why the image data of the input could not be kept, as the end of a sentence."""


class Encoder(ABC):
    """Encodes one image."""

    @abstractmethod
    def encode(self) -> Encoded:
        """Encode at the requested quality."""

    @abstractmethod
    def fit(self, limit: int) -> Encoded:
        """Encode at the best quality that fits into `limit` bytes.

        Raises:
            InvalidInput: The smallest possible file is larger than `limit`.
        """

    @abstractmethod
    def shrink(self, limit: int) -> Encoded:
        """Encode at a lower quality or with more effort if the file exceeds `limit`; the result may still exceed it."""


@dataclass(frozen=True, slots=True)
class LossyEncoder(Encoder):
    """Encodes JPEG, WebP or AVIF."""

    write: Callable[[int], bytes]
    """Encodes at a quality from 1 to 100."""
    quality: int | None
    """Requested quality, the highest that is tried."""
    default_quality: int

    def encode(self) -> Encoded:
        """Encode at the requested quality."""
        quality = self.quality or self.default_quality
        return Encoded(self.write(quality), quality)

    def fit(self, limit: int) -> Encoded:
        """Find the highest quality that fits, by bisection; at most seven files are encoded."""
        low, high = 1, self.quality or MAX_FITTED_QUALITY
        fitting: Encoded | None = None
        smallest = 0
        while low <= high:
            # The highest quality first, because most images fit and need no search.
            quality = high if fitting is None and not smallest else (low + high) // 2
            content = self.write(quality)
            if len(content) <= limit:
                fitting, low = Encoded(content, quality), quality + 1
            else:
                smallest, high = len(content), quality - 1
        if fitting is None:
            raise _limit_error(limit, smallest, "webp or avif")
        return fitting

    def shrink(self, limit: int) -> Encoded:
        """Encode at the requested quality; if the file exceeds the limit, at the highest quality that fits, if any."""
        encoded = self.encode()
        if len(encoded.content) <= limit:
            return encoded
        try:
            return LossyEncoder(self.write, encoded.quality, self.default_quality).fit(limit)
        except InvalidInput:
            return encoded


@dataclass(frozen=True, slots=True)
class PngEncoder(Encoder):
    """Encodes PNG, without loss unless a limit requires a palette."""

    image: Image.Image
    metadata: Metadata | None

    def encode(self) -> Encoded:
        """Encode without loss."""
        return Encoded(encode(self.image, "png", metadata=self.metadata))

    def fit(self, limit: int) -> Encoded:
        """Encode without loss if that fits, otherwise with a palette of as many colors as fit."""
        smallest = 0
        for content in self._attempts():
            if len(content) <= limit:
                return Encoded(content)
            smallest = len(content)
        raise _limit_error(limit, smallest, "webp or jpeg")

    def shrink(self, limit: int) -> Encoded:
        """Encode without loss; if the file exceeds the limit, with more effort."""
        encoded = self.encode()
        if len(encoded.content) <= limit:
            return encoded
        return min(encoded, Encoded(encode_smallest_png(self.image, self.metadata)), key=lambda file: len(file.content))

    def _attempts(self) -> Iterator[bytes]:
        yield encode(self.image, "png", metadata=self.metadata)
        yield encode_smallest_png(self.image, self.metadata)
        for colors in _PALETTE_SIZES:
            yield encode_indexed_png(self.image, colors, self.metadata)


def _limit_error(limit: int, smallest: int, alternatives: str) -> InvalidInput:
    """Return the error for a limit that no encoding meets."""
    return InvalidInput(
        f"max_bytes: must be at least {smallest} for this image, got {limit}. "
        f"Allow more bytes, request a smaller width, or use format {alternatives}."
    )
