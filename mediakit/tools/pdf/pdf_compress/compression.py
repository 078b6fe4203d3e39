"""Compresses a file; runs in a worker: the steps in order, how each image is stored, and the ladder for `max_bytes`.

A new encoding with loss is kept only if a PDF reader draws it like the image that was stored.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from io import BytesIO

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, Stream
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from mediakit.core.inputs import file_of
from mediakit.engines.pdf import MadePdf
from mediakit.engines.pdf.document import open_to_read, warn_of_active_content
from mediakit.engines.pdf.flattening import remove_signatures
from mediakit.engines.pdf.objects import dictionary
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.engines.pdf.saving import save
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_compress.encoding import (
    BEST_LEVEL,
    UndecodableError,
    decode,
    encode_jpeg,
    encode_samples,
    encode_stored,
    encoded_file,
    is_flat,
)
from mediakit.tools.pdf.pdf_compress.image import MAX_PIXELS, Encoded, Kind, PdfImage, count_images, images_of, is_image
from mediakit.tools.pdf.pdf_compress.rewriting import Rewriting
from mediakit.tools.pdf.pdf_compress.sharing import share_equal_objects, used_objects
from mediakit.tools.pdf.pdf_compress.tool import (
    GRAY_QUALITY,
    TOLERANCE,
    UNCHANGED,
    ImageSettings,
    PdfCompressRequest,
    ladder_of,
)
from mediakit.tools.pdf.pdf_compress.usage import usage_of

SIDE = 96
"""Longest side of the drawings, in pixels: large enough to see wrong colors, small enough to not see noise."""

MEAN_DIFFERENCE, PART_DIFFERENCE = 6.0, 40.0
"""Differences, of 255, that quality and resolution explain: of the whole image, and of a twelfth of its sides."""


def looks_alike(image: PdfImage, encoded: Encoded) -> bool:
    """Return whether a new encoding of an image is drawn like the image."""
    before, after = _drawn(image, None), _drawn(image, encoded)
    if before is None or after is None or before.shape != after.shape:
        return False
    difference = np.abs(before - after)
    height, width, _ = difference.shape
    rows, columns = max(1, height // 12), max(1, width // 12)
    parts = difference[: height // rows * rows, : width // columns * columns]
    means = parts.reshape(height // rows, rows, width // columns, columns, 3).mean(axis=(1, 3))
    return bool(difference.mean() <= MEAN_DIFFERENCE and means.max() <= PART_DIFFERENCE)


def _drawn(image: PdfImage, encoded: Encoded | None) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None":
    """Return an image as it is drawn without its masks; None if it cannot be drawn."""
    import pymupdf

    scale = SIDE / max(image.width, image.height)
    width, height = max(1.0, image.width * scale), max(1.0, image.height * scale)
    with pikepdf.new() as pdf:
        stream = pdf.copy_foreign(image.stream)
        for key in (Name.SMask, Name.Mask):
            if key in stream:
                del stream[key]
        if encoded is not None:
            encoded.apply(stream)
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, width, height]),
            Resources=Dictionary(XObject=Dictionary(Im0=stream)),
            Contents=pdf.make_stream(f"q {width} 0 0 {height} 0 0 cm /Im0 Do Q".encode()),
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
        target = BytesIO()
        pdf.save(target, compress_streams=False)
    try:
        with pymupdf.open(stream=target.getvalue(), filetype="pdf") as document:  # type: ignore[no-untyped-call]
            pixels = document[0].get_pixmap(colorspace=pymupdf.csRGB, alpha=False)
            samples = np.frombuffer(pixels.samples, np.uint8).astype(np.float64)
            return samples.reshape(pixels.height, pixels.width, 3)
    except (RuntimeError, pymupdf.mupdf.FzErrorBase):
        return None


MIN_PALETTE_COLORS = 17
"""Indexed images with fewer colors are line art, which keeps its pixels."""


def target_size(image: PdfImage, settings: ImageSettings) -> tuple[int, int]:
    """Return the width and height in pixels that an image should have."""
    size = (image.width, image.height)
    if image.size is None or settings.dpi is None:
        return size
    space = image.space
    colors = len(space.palette) // {"gray": 1, "rgb": 3, "cmyk": 4}.get(space.base, 1)
    if space.family == "indexed" and (image.bits < 8 or colors < MIN_PALETTE_COLORS):  # line art
        return size
    width, height = (
        max(1, round(wanted)) if pixels > (wanted := points * settings.dpi / 72) * TOLERANCE else pixels
        for pixels, points in zip(size, image.size, strict=True)
    )
    return width, height


def reduce(pixels: Image.Image, image: PdfImage, size: tuple[int, int]) -> Image.Image:
    """Return pixels with a size; the same object if they have it.

    Indexed images are reduced in the colors of their palette, and keep it.
    """
    if pixels.size == size:
        return pixels
    if image.space.family != "indexed":
        return pixels.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
    if image.space.base not in ("gray", "rgb") or image.decode:
        return pixels
    palette = image.space.palette
    if image.space.base == "gray":
        palette = np.repeat(np.frombuffer(palette, np.uint8), 3).tobytes()
    colored = Image.frombytes("P", pixels.size, pixels.tobytes())
    colored.putpalette(palette)
    smaller = colored.convert("RGB").resize(size, Image.Resampling.BOX)
    indexed = smaller.quantize(palette=colored, dither=Image.Dither.NONE)
    return Image.frombytes("L", size, indexed.tobytes())


LOSSY_GAIN = 0.9
"""An image is encoded with loss only if it becomes smaller than this part of its size."""

DRAWING_PREMIUM = 2
"""A drawing, chart or screenshot stays without loss up to this multiple of its size as a JPEG."""

QUALITY_MARGIN = 5
"""A JPEG is encoded again at its resolution only if its quality is higher than requested by more than this."""


def recompressed(image: PdfImage, settings: ImageSettings) -> Encoded | None:
    """Return the smallest encoding of an image that the settings allow, or None if what is stored is smaller."""
    if not image.is_readable:
        return None
    lossy = settings.lossy and not image.is_exact and image.bits != 1
    encoded = None
    try:
        if image.kind == "lossless":
            encoded = _of_pixels(image, settings) if lossy else encode_stored(image)
        elif lossy and image.kind in ("jpeg", "jpeg2000"):
            encoded = _of_file(image, settings)
    except (UndecodableError, MemoryError):
        return None
    stored = len(image.stream.read_raw_bytes())
    return encoded if encoded is not None and encoded.cost < stored else None


def _of_pixels(image: PdfImage, settings: ImageSettings) -> Encoded:
    """Encode pixels that are stored without loss: photos as JPEG, all else without loss."""
    pixels = decode(image)
    reduced = reduce(pixels, image, target_size(image, settings))
    limit = len(image.stream.read_raw_bytes()) * LOSSY_GAIN
    flat = is_flat(pixels)
    lossy = None
    if image.space.family != "indexed" and not image.is_soft_mask and settings.quality is not None:
        lossy = encode_jpeg(reduced, settings.quality)
        if lossy.cost < limit and not flat:
            return lossy
    exact = encode_stored(image)
    if reduced is not pixels:
        exact = min(exact, encode_samples(reduced.tobytes(), reduced.size, 8), key=lambda encoded: encoded.cost)
    return lossy if lossy is not None and lossy.cost * DRAWING_PREMIUM < exact.cost else exact


def _of_file(image: PdfImage, settings: ImageSettings) -> Encoded | None:
    """Encode a JPEG or JPEG 2000 image again, if it has more pixels or a higher quality than requested."""
    size = target_size(image, settings)
    full = (image.width, image.height)
    quality = settings.quality or 0
    if size == full and image.kind == "jpeg" and _quality(encoded_file(image)) <= quality + QUALITY_MARGIN:
        return None
    pixels = decode(image, max(size[0] / full[0], size[1] / full[1]))
    encoded = encode_jpeg(reduce(pixels, image, size), quality)
    if image.kind == "jpeg2000":
        encoded.changes["/Decode"] = None  # readers ignore it for JPEG 2000 (ISO 32000-2, table 87)
    if "/ColorSpace" not in image.stream:
        encoded.changes["/ColorSpace"] = "/DeviceRGB" if pixels.mode == "RGB" else "/DeviceGray"
    is_smaller = encoded.cost < len(image.stream.read_raw_bytes()) * LOSSY_GAIN
    return encoded if is_smaller and looks_alike(image, encoded) else None


def _quality(content: bytes) -> int:
    """Return the quality of a JPEG, from its quantization table for brightness."""
    try:
        total = sum(JpegImageFile(BytesIO(content)).quantization[0])
    except (OSError, SyntaxError, KeyError) as error:
        raise UndecodableError(str(error)) from error
    return next((quality for quality in range(100, 0, -1) if _table_sum(quality) >= total), 1)


@cache
def _table_sum(quality: int) -> int:
    """Return the sum of the table for brightness that libjpeg writes for a quality."""
    target = BytesIO()
    Image.new("L", (1, 1)).save(target, "JPEG", quality=quality)
    return sum(JpegImageFile(BytesIO(target.getvalue())).quantization[0])


class Document:
    """A PDF whose objects, fonts and streams are compressed, and whose images wait for settings.

    Raises:
        InvalidInput: The streams inflate to more than 300 MB.
    """

    def __init__(self, source: Source, password: str | None, *, grayscale: bool = False) -> None:
        remove_signatures(source)
        for page in source.pdf.pages:
            if not _lends_resources(page):
                page.remove_unreferenced_resources()
        share_equal_objects(source.pdf)
        kinds: dict[tuple[int, int], Kind] = {}
        if grayscale:  # how images were encoded before they became gray
            before = (PdfImage(item, None) for item in used_objects(source.pdf) if is_image(item))
            kinds = {(image.width, image.height): image.kind for image in before if image.kind is not None}
        rewriting = Rewriting(source, password, grayscale=grayscale)
        self._source = source = rewriting.source
        if grayscale:
            share_equal_objects(source.pdf)
        objects = used_objects(source.pdf)
        usage = usage_of(source, objects)
        rewriting.subset_fonts(usage)
        self.images = images_of(objects, usage)
        for image in self.images:
            image.original_kind = kinds.get((image.width, image.height))
        self.recompressed: set[PageKey] = set()

    def encoded(self, settings: ImageSettings) -> dict[PageKey, Encoded]:
        """Return the images that become smaller with settings."""
        found: dict[PageKey, Encoded] = {}
        for image in self.images:
            becomes_gray = image.original_kind == "jpeg" and not settings.lossy
            wanted = replace(settings, quality=GRAY_QUALITY) if becomes_gray else settings
            if (encoded := recompressed(image, wanted)) is not None:
                found[image.key] = encoded
        return found

    def save(self, encoded: dict[PageKey, Encoded]) -> bytes:
        """Write encoded images to the PDF, and return its bytes."""
        for image in self.images:
            if image.key in encoded:
                encoded[image.key].apply(image.stream)
        self.recompressed |= encoded.keys()
        return save(self._source.pdf)

    def skipped_images(self) -> list[str]:
        """Return a sentence about the images that are too large to recompress, if there are any."""
        large = sum(image.width * image.height > MAX_PIXELS for image in self.images)
        if not large:
            return []
        images = "1 image has" if large == 1 else f"{large} images have"
        return [f"{images} more than {MAX_PIXELS // 1_000_000} megapixels, and stayed unchanged."]


def _lends_resources(page: pikepdf.Page) -> bool:
    """Return whether glyphs or patterns without resources of their own may use those of a page."""
    resources = dictionary(page.resources)
    drawn = [each for key in (Name.Font, Name.Pattern) for each in dictionary(resources.get(key)).values()]
    return any(
        isinstance(each, Dictionary | Stream)
        and (each.get(Name.Subtype) == Name.Type3 or each.get(Name.PatternType) == 1)
        and not isinstance(each.get(Name.Resources), Dictionary)
        for each in drawn
    )


def compress(request: PdfCompressRequest) -> MadePdf:
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
    is_smaller = len(content) < len(file)
    if not is_smaller:
        content = bytes(file)
        if request.grayscale:
            lasting.append("The file in gray is not smaller, so the file was returned unchanged, with its colors.")
        if source.repaired:
            lasting.append(f"The file is damaged ({source.repaired}), and was returned unchanged.")
    meta = {
        "original_bytes": len(file),
        "ratio": round(len(content) / len(file), 4),
        "pages": len(source.pages),
        "images": count_images(document.images, document.recompressed if is_smaller else set()),
        "level_used": settings.name if is_smaller else UNCHANGED,
        "warnings": source.warnings if is_smaller else lasting,
    }
    return MadePdf(content, meta)


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
    stored = {image.key: len(image.stream.read_raw_bytes()) for image in document.images}
    known: dict[int, dict[PageKey, Encoded]] = {}
    low, high = 0, len(ladder) - 1
    while low < high:
        middle = 0 if not known else (low + high) // 2
        known[middle] = document.encoded(ladder[middle])
        saved = sum(stored[key] - image.cost for key, image in known[middle].items())
        low, high = (low, middle) if base - saved <= limit else (middle + 1, high)
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
