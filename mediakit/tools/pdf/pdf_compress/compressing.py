"""Compresses a file; runs in a worker."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pikepdf

from mediakit.core.inputs import file_of
from mediakit.engines.pdf.active_content import warn_of_active_content
from mediakit.engines.pdf.document import open_to_read
from mediakit.engines.pdf.source import PageKey
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_compress.document import Document
from mediakit.tools.pdf.pdf_compress.flate import BEST_LEVEL
from mediakit.tools.pdf.pdf_compress.images.image import Encoded
from mediakit.tools.pdf.pdf_compress.images.inventory import count_images
from mediakit.tools.pdf.pdf_compress.levels import ImageSettings, ladder_of
from mediakit.tools.pdf.pdf_compress.request import UNCHANGED, Compressed, PdfCompressRequest


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
        document = Document(source, grayscale=request.grayscale)
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
