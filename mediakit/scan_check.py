"""`scan_check(code)`: whether a printed QR code will be read, as a score with advice.

Simulated photos of it at several sizes are decoded by mediakit's reader. A photo has the perspective, focus, wear,
light and noise of a phone camera. The same code always results in the same photos.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import numpy as np
import pybase64
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw, ImageFilter, ImageOps

from mediakit.core.inputs import FileInput, load_file, local_file
from mediakit.core.runtime import runtime
from mediakit.display import view
from mediakit.engines import raster
from mediakit.engines.colors import contrast_ratio
from mediakit.errors import InvalidInput
from mediakit.results.files import ImageResult
from mediakit.tools.images.code_reader.decoder import Detection, decode

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

PRINT_DPI = 300
CAMERA_PIXELS_PER_MM = 8.0
"""A phone at a distance of 20 cm: 1920 pixels of its viewfinder show 240 mm."""
MM_PER_INCH = 25.4
TABLE_GRAY = 96
"""Gray of what surrounds the print."""
SURROUNDINGS = 0.3
"""Visible width of the surroundings on each side, relative to the print."""
WEAR_RESOLUTION = 300
"""Side of the image of scratches and stains, in pixels."""


@dataclass(frozen=True)
class Condition:
    """What a photo of the print is like."""

    name: str
    rotation: float = 3
    """Degrees in the plane of the print."""
    tilt: float = 0
    """Degrees between the camera and the print."""
    blur: float = 0.6
    """Standard deviation in camera pixels."""
    noise: float = 4
    """Standard deviation in gray values."""
    light: float = 1
    """Exposure, 0 to 1."""
    wear: float = 0
    """Strength of scratches, stains and fading, 0 to 1."""


CONDITIONS = (
    Condition("straight"),
    Condition("blurred", blur=1.4),
    Condition("tilted", rotation=14, tilt=42, blur=0.7),
    Condition("scratched", wear=1, blur=0.8),
    Condition("low light", light=0.35, noise=6, blur=0.9),
)


def printed(code: Image.Image, size_mm: float) -> Image.Image:
    """Return a code as printed with a width of `size_mm`, at `PRINT_DPI`."""
    width = max(8, round(size_mm / MM_PER_INCH * PRINT_DPI))
    height = max(8, round(width * code.height / code.width))
    return code.resize((width, height), Image.Resampling.BOX if width < code.width else Image.Resampling.NEAREST)


def photographed(print_: Image.Image, condition: Condition, shot: int) -> Image.Image:
    """Return a photo of a print.

    Args:
        print_: Result of `printed`.
        condition: What the photo is like.
        shot: Number of the photo; photos of the same condition differ in angle, wear and noise.
    """
    scratched = _scratched(print_, condition.wear, shot) if condition.wear else print_
    on_table = ImageOps.expand(scratched, round(print_.width * SURROUNDINGS), TABLE_GRAY)
    seen = _in_perspective(on_table, condition, shot)
    return _exposed(seen.filter(ImageFilter.GaussianBlur(condition.blur)), condition, shot)


def _scratched(print_: Image.Image, strength: float, shot: int) -> Image.Image:
    """Return a faded print with scratches and stains."""
    random = np.random.default_rng(100 + shot)
    side = WEAR_RESOLUTION
    marks = Image.new("LA", (side, side), (0, 0))
    pen = ImageDraw.Draw(marks)
    for _ in range(4):
        x, y, angle = random.uniform(0, side), random.uniform(0, side), random.uniform(0, math.pi)
        reach_x, reach_y = math.cos(angle) * side / 3, math.sin(angle) * side / 3
        pen.line((x - reach_x, y - reach_y, x + reach_x, y + reach_y), fill=(225, round(170 * strength)), width=2)
    for _ in range(4):
        x, y, radius = random.uniform(0, side), random.uniform(0, side), random.uniform(4, 8)
        gray = int(random.choice([70, 225]))
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(gray, round(200 * strength)))
    fade = 0.3 * strength
    faded = print_.point([round(value * (1 - fade) + 200 * fade) for value in range(256)])
    scaled = marks.resize(print_.size, Image.Resampling.BILINEAR)
    faded.paste(scaled.getchannel("L"), mask=scaled.getchannel("A"))
    return faded


def _in_perspective(table: Image.Image, condition: Condition, shot: int) -> Image.Image:
    """Return the table as the camera shows it, reduced to camera pixels."""
    scale = CAMERA_PIXELS_PER_MM * MM_PER_INCH / PRINT_DPI
    size = round(table.width * scale), round(table.height * scale)
    soft = table.filter(ImageFilter.BoxBlur(max(0.0, (1 / scale - 1) / 2)))
    return soft.transform(
        size, Image.Transform.PERSPECTIVE, _coefficients(table, size, condition, shot), Image.Resampling.BICUBIC,
        fillcolor=TABLE_GRAY,
    )  # fmt: skip


def _coefficients(table: Image.Image, size: tuple[int, int], condition: Condition, shot: int) -> list[float]:
    """Return the perspective from camera pixels to pixels of the table, which is rotated, then tilted."""
    sign = -1 if shot % 2 else 1
    turn, tilt = math.radians(sign * condition.rotation + 1), math.radians(sign * condition.tilt)
    distance = 3.0  # from the lens to the print, in widths of the table
    sides = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    corners = []
    for x, y in sides:
        across, down = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        depth = distance + down * math.sin(tilt)
        corners.append((across * distance / depth, down * math.cos(tilt) * distance / depth))
    rows, values = [], []
    for (x, y), (seen_x, seen_y) in zip(sides, corners, strict=True):
        u, v = (seen_x + 0.5) * size[0], (seen_y + 0.5) * size[1]
        for target, coordinate in enumerate(((x + 0.5) * table.width, (y + 0.5) * table.height)):
            row = [0.0] * 8
            row[3 * target : 3 * target + 3] = [u, v, 1]
            row[6:] = [-u * coordinate, -v * coordinate]
            rows.append(row)
            values.append(coordinate)
    solution: Any = np.linalg.solve(np.array(rows), np.array(values))
    return [float(value) for value in solution]


def _exposed(image: Image.Image, condition: Condition, shot: int) -> Image.Image:
    """Return the image with uneven light and noise."""
    random = np.random.default_rng(shot)
    pixels = np.asarray(image, np.float32)
    shade = np.linspace(1.0, 0.85, image.width, dtype=np.float32)
    noise = random.normal(0, condition.noise, pixels.shape).astype(np.float32)
    lit = pixels * (0.92 * condition.light * shade) + 10 + noise
    return Image.fromarray(lit.clip(0, 255).astype(np.uint8))


FORMATS = ("QRCode",)
PHOTOS = 2
"""Photos of each size and condition."""
PREVIEW_SIZE_MM = 30
FINDER_CENTER = 3.5
"""Distance of the center of a finder pattern from two edges of the code, in modules."""
TILES = 4
"""Parts of the code on each side, in which the contrast is measured."""


@dataclass(frozen=True)
class Measurements:
    """A QR code as the reader sees it in the unchanged image."""

    content: bytes
    modules: int
    """Modules on each side, without the quiet zone."""
    ecc: str
    spare_correction: float
    """Unused share of the error correction, 0 to 1."""
    quiet_zone: float
    """Modules between the code and the nearest edge of the image."""
    contrast: float
    """Contrast ratio (WCAG 2) between the background and the lightest modules."""
    is_inverted: bool
    """Whether the modules are lighter than the background."""


@dataclass(frozen=True)
class PhotoCheck:
    """The simulated photos of one print size in one condition."""

    size_mm: float
    """Width of the print with its quiet zone, in millimeters."""
    condition: str
    """`straight`, `blurred`, `tilted`, `scratched` or `low light`."""
    photos: int
    """Number of photos."""
    read: int
    """Number of photos that were read."""


def measure(colors: Image.Image) -> Measurements | None:
    """Measure the first QR code of an opaque image; None if there is none."""
    image = colors.convert("L")
    found = decode(image, FORMATS)
    if not found:
        return None
    code = found[0]
    modules = 17 + 4 * int(code.extra.get("Version") or 1)
    dark, light = _tones(colors.convert("RGB"), code)
    edges = [min(x, image.width - x, y, image.height - y) for x, y in code.quad]
    return Measurements(
        content=code.content,
        modules=modules,
        ecc=code.ec_level,
        spare_correction=1.0 if code.spare_correction is None else code.spare_correction,
        quiet_zone=max(0.0, min(edges) / (code.width / modules)),
        contrast=contrast_ratio(dark, light),
        is_inverted=_is_inverted(image, code, modules),
    )


def _tones(colors: Image.Image, code: Detection) -> tuple[str, str]:
    """Return the colors of the modules and of the background where they have the least contrast."""
    area = np.asarray(_cut_out(colors, code))
    tiles = [tile for rows in np.array_split(area, TILES) for tile in np.array_split(rows, TILES, axis=1) if tile.size]
    pairs = []
    for tile in tiles:
        levels = tile.sum(axis=2, dtype=np.int32)
        is_dark = levels <= (int(levels.min()) + int(levels.max())) / 2
        if not is_dark.all():
            pairs.append((_median(tile[is_dark]), _median(tile[~is_dark])))
    # The module of the least contrast decides, such as at the end of a gradient.
    return min(pairs, key=lambda pair: contrast_ratio(*pair), default=("#000000", "#ffffff"))


def _median(pixels: NDArray[np.uint8]) -> str:
    return f"#{np.median(pixels, axis=0).astype(np.uint8).tobytes().hex()}"


def _cut_out(image: Image.Image, code: Detection) -> Image.Image:
    xs, ys = zip(*code.quad, strict=True)
    return image.crop((round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))))


def _is_inverted(image: Image.Image, code: Detection, modules: int) -> bool:
    """Return whether the modules are the light ones, by the center of the first finder pattern."""
    (left, top), (right, _), _, (_, bottom) = code.quad
    part = FINDER_CENTER / modules
    x, y = round(left + (right - left) * part), round(top + (bottom - top) * part)
    center: Any = image.getpixel((min(max(x, 0), image.width - 1), min(max(y, 0), image.height - 1)))
    low, high = _cut_out(image, code).getextrema()
    return bool(center > (low + high) / 2)  # type: ignore[operator]  # one band


def photograph(image: Image.Image, content: bytes, size_mm: float) -> list[PhotoCheck]:
    """Return how many simulated photos of a print are read, in each condition."""
    checks, print_ = [], printed(image, size_mm)
    for condition in CONDITIONS:
        photos = (photographed(print_, condition, shot) for shot in range(PHOTOS))
        read = sum(any(code.content == content for code in decode(photo, FORMATS)) for photo in photos)
        checks.append(PhotoCheck(size_mm, condition.name, PHOTOS, read))
    return checks


def previews(image: Image.Image) -> list[tuple[str, bytes]]:
    """Return a small photo of each condition as PNG."""
    print_, photos = printed(image, PREVIEW_SIZE_MM), []
    for condition in CONDITIONS:
        photo = photographed(print_, condition, 0)
        photo.thumbnail((112, 112))
        photo.quantize(16).save(file := BytesIO(), "PNG", optimize=True)
        photos.append((condition.name, file.getvalue()))
    return photos


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
    try:
        sizes = sorted(set(sizes_mm))
        is_valid = 0 < len(sizes) <= MAX_SIZES and all(MIN_SIZE_MM <= size <= MAX_SIZE_MM for size in sizes)
    except TypeError:  # not a list, or not of numbers
        is_valid = False
    if not is_valid:
        raise InvalidInput(
            f"sizes_mm: must be 1 to {MAX_SIZES} sizes between {MIN_SIZE_MM} and {MAX_SIZE_MM} mm, got {sizes_mm!r}."
        )
    image = code.to_pil() if isinstance(code, ImageResult) else _decoded(code)
    try:
        color = ImageColor.getrgb(str(background))[:3]
    except ValueError:
        raise InvalidInput(f'background: must be a color such as "#1a2b3c", got {str(background)[:40]!r}.') from None
    image.thumbnail((MAX_SIDE, MAX_SIDE))
    visible = image.convert("RGBA")
    flat = Image.new("RGBA", visible.size, color)
    flat.alpha_composite(visible)
    colors = flat.convert("RGB")
    image, measured = colors.convert("L"), measure(colors)
    if measured is None:
        return ScanReport(0, None, (NOT_FOUND,), ())
    checks = [photos for size in sizes for photos in photograph(image, measured.content, size)]
    return make_report(measured, checks, previews(image))


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
