"""Measures a QR code in an image, and counts the simulated photos of it that are read."""

from dataclasses import dataclass
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mediakit.engines.colors import contrast_ratio
from mediakit.scan_check.photos import CONDITIONS, photographed, printed
from mediakit.tools.images.code_reader.decoder import Detection, decode

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
    xs, ys = zip(*code.quad, strict=True)
    area = np.asarray(colors.crop((round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys)))))
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


def _is_inverted(image: Image.Image, code: Detection, modules: int) -> bool:
    """Return whether the modules are the light ones."""
    xs, ys = zip(*code.quad, strict=True)
    low, high = image.crop((round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys)))).getextrema()
    return _finder_center(image, code, modules) > (low + high) / 2  # type: ignore[operator]  # one band


def _finder_center(image: Image.Image, code: Detection, modules: int) -> int:
    """Return the gray value in the center of the first finder pattern."""
    (left, top), (right, _), _, (_, bottom) = code.quad
    part = FINDER_CENTER / modules
    x, y = round(left + (right - left) * part), round(top + (bottom - top) * part)
    value = image.getpixel((min(max(x, 0), image.width - 1), min(max(y, 0), image.height - 1)))
    return int(value)  # type: ignore[arg-type]  # one band


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
