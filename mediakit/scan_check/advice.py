"""Advice on how to make a QR code easier to scan."""

from collections.abc import Iterator, Sequence

from mediakit.scan_check.measurements import Measurements
from mediakit.scan_check.photo_check import PhotoCheck

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


def advise(
    code: Measurements, checks: Sequence[PhotoCheck], min_size_mm: float | None, sizes_mm: Sequence[float]
) -> Iterator[str]:
    """Yield what to change, most important first."""
    failed = {check.condition for check in checks if not check.read and check.size_mm >= COMMON_SIZE_MM}
    scratched = [check for check in checks if check.condition == "scratched" and check.size_mm >= COMMON_SIZE_MM]
    found = [*_about_colors(code, failed), *_about_quiet_zone(code), *_about_error_correction(code, scratched)]
    if "tilted" in failed and code.contrast >= MIN_CONTRAST and code.modules < MANY_MODULES:
        found.append("Use square or rounded finder patterns and modules: this shape is hard to read when it is tilted.")
    yield from found
    if min_size_mm is not None or code.modules >= MANY_MODULES or not found:
        yield from _about_size(code, min_size_mm, sizes_mm)


def _about_quiet_zone(code: Measurements) -> Iterator[str]:
    if code.quiet_zone < MIN_QUIET_ZONE - 0.05:
        yield f"Set margin to 4: the quiet zone is {code.quiet_zone:.1f} modules wide, scanners need 2 or more."


def _about_colors(code: Measurements, failed: set[str]) -> Iterator[str]:
    if code.contrast < MIN_CONTRAST:
        yield f"Use colors of more contrast: it is {code.contrast:.1f}, scanners need 3 or more."
    elif code.contrast < GOOD_CONTRAST and "low light" in failed:
        yield f"Use colors of more contrast: at {code.contrast:.1f} the code is not read in low light."
    if code.is_inverted:
        yield "Use dark modules on a light background: many scanners do not read light modules on a dark background."


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
