"""A PDF that is being compressed."""

from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.signatures import remove_signatures
from mediakit.engines.pdf.source import PageKey, Source
from mediakit.tools.pdf.pdf_compress.content.usage import usage_of
from mediakit.tools.pdf.pdf_compress.fonts.subsetting import subset_fonts
from mediakit.tools.pdf.pdf_compress.graph import used_objects
from mediakit.tools.pdf.pdf_compress.gray.conversion import convert_to_gray, prepare_images
from mediakit.tools.pdf.pdf_compress.gray.recompression import recompressed_in_gray
from mediakit.tools.pdf.pdf_compress.images.image import MAX_PIXELS, Encoded, PdfImage
from mediakit.tools.pdf.pdf_compress.images.inventory import images_of
from mediakit.tools.pdf.pdf_compress.images.recompression import recompressed
from mediakit.tools.pdf.pdf_compress.levels import ImageSettings
from mediakit.tools.pdf.pdf_compress.resources import remove_unused_resources
from mediakit.tools.pdf.pdf_compress.sharing import share_equal_objects
from mediakit.tools.pdf.pdf_compress.streams import Streams


class Document:
    """A PDF whose objects, fonts and streams are compressed, and whose images wait for settings."""

    def __init__(self, source: Source, *, grayscale: bool = False) -> None:
        """Compress everything but images.

        Args:
            source: The PDF; it is changed.
            grayscale: Convert all colors to gray.

        Raises:
            InvalidInput: The streams inflate to more than 300 MB.
        """
        self._source = source
        remove_signatures(source)
        share_equal_objects(source.pdf)
        objects = used_objects(source.pdf)
        streams = Streams(source)
        if grayscale:
            convert_to_gray(source, streams, objects)
            share_equal_objects(source.pdf)
            objects = used_objects(source.pdf)
        usage = usage_of(source, streams, objects)
        if remove_unused_resources(objects, usage):
            objects = used_objects(source.pdf)
        subset_fonts(source, usage, streams)
        streams.recompress(objects)
        self.images = images_of(objects, usage)
        self._colored = prepare_images(source, self.images) if grayscale else set()
        self.recompressed: set[PageKey] = set()

    def encoded(self, settings: ImageSettings) -> dict[PageKey, Encoded]:
        """Return the images that become smaller with settings."""
        found = ((image.key, self._encoded(image, settings)) for image in self.images)
        return {key: encoded for key, encoded in found if encoded is not None}

    def saved_bytes(self, encoded: dict[PageKey, Encoded]) -> int:
        """Return how much smaller encoded images make the file."""
        stored = {image.key: len(image.stream.read_raw_bytes()) for image in self.images}
        return sum(stored[key] - image.cost for key, image in encoded.items())

    def save(self, encoded: dict[PageKey, Encoded]) -> bytes:
        """Write encoded images to the PDF, and return its bytes."""
        for image in self.images:
            if image.key in encoded:
                encoded[image.key].apply(image.stream)
        self.recompressed |= encoded.keys()
        return save(self._source.pdf)

    def _encoded(self, image: PdfImage, settings: ImageSettings) -> Encoded | None:
        if image.key not in self._colored:
            return recompressed(image, settings)
        gray = recompressed_in_gray(image, settings)
        if gray is None:
            self._colored.discard(image.key)
            self._source.warn("An image that cannot be decoded keeps its color.")
        return gray

    def skipped_images(self) -> list[str]:
        """Return a sentence about the images that are too large to recompress, if there are any."""
        large = sum(image.width * image.height > MAX_PIXELS for image in self.images)
        if not large:
            return []
        images = "1 image has" if large == 1 else f"{large} images have"
        return [f"{images} more than {MAX_PIXELS // 1_000_000} megapixels, and stayed unchanged."]
