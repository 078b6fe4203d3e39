"""`scan_check(code)`: simulated photos of a printed QR code, and how many of them are read."""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from mediakit.core.inputs import FileInput, load_file, local_path
from mediakit.errors import InvalidInput
from mediakit.results.image import ImageResult
from mediakit.scan_check.photo_check import PhotoCheck
from mediakit.scan_check.report import ScanReport

if TYPE_CHECKING:
    from PIL import Image

    from mediakit.scan_check.measurements import Measurements

SIZES_MM = (10, 15, 20, 30)
MIN_SIZE_MM, MAX_SIZE_MM, MAX_SIZES = 5, 100, 10
PHOTOS = 2
"""Photos of each size and condition."""
PREVIEW_SIZE_MM = 30
MAX_SIDE = 2000
"""Longest side of the image that is checked, in pixels."""
MAX_INVERTED_SCORE = 59
"""Maximum score of light codes on a dark background, which many scanners do not read."""


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
    sizes = _checked(sizes_mm)
    image = _gray(code, background)
    from mediakit.scan_check.measurements import measure

    measured = measure(image)
    if measured is None:
        from mediakit.scan_check.advice import NOT_FOUND

        return ScanReport(0, None, (NOT_FOUND,), ())
    return _report(image, measured, sizes)


def _checked(sizes_mm: Sequence[float]) -> list[float]:
    sizes = sorted(set(sizes_mm))
    if not 0 < len(sizes) <= MAX_SIZES or not all(MIN_SIZE_MM <= size <= MAX_SIZE_MM for size in sizes):
        raise InvalidInput(
            f"sizes_mm: must be 1 to {MAX_SIZES} sizes between {MIN_SIZE_MM} and {MAX_SIZE_MM} mm, got {sizes_mm!r}."
        )
    return sizes


def _gray(code: ImageResult | FileInput, background: str) -> "Image.Image":
    """Return the code in gray on its background."""
    from PIL import Image, ImageColor

    image = code.to_pil() if isinstance(code, ImageResult) else _decoded(code)
    try:
        color = ImageColor.getrgb(background)[:3]
    except ValueError:
        raise InvalidInput(f'background: must be a color such as "#1a2b3c", got {background[:40]!r}.') from None
    image.thumbnail((MAX_SIDE, MAX_SIDE))
    visible = image.convert("RGBA")
    flat = Image.new("RGBA", visible.size, color)
    flat.alpha_composite(visible)
    return flat.convert("L")


def _decoded(file: FileInput) -> "Image.Image":
    """Decode a file that may be hostile."""
    from PIL import Image

    from mediakit.core.runtime import runtime
    from mediakit.engines import raster

    try:
        content = load_file(local_path(file))
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


def _report(image: "Image.Image", measured: "Measurements", sizes: list[float]) -> ScanReport:
    from mediakit.scan_check.advice import advise

    checks = [check for size in sizes for check in _photograph(image, measured.content, size)]
    read = sum(check.size_mm * check.read for check in checks)
    score = round(100 * read / sum(check.size_mm * check.photos for check in checks))
    if measured.is_inverted:
        score = min(score, MAX_INVERTED_SCORE)
    min_size = _min_size(checks)
    advice = tuple(advise(measured, checks, min_size, sizes))
    return ScanReport(score, min_size, advice, tuple(checks), _previews(image))


def _photograph(image: "Image.Image", content: bytes, size_mm: float) -> list[PhotoCheck]:
    from mediakit.scan_check.measurements import FORMATS
    from mediakit.scan_check.photos import CONDITIONS, photographed, printed
    from mediakit.tools.images.code_reader.decoder import decode

    checks, print_ = [], printed(image, size_mm)
    for condition in CONDITIONS:
        photos = (photographed(print_, condition, shot) for shot in range(PHOTOS))
        read = sum(any(code.content == content for code in decode(photo, FORMATS)) for photo in photos)
        checks.append(PhotoCheck(size_mm, condition.name, PHOTOS, read))
    return checks


def _min_size(checks: Sequence[PhotoCheck]) -> float | None:
    """Return the smallest size from which every condition was read at least once."""
    failed = [check.size_mm for check in checks if not check.read]
    return min((check.size_mm for check in checks if check.size_mm > max(failed, default=0)), default=None)


def _previews(image: "Image.Image") -> list[tuple[str, bytes]]:
    from mediakit.scan_check.photos import CONDITIONS, photographed, printed

    print_, previews = printed(image, PREVIEW_SIZE_MM), []
    for condition in CONDITIONS:
        photo = photographed(print_, condition, 0)
        photo.thumbnail((112, 112))
        photo.quantize(16).save(file := BytesIO(), "PNG", optimize=True)
        previews.append((condition.name, file.getvalue()))
    return previews
