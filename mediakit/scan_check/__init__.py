"""`scan_check(code)`: whether a printed QR code will be read, as a score with advice.

Simulated photos of it at several sizes are decoded by mediakit's reader.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pybase64
from PIL import Image, ImageColor

from mediakit.core.inputs import FileInput, load_file, local_file
from mediakit.core.runtime import runtime
from mediakit.display import view
from mediakit.engines import raster
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult
from mediakit.scan_check.photos import Measurements, PhotoCheck, measure, photograph, previews

__all__ = ["ScanReport", "scan_check"]

SIZES_MM = (10, 15, 20, 30)
MIN_SIZE_MM, MAX_SIZE_MM, MAX_SIZES = 5, 100, 10
MAX_SIDE = 2000
"""Longest side of the image that is checked, in pixels."""

GOOD_SCORE, FAIR_SCORE = 85, 60
"""Scores from which a code scans well, or in good conditions."""
MAX_INVERTED_SCORE = 59
"""Maximum score of light codes on a dark background, which many scanners do not read."""
MIN_CONTRAST = 3.0
GOOD_CONTRAST = 7.0
"""Contrast that is enough in low light."""
MIN_QUIET_ZONE = 2.0
MIN_SPARE_CORRECTION = 0.5
"""Share of the error correction that should be left for wear."""
MANY_MODULES = 41
"""Modules of a side (version 6) from which small prints are hard to read."""
COMMON_SIZE_MM = 20
"""Print size at which a code should be readable in every condition."""
SMALL_SIZE_MM = 15
"""Print size that needs no advice."""
WEAK_LEVELS = ("L", "M")

NOT_FOUND = "The reader finds no QR code. Use a darker color for dark, a lighter one for light, or a larger size."


@dataclass(frozen=True)
class ScanReport:
    """Whether a printed QR code will be read. A notebook displays it as a table."""

    score: int
    """0 to 100: the share of the photos that were read; large prints count more."""
    min_size_mm: float | None
    """The smallest checked print size that is read in every condition; None if there is none."""
    advice: tuple[str, ...]
    """What to change, most important first; empty if nothing has to be changed."""
    checks: tuple[PhotoCheck, ...]
    """The photos by print size and condition."""
    previews: Sequence[tuple[str, bytes]] = field(default=(), repr=False, compare=False)
    """A photo of each condition as PNG."""

    @property
    def verdict(self) -> str:
        """The score in words."""
        if self.score >= GOOD_SCORE:
            return "Scans well"
        if self.score >= FAIR_SCORE:
            return "Scans in good conditions"
        return "Hard to scan" if self.score else "Does not scan"

    def to_frame(self) -> Any:
        """Return the checks as a DataFrame of pandas, or of Polars if pandas is not installed."""
        from mediakit.results.data import data_frame

        return data_frame([vars(check) for check in self.checks])

    def __repr__(self) -> str:
        size = f", from {self.min_size_mm:g} mm" if self.min_size_mm else ""
        return f"<ScanReport {self.score}/100: {self.verdict.lower()}{size}>"

    def _repr_html_(self) -> str:
        level = "good" if self.score >= GOOD_SCORE else "fair" if self.score >= FAIR_SCORE else "bad"
        photos = {name: f"data:image/png;base64,{pybase64.b64encode(photo).decode()}" for name, photo in self.previews}
        return view("scan_report", report=self, level=level, photos=photos)


def make_report(code: Measurements, checks: Sequence[PhotoCheck], previews: Sequence[tuple[str, bytes]]) -> ScanReport:
    """Return the score of a code, the smallest size from which every condition was read at least once, and advice."""
    read = sum(check.size_mm * check.read for check in checks)
    score = round(100 * read / sum(check.size_mm * check.photos for check in checks))
    failed = max((check.size_mm for check in checks if not check.read), default=0)
    min_size = min((check.size_mm for check in checks if check.size_mm > failed), default=None)
    score = min(score, MAX_INVERTED_SCORE) if code.is_inverted else score
    return ScanReport(score, min_size, tuple(_advise(code, checks, min_size)), tuple(checks), previews)


def _advise(code: Measurements, checks: Sequence[PhotoCheck], min_size_mm: float | None) -> Iterator[str]:
    """Yield what to change, most important first."""
    failed = {check.condition for check in checks if not check.read and check.size_mm >= COMMON_SIZE_MM}
    scratched = [check for check in checks if check.condition == "scratched" and check.size_mm >= COMMON_SIZE_MM]
    found = [*_about_colors_and_quiet_zone(code, failed), *_about_error_correction(code, scratched)]
    if "tilted" in failed and code.contrast >= MIN_CONTRAST and code.modules < MANY_MODULES:
        found.append("Use square or rounded finder patterns and modules: this shape is hard to read when it is tilted.")
    yield from found
    if min_size_mm is not None or code.modules >= MANY_MODULES or not found:
        yield from _about_size(code, min_size_mm, [check.size_mm for check in checks])


def _about_colors_and_quiet_zone(code: Measurements, failed: set[str]) -> Iterator[str]:
    if code.contrast < MIN_CONTRAST:
        yield f"Use colors of more contrast: it is {code.contrast:.1f}, scanners need 3 or more."
    elif code.contrast < GOOD_CONTRAST and "low light" in failed:
        yield f"Use colors of more contrast: at {code.contrast:.1f} the code is not read in low light."
    if code.is_inverted:
        yield "Use dark modules on a light background: many scanners do not read light modules on a dark background."
    if code.quiet_zone < MIN_QUIET_ZONE - 0.05:
        yield f"Set margin to 4: the quiet zone is {code.quiet_zone:.1f} modules wide, scanners need 2 or more."


def _about_error_correction(code: Measurements, scratched: Sequence[PhotoCheck]) -> Iterator[str]:
    if all(check.read == check.photos for check in scratched):
        return
    used = 1 - code.spare_correction
    if code.spare_correction < MIN_SPARE_CORRECTION:
        yield f"Omit the logo or shorten the text: {used:.0%} of the error correction is used before any wear."
    elif code.ecc in WEAK_LEVELS and code.modules < MANY_MODULES:
        yield f"Set ecc to Q or H: with {code.ecc}, some scratched prints are not read."


def _about_size(code: Measurements, min_size_mm: float | None, sizes_mm: Sequence[float]) -> Iterator[str]:
    is_long = code.modules >= MANY_MODULES
    shorten = f", or shorten the text: the code has {code.modules} × {code.modules} modules" if is_long else ""
    if min_size_mm is None:
        yield f"Print it wider than {max(sizes_mm):g} mm{shorten}."
    elif min_size_mm > max(SMALL_SIZE_MM, min(sizes_mm)):
        yield f"Print it {min_size_mm:g} mm wide or wider{shorten}."


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
    image, measured = colors.convert("L"), measure(colors)
    if measured is None:
        return ScanReport(0, None, (NOT_FOUND,), ())
    checks = [photos for size in sizes for photos in photograph(image, measured.content, size)]
    return make_report(measured, checks, previews(image))


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
