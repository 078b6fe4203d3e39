"""Compares an image with its new encoding, as a PDF reader draws both."""

from io import BytesIO

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.tools.pdf.pdf_compress.images.image import Encoded, PdfImage

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
