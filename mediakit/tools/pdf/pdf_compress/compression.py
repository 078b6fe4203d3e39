"""Compresses a file; runs in a worker: the steps in order, and the ladder of settings for `max_bytes`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pikepdf

from mediakit.core.inputs import file_of
from mediakit.engines.pdf.document import open_to_read, warn_of_active_content
from mediakit.engines.pdf.flattening import remove_signatures
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.source import PageKey, Source
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_compress.image import MAX_PIXELS, Encoded, Kind, PdfImage, count_images, images_of, is_image
from mediakit.tools.pdf.pdf_compress.recompression import recompressed
from mediakit.tools.pdf.pdf_compress.rewriting import Rewriting
from mediakit.tools.pdf.pdf_compress.sharing import remove_unused_resources, share_equal_objects, used_objects
from mediakit.tools.pdf.pdf_compress.streams import BEST_LEVEL, Streams
from mediakit.tools.pdf.pdf_compress.tool import (
    GRAY_QUALITY,
    UNCHANGED,
    Compressed,
    ImageSettings,
    PdfCompressRequest,
    ladder_of,
)
from mediakit.tools.pdf.pdf_compress.usage import usage_of


class Document:
    """A PDF whose objects, fonts and streams are compressed, and whose images wait for settings."""

    def __init__(self, source: Source, password: str | None, *, grayscale: bool = False) -> None:
        """Compress everything but images.

        Args:
            source: The PDF; it is changed.
            password: Its password.
            grayscale: Convert all colors to gray.

        Raises:
            InvalidInput: The streams inflate to more than 300 MB.
        """
        remove_signatures(source)
        share_equal_objects(source.pdf)
        self._kinds = _kinds_by_size(source) if grayscale else {}
        rewriting = Rewriting(source, password, grayscale=grayscale)
        self._source = source = rewriting.source
        if grayscale:
            share_equal_objects(source.pdf)
        objects = used_objects(source.pdf)
        streams = Streams(source)
        usage = usage_of(source, streams, objects)
        if remove_unused_resources(objects, usage):
            objects = used_objects(source.pdf)
        rewriting.subset_fonts(usage, streams)
        streams.recompress(objects)
        self.images = images_of(objects, usage)
        for image in self.images:
            image.original_kind = self._kinds.get((image.width, image.height))
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
        if image.original_kind == "jpeg" and not settings.lossy:
            return recompressed(image, replace(settings, quality=GRAY_QUALITY))
        return recompressed(image, settings)

    def skipped_images(self) -> list[str]:
        """Return a sentence about the images that are too large to recompress, if there are any."""
        large = sum(image.width * image.height > MAX_PIXELS for image in self.images)
        if not large:
            return []
        images = "1 image has" if large == 1 else f"{large} images have"
        return [f"{images} more than {MAX_PIXELS // 1_000_000} megapixels, and stayed unchanged."]


def _kinds_by_size(source: Source) -> dict[tuple[int, int], Kind]:
    """Return how images were encoded before they became gray, by width and height."""
    images = (PdfImage(item, None) for item in used_objects(source.pdf) if is_image(item))
    return {(image.width, image.height): image.kind for image in images if image.kind is not None}


def compress(request: PdfCompressRequest) -> Compressed:
    """Return a smaller file, or the input if it cannot be made smaller.

    Raises:
        InvalidInput: The file is not valid, or `max_bytes` cannot be reached.
    """
    file = file_of(request.file)
    source = open_to_read(file, request.password)
    warn_of_active_content(source)
    lasting = [sentence for sentence in source.warnings if not source.repaired or source.repaired not in sentence]
    with _best_compression():
        document = Document(source, request.password, grayscale=request.grayscale)
        source.warnings += document.skipped_images()
        lasting += document.skipped_images()
        settings, content = _fitted(document, request)
    if len(content) < len(file):
        images = count_images(document.images, document.recompressed)
        return Compressed(content, len(source.pages), images, settings.name, source.warnings)
    if request.grayscale:
        lasting.append("The file in gray is not smaller, so the file was returned unchanged, with its colors.")
    if source.repaired:
        lasting.append(f"The file is damaged ({source.repaired}), and was returned unchanged.")
    return Compressed(bytes(file), len(source.pages), count_images(document.images, set()), UNCHANGED, lasting)


def _fitted(document: Document, request: PdfCompressRequest) -> tuple[ImageSettings, bytes]:
    """Return the mildest settings with which the file fits, and the file.

    Raises:
        InvalidInput: No settings make it small enough.
    """
    ladder, limit = ladder_of(request), request.max_bytes
    if limit is None:
        return ladder[0], document.save(document.encoded(ladder[0]))
    smallest = len(file_of(request.file))
    for settings, encoded in _fitting(document, ladder, limit):
        content = document.save(encoded)
        if min(smallest, len(content)) <= limit:
            return settings, content
        smallest = min(smallest, len(content))
    raise InvalidInput(f"max_bytes: the smallest that can be reached is {smallest:,} bytes.")


def _fitting(
    document: Document, ladder: Sequence[ImageSettings], limit: int
) -> Iterator[tuple[ImageSettings, dict[PageKey, Encoded]]]:
    """Yield the mildest settings that should fit, and all stronger ones: sizes are known exactly only when saved."""
    base = len(document.save({}))
    known: dict[int, dict[PageKey, Encoded]] = {}

    def fits(index: int) -> bool:
        known[index] = document.encoded(ladder[index])
        return base - document.saved_bytes(known[index]) <= limit

    low, high = 0, len(ladder) - 1
    while low < high:
        middle = 0 if not known else (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    for index in range(low, len(ladder)):
        yield ladder[index], known.get(index) or document.encoded(ladder[index])


@contextmanager
def _best_compression() -> Iterator[None]:
    """Let qpdf compress the objects that it writes with more effort."""
    pikepdf.settings.set_flate_compression_level(BEST_LEVEL)
    try:
        yield
    finally:
        pikepdf.settings.set_flate_compression_level(-1)  # the default of zlib
