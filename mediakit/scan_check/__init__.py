"""`scan_check(code)`: whether a printed QR code will be read.

Simulated photos of it at several sizes are decoded by mediakit's reader.
"""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image, ImageColor

from mediakit.core.inputs import FileInput, load_file, local_file
from mediakit.core.runtime import runtime
from mediakit.engines import raster
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult
from mediakit.scan_check import check, report
from mediakit.scan_check.report import ScanReport

__all__ = ["ScanReport", "scan_check"]

SIZES_MM = (10, 15, 20, 30)
MIN_SIZE_MM, MAX_SIZE_MM, MAX_SIZES = 5, 100, 10
MAX_SIDE = 2000
"""Longest side of the image that is checked, in pixels."""


def scan_check(
    code: ImageResult | FileInput, *, sizes_mm: Sequence[float] = SIZES_MM, background: str = "#ffffff"
) -> ScanReport:
    """Check whether a QR code will be read when it is printed.

    The code is rendered at several print sizes (300 dpi) and photographed as by a phone at a distance of 20 cm:
    straight, blurred, tilted, scratched, and in low light. Each photo is decoded in a single pass, as phones do.

    Args:
        code: A result of `mediakit.qr`, or an image file with a QR code.
        sizes_mm: Print sizes in millimeters, with the quiet zone: up to 10 between 5 and 100.
        background: Color below a transparent code, as `#rrggbb` or a CSS color.

    Raises:
        InvalidInput: The file is not an image, or an argument is invalid.
    """
    sizes = sorted(set(sizes_mm))
    if not 0 < len(sizes) <= MAX_SIZES or not all(MIN_SIZE_MM <= size <= MAX_SIZE_MM for size in sizes):
        raise InvalidInput(
            f"sizes_mm: must be 1 to {MAX_SIZES} sizes between {MIN_SIZE_MM} and {MAX_SIZE_MM} mm, got {sizes_mm!r}."
        )
    colors = _flat(code, background)
    image, measured = colors.convert("L"), check.measure(colors)
    if measured is None:
        return ScanReport(0, None, (report.NOT_FOUND,), ())
    checks = [photos for size in sizes for photos in check.photograph(image, measured.content, size)]
    return report.make_report(measured, checks, check.previews(image))


def _flat(code: ImageResult | FileInput, background: str) -> Image.Image:
    """Return the code on its background."""
    image = code.to_pil() if isinstance(code, ImageResult) else _decoded(code)
    try:
        color = ImageColor.getrgb(background)[:3]
    except ValueError:
        raise InvalidInput(f'background: must be a color such as "#1a2b3c", got {background[:40]!r}.') from None
    image.thumbnail((MAX_SIDE, MAX_SIDE))
    visible = image.convert("RGBA")
    flat = Image.new("RGBA", visible.size, color)
    flat.alpha_composite(visible)
    return flat.convert("RGB")


def _decoded(file: FileInput) -> Image.Image:
    """Decode a file that may be hostile."""
    try:
        content = load_file(local_file(file))
    except ValueError as error:
        raise InvalidInput(f"code: {error}") from None
    try:
        options = raster.ConvertOptions(
            width=MAX_SIDE, height=MAX_SIDE, fit="inside", without_enlargement=True, format="png"
        )
        converted = runtime.run(raster.convert_isolated(content, options))
    except InvalidInput as error:
        raise InvalidInput(f"code:{error.message.removeprefix('file:')}") from None
    with Image.open(BytesIO(converted.content)) as image:
        image.load()
        return image
