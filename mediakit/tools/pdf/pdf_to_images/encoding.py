"""Encodes drawn pixels."""

from io import BytesIO

import numpy as np
import pymupdf
from PIL import Image

from mediakit.engines.pixels_png import Pixels, encode_pixels
from mediakit.engines.raster.encode import encode as encode_image
from mediakit.tools.pdf.pdf_to_images.job import DrawJob


def pixels_of(drawn: pymupdf.Pixmap) -> Pixels:
    """Return drawn pixels as RGB, or as RGBA that is not premultiplied."""
    shape = (drawn.height, drawn.width, drawn.n)
    samples = np.frombuffer(drawn.samples, np.uint8)  # a copy: MuPDF frees its own with the pixmap
    pixels = samples.reshape(drawn.height, drawn.stride)[:, : drawn.width * drawn.n].reshape(shape)
    if not drawn.alpha:
        return pixels
    premultiplied = Image.frombuffer(
        "RGBa", (drawn.width, drawn.height), np.ascontiguousarray(pixels), "raw", "RGBa", 0, 1
    )
    return np.asarray(premultiplied.convert("RGBA"))


def encode(pixels: Pixels, job: DrawJob, dpi: float) -> bytes:
    """Return pixels as a file in the format of the job."""
    if job.format == "png":
        return encode_pixels(pixels, dpi)
    image = Image.fromarray(pixels)
    if job.format == "webp":
        return encode_image(image, "webp", job.quality)
    target = BytesIO()
    image.save(target, "JPEG", quality=job.quality, dpi=(round(dpi), round(dpi)))
    return target.getvalue()
