"""The embedded images of pages: JPEG and JPEG 2000 as they are, others as PNG, with their masks applied."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

import pymupdf
from PIL import Image, ImageChops
from pymupdf import mupdf

from mediakit.engines.pdf.reading.pages import PdfFile
from mediakit.engines.png import encode_photo, is_photographic

MAX_PIXELS = 50_000_000
"""Pixels of an image."""

MAX_TOTAL_BYTES = 300_000_000
"""Bytes of all images."""

MAX_IMAGES = 2000

COMPRESS_LEVEL = 4
"""Level of zlib for graphics: a third larger than the best, in a fifth of the time."""

AS_THEY_ARE = {mupdf.FZ_IMAGE_JPEG: "jpg", mupdf.FZ_IMAGE_JPX: "jp2"}
"""Extensions of the compressed images that are files themselves."""

MODES = {1: "L", 3: "RGB"}
"""Modes of Pillow by the number of colors."""


@dataclass(frozen=True)
class EmbeddedImage:
    """An image of a page, as a file."""

    name: str
    content: bytes


class ImageReader:
    """Reads the images of pages, each once: a logo that all pages show is an image of the first one."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self.warnings: list[str] = []
        self._images: dict[int, mupdf.FzImage] = {}
        self._digests: set[bytes] = set()
        self._bytes = 0

    def read(self, page: pymupdf.Page) -> Iterator[EmbeddedImage]:
        """Yield the new images of a page, in the order in which it draws them."""
        number = 0
        for image in self._new_images(page):
            if image.w() * image.h() > MAX_PIXELS:
                self.warnings.append(
                    f"Page {page.number + 1} has an image of {image.w() * image.h() // 1_000_000} megapixels, which is"
                    f" omitted; the most is {MAX_PIXELS // 1_000_000}."
                )
                continue
            try:
                content, extension = _file_of(image)
            except mupdf.FzErrorBase:
                self.warnings.append(f"Page {page.number + 1} has a damaged image, which is omitted.")
                continue
            if not self._accept(content):
                continue
            number += 1
            yield EmbeddedImage(f"page-{page.number + 1}-image-{number}.{extension}", content)

    def _new_images(self, page: pymupdf.Page) -> Iterator[mupdf.FzImage]:
        text = self._file.text(page, pymupdf.TEXT_PRESERVE_IMAGES)  # its blocks live as long as it
        for block in text.this:
            if block.m_internal.type == mupdf.FZ_STEXT_BLOCK_IMAGE:
                image = block.i_image()
                if self._images.setdefault(image.m_internal_value(), image) is image:
                    yield image

    def _accept(self, content: bytes) -> bool:
        digest = hashlib.sha256(content).digest()
        if digest in self._digests:
            return False
        if len(self._digests) >= MAX_IMAGES or self._bytes + len(content) > MAX_TOTAL_BYTES:
            limit = f"{MAX_IMAGES:,} images or {MAX_TOTAL_BYTES // 1_000_000} MB"
            if (sentence := f"The PDF has more images; those after {limit} are omitted.") not in self.warnings:
                self.warnings.append(sentence)
            return False
        self._digests.add(digest)
        self._bytes += len(content)
        return True


def _file_of(image: mupdf.FzImage) -> tuple[bytes, str]:
    """Return an image as a file, and its extension."""
    mask = image.mask()
    compressed = mupdf.ll_fz_compressed_image_buffer(image.m_internal)
    extension = AS_THEY_ARE.get(image.fz_compressed_image_type())
    if compressed and extension and not mask.m_internal:
        buffer = mupdf.FzBuffer(mupdf.ll_fz_keep_buffer(compressed.buffer))
        return bytes(buffer.fz_buffer_extract_copy()), extension
    decoded = _stencil(image) if image.imagemask() else _pixels(image)
    if mask.m_internal:
        decoded = _with_mask(decoded, _gray(mask))
    return _png(decoded, is_bilevel=image.bpc() == 1 and decoded.mode == "L"), "png"


def _png(image: Image.Image, *, is_bilevel: bool) -> bytes:
    if not is_bilevel and is_photographic(image):
        return encode_photo(image)
    target = BytesIO()
    (image.convert("1") if is_bilevel else image).save(target, "PNG", compress_level=COMPRESS_LEVEL)
    return target.getvalue()


def _pixels(image: mupdf.FzImage) -> Image.Image:
    """Return the colors of an image as gray or RGB."""
    pixmap = _pixmap(image)
    if pixmap.n - pixmap.alpha not in MODES:
        pixmap = pymupdf.Pixmap(pymupdf.csRGB, pixmap)  # type: ignore[no-untyped-call]
    mode = MODES[pixmap.n - pixmap.alpha] + ("A" if pixmap.alpha else "")
    return Image.frombytes(mode, (pixmap.width, pixmap.height), pixmap.samples)


def _gray(mask: mupdf.FzImage) -> Image.Image:
    """Return a mask: 255 where the image is seen."""
    pixmap = _pixmap(mask)
    return Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)


def _stencil(image: mupdf.FzImage) -> Image.Image:
    """Return a stencil, which the page fills with a color, in black."""
    mask = _gray(image)
    return _with_mask(Image.new("L", mask.size, 0), mask)


def _pixmap(image: mupdf.FzImage) -> pymupdf.Pixmap:
    return pymupdf.Pixmap("raw", image.fz_get_unscaled_pixmap_from_image())  # type: ignore[no-untyped-call]


def _with_mask(decoded: Image.Image, mask: Image.Image) -> Image.Image:
    """Return an image with an alpha channel; the smaller of the two is enlarged."""
    if mask.width * mask.height > decoded.width * decoded.height:
        decoded = decoded.resize(mask.size, Image.Resampling.BICUBIC)
    elif mask.size != decoded.size:
        mask = mask.resize(decoded.size, Image.Resampling.BICUBIC)
    opaque = decoded.convert("LA" if decoded.mode in ("L", "LA") else "RGBA")
    opaque.putalpha(ImageChops.multiply(opaque.getchannel("A"), mask))
    return opaque
