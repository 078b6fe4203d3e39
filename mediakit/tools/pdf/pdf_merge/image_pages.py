"""Pages that show an image at its own size."""

import math
from collections.abc import Iterator
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import ExifTags, Image, ImageSequence
from PIL.JpegImagePlugin import JpegImageFile
from PIL.TiffImagePlugin import TiffImageFile

from mediakit.engines.pdf.image_data import pixel_data
from mediakit.engines.pdf.image_loading import load_image, upright_matrix
from mediakit.engines.raster.formats import InputFormat
from mediakit.engines.raster.source import (
    MAX_PIXELS,
    damage_as_invalid_input,
    read_header,
    too_many_pixels,
)
from mediakit.errors import InvalidInput

DEFAULT_DPI = 150.0
LOWEST_DPI, HIGHEST_DPI = 5.0, 20_000.0
"""Resolutions outside are taken for mistakes."""

LONGEST_SIDE = 1000 * 72 / 25.4
"""Points; 1,000 mm."""

SHORTEST_SIDE = 3.0
"""Points; the smallest side that readers accept (PDF 1.7, annex C)."""


def image_pages(pdf: pikepdf.Pdf, content: bytes, kind: InputFormat, label: str) -> Iterator[pikepdf.Object]:
    """Yield a page for an image, or for each frame of a TIFF.

    Raises:
        InvalidInput: The image is damaged or too large.
    """
    try:
        yield from _tiff_pages(pdf, content) if kind == "tiff" else _single_page(pdf, content, kind)
    except InvalidInput as error:
        raise InvalidInput(error.message.replace("file:", f"{label}:", 1)) from error


def is_animated(content: bytes, kind: InputFormat) -> bool:
    """Return whether an image has frames of which only the first is shown."""
    return kind in ("gif", "webp", "avif") and read_header(content).animated


def page_size(width: int, height: int, dpi: tuple[float, float]) -> tuple[float, float]:
    """Return width and height in points of the page for an image.

    Args:
        width: Pixels.
        height: Pixels.
        dpi: Stored resolution, across and down.
    """
    points = width * 72 / dpi[0], height * 72 / dpi[1]
    scale = min(1.0, LONGEST_SIDE / max(points))
    return max(points[0] * scale, SHORTEST_SIDE), max(points[1] * scale, SHORTEST_SIDE)


def _single_page(pdf: pikepdf.Pdf, content: bytes, kind: InputFormat) -> Iterator[pikepdf.Object]:
    stored = load_image(content, kind)
    dpi = _resolution(stored.image)
    if stored.is_turned_upright and stored.swaps_sides:
        dpi = dpi[::-1]
    orientation = 1 if stored.is_turned_upright else stored.orientation
    yield _page(pdf, stored.write(pdf), stored.data.size, dpi, orientation)


def _tiff_pages(pdf: pikepdf.Pdf, content: bytes) -> Iterator[pikepdf.Object]:
    with damage_as_invalid_input("tiff"):
        file = TiffImageFile(BytesIO(content))
    for frame in ImageSequence.Iterator(file):
        _check_pixels(frame)
        with damage_as_invalid_input("tiff"):
            frame.load()
            data, mask = pixel_data(frame, lossy=False)
            dpi = _resolution(frame)
        yield _page(pdf, data.write(pdf, mask), data.size, dpi, 1)


def _check_pixels(frame: Image.Image) -> None:
    if frame.width * frame.height > MAX_PIXELS:
        raise too_many_pixels(frame.width * frame.height)


def _page(
    pdf: pikepdf.Pdf, image: pikepdf.Object, size: tuple[int, int], dpi: tuple[float, float], orientation: int
) -> pikepdf.Object:
    width, height = page_size(*size, dpi)
    if orientation >= 5:
        width, height = height, width
    return Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, round(width, 4), round(height, 4)]),
        Resources=Dictionary(XObject=Dictionary(Im0=image)),
        Contents=pdf.make_stream(f"q {upright_matrix(orientation, width, height)} cm /Im0 Do Q".encode()),
    )


def _resolution(image: Image.Image) -> tuple[float, float]:
    """Return the stored resolution in dots per inch, or the default for a missing or absurd one."""
    if isinstance(image, JpegImageFile) and not _states_resolution(image):
        return DEFAULT_DPI, DEFAULT_DPI
    try:
        across, down = (float(number) for number in image.info["dpi"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return DEFAULT_DPI, DEFAULT_DPI
    sound = all(math.isfinite(dpi) and LOWEST_DPI <= dpi <= HIGHEST_DPI for dpi in (across, down))
    return (across, down) if sound else (DEFAULT_DPI, DEFAULT_DPI)


def _states_resolution(image: JpegImageFile) -> bool:
    """Return whether a JPEG has a resolution; Pillow reports 72 dpi for photos without one."""
    return image.info.get("jfif_unit") in (1, 2) or ExifTags.Base.XResolution in image.getexif()
