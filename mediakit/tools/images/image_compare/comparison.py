"""Compares two images: loads them upright in sRGB, aligns and measures them. Runs in a worker process."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image

from mediakit.core.inputs import file_of
from mediakit.engines.raster import hashes
from mediakit.engines.raster.color import to_eight_bit, to_srgb
from mediakit.engines.raster.formats import detect_image
from mediakit.engines.raster.source import bits_of, decode_partly
from mediakit.engines.raster.structure import page_count, timing_of
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_compare.differences import DIFFERENT, MAX_REGIONS, match, regions_of
from mediakit.tools.images.image_compare.tool import ImageCompareRequest
from mediakit.tools.images.image_compare.view import (
    IGNORED,
    blink,
    diff_image,
    encode_diff,
    on_checkerboard,
    side_by_side,
)


def load(content: bytes, field: str, name: str, warnings: list[str]) -> Image.Image:
    """Decode the first frame of an image to RGB, or to RGBA if a pixel is not opaque.

    Raises:
        InvalidInput: The file is not an image, is damaged or too large.
    """
    kind = detect_image(content, field, name)
    decoded = decode_partly(content, kind, field)
    frames = page_count(content) if kind == "tiff" else timing_of(content, kind, decoded.source).frames
    if decoded.warning:
        warnings.append(f"{field}: {decoded.warning}")
    if (bits := bits_of(content, kind, decoded.source)) > 8:
        warnings.append(f"{field}: has {bits} bits per channel; it is compared with 8.")
    if frames > 1:
        what = f"has {frames} pages; only the first page" if kind == "tiff" else "is an animation; only its first frame"
        warnings.append(f"{field}: {what} is compared.")
    if decoded.decoded_percent is not None:
        warnings.append(f"{field}: is truncated after {decoded.decoded_percent} % of its rows.")
    srgb = to_srgb(to_eight_bit(decoded.image), decoded.source.info.get("icc_profile"))
    is_opaque = "A" not in srgb.getbands() or srgb.getchannel("A").getextrema() == (255, 255)
    mode = "RGB" if is_opaque else "RGBA"
    return srgb if srgb.mode == mode else srgb.convert(mode)


MAX_SHIFT = 0.05
"""Largest shift, as a share of the width and the height."""
_COARSE_SIDE = 640
_CANDIDATES = 12
_MAX_COMPARED_PIXELS = 1_500_000


def find_shift(first: Image.Image, second: Image.Image) -> tuple[int, int]:
    """Return how many pixels the content of the second gray image is right of and below that of the first one."""
    limits = tuple(int(max(sides) * MAX_SHIFT) for sides in zip(first.size, second.size, strict=True))
    factor = max(1, -(-max(*first.size, *second.size) // _COARSE_SIDE))
    small = [image.reduce(factor) if factor > 1 else image for image in (first, second)]
    bounds = tuple(-(-limit // factor) for limit in limits)
    best = _best(small, [(0, 0), *_peaks(small[0], small[1], bounds)])
    while factor > 1:
        finer = max(1, factor // 2)
        reduced = [image.reduce(finer) if finer > 1 else image for image in (first, second)]
        scale = factor / finer
        center = [round(shift * scale) for shift in best]
        around = range(-2, 3)
        best = _best(reduced, [(0, 0), *((center[0] + x, center[1] + y) for x in around for y in around)])
        factor = finer
    x, y = best
    return (x, y) if abs(x) <= limits[0] and abs(y) <= limits[1] else (0, 0)


def _peaks(first: Image.Image, second: Image.Image, bounds: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the shifts with the highest phase correlation."""
    height, width = (max(sides) for sides in zip(first.size[::-1], second.size[::-1], strict=True))
    spectra = []
    for image in (first, second):
        pixels = np.asarray(image, np.float32)
        window = np.outer(*(np.hanning(side + 2)[1:-1] for side in pixels.shape))
        # Pixels fade to their mean at the edges, which would correlate otherwise.
        spectra.append(np.fft.rfft2((pixels - pixels.mean()) * window, (height, width)))
    cross = spectra[1] * spectra[0].conj()
    correlation = np.fft.irfft2(cross / (np.abs(cross) + 1e-9), (height, width))
    xs, ys = (np.arange(-bound, bound + 1) for bound in bounds)
    near = correlation[np.ix_(ys % height, xs % width)]
    order = np.argsort(-near, axis=None, kind="stable")[:_CANDIDATES]
    return [(int(xs[place % len(xs)]), int(ys[place // len(xs)])) for place in order]


def _best(images: list[Image.Image], shifts: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the shift with the least mean difference; the first one of equals."""
    first, second = (np.asarray(image) for image in images)
    step = max(1, first.size // _MAX_COMPARED_PIXELS)

    def difference(shift: tuple[int, int]) -> float:
        one, other = overlap((first.shape[1], first.shape[0]), (second.shape[1], second.shape[0]), shift)
        x0, y0, x1, y1 = one
        if x1 <= x0 or y1 <= y0:
            return 256.0
        part = first[y0:y1:step, x0:x1].astype(np.int16) - second[other[1] : other[3] : step, other[0] : other[2]]
        return float(np.abs(part).mean())

    return min(shifts, key=difference)


Box = tuple[int, int, int, int]


def overlap(first: tuple[int, int], second: tuple[int, int], shift: tuple[int, int]) -> tuple[Box, Box]:
    """Return the box of the common part in each of two images, of which the second one is shifted."""
    left, top = max(0, -shift[0]), max(0, -shift[1])
    right, bottom = min(first[0], second[0] - shift[0]), min(first[1], second[1] - shift[1])
    x, y = shift
    return (left, top, right, bottom), (left + x, top + y, right + x, bottom + y)


_SIDE = 256
"""Images are reduced to about this length of the shorter side, as the authors of SSIM advise."""
_RADIUS, _SIGMA = 5, 1.5
_C1, _C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2


def ssim(first: Image.Image, second: Image.Image) -> float:
    """Return the mean SSIM (Wang et al., 2004) of two grayscale images of one size, 0 to 1.

    The window is a Gaussian of 11 x 11 pixels; images that are smaller have a smaller one.
    """
    factor = max(1, round(min(first.size) / _SIDE))
    reduced = (image.reduce(factor) if factor > 1 else image for image in (first, second))
    x, y = (np.asarray(image, np.float64) for image in reduced)
    radius = min(_RADIUS, (min(x.shape) - 1) // 2)
    places = np.arange(-radius, radius + 1)
    weights = np.exp(-(places**2) / (2 * _SIGMA**2))
    weights /= weights.sum()
    mean_x, mean_y = _filtered(x, weights), _filtered(y, weights)
    variance_x = _filtered(x * x, weights) - mean_x**2
    variance_y = _filtered(y * y, weights) - mean_y**2
    covariance = _filtered(x * y, weights) - mean_x * mean_y
    likeness = (2 * mean_x * mean_y + _C1) * (2 * covariance + _C2)
    scale = (mean_x**2 + mean_y**2 + _C1) * (variance_x + variance_y + _C2)
    return float(np.clip((likeness / scale).mean(), 0, 1))


def _filtered(pixels: Any, weights: Any) -> Any:
    """Return the weighted means of all windows that are inside the image."""
    size = len(weights)
    rows = sum(weight * pixels[place : pixels.shape[0] - size + 1 + place] for place, weight in enumerate(weights))
    return sum(weight * rows[:, place : rows.shape[1] - size + 1 + place] for place, weight in enumerate(weights))


_NEUTRAL = 128
_HASHED_SIDE = 256


def compare(request: ImageCompareRequest) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """Compare two image files; return the fields of the result, its meta, and the image.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or an area is outside the first image.
    """
    warnings: list[str] = []
    files = {"file": file_of(request.file), "file2": file_of(request.file2)}
    first, second = (load(file, field, file.name, warnings) for field, file in files.items())
    for number, (left, top, width, height) in enumerate(request.ignore):
        if left + width > first.width or top + height > first.height:
            raise InvalidInput(f"ignore[{number}]: lies outside the picture ({first.width} x {first.height}).")
    size_equal = first.size == second.size
    if request.size == "resize" and not size_equal:
        second = second.resize(first.size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    lumas = [_gray(image, request.ignore) for image in (first, second)]
    shift = find_shift(*lumas) if request.align else (0, 0)
    box, box2 = overlap(first.size, second.size, shift)
    codes = _codes(first, second, box, box2, request)
    different = codes == DIFFERENT
    count = int(different.sum())
    compared = int((codes != IGNORED).sum())
    regions, total = regions_of(different)
    if total > MAX_REGIONS:
        warnings.append(f"There are {total:,} regions; the largest {MAX_REGIONS} are listed.")
    common = (box[2] - box[0]) * (box[3] - box[1]) / codes.size if first.size != second.size else 1.0
    fields = {
        "same": count == 0,
        "different_pixels": count,
        "share": round(count / compared, 8) if compared else 0.0,
        "similarity": round(ssim(lumas[0].crop(box), lumas[1].crop(box2)) * common, 6),
        "hash_distance": hashes.distance(*map(_hash, lumas)),
        "regions": regions,
        "offset": list(shift),
        "width": codes.shape[1],
        "height": codes.shape[0],
        "size_equal": size_equal,
    }
    image, scale = _drawn((first, second), lumas[0], shift, codes, request.output_image)
    if scale < 1:
        warnings.append(f"The image is shown at {scale:.0%} of its size.")
    return fields, {"pixels_compared": compared, "warnings": warnings}, image


def _gray(image: Image.Image, boxes: Sequence[Sequence[int]]) -> Image.Image:
    """Return an image in gray, with boxes that are all equal."""
    gray = on_checkerboard(image).convert("L")
    for left, top, width, height in boxes:
        gray.paste(_NEUTRAL, (left, top, left + width, top + height))
    return gray


def _hash(gray: Image.Image) -> str:
    """Return the perceptual hash. A large image is reduced before, which a hash of 8 x 8 bits does not see."""
    factor = min(gray.size) // _HASHED_SIDE
    return hashes.perceptual(gray.reduce(factor) if factor > 1 else gray)


def _codes(first: Image.Image, second: Image.Image, box: Any, box2: Any, request: ImageCompareRequest) -> Any:
    """Return what is known of each pixel of the canvas: the larger width and height of both images."""
    size = max(first.width, second.width), max(first.height, second.height)
    rest = IGNORED if first.size == second.size else DIFFERENT
    codes = np.full(size[::-1], rest, np.uint8)
    if first.size != second.size or box != box2:
        first, second = first.crop(box), second.crop(box2)
    left, top, right, bottom = box
    ignores = request.antialiasing == "ignore"
    codes[top:bottom, left:right] = match(first, second, request.threshold, antialiasing=ignores)
    for x, y, width, height in request.ignore:
        codes[y : y + height, x : x + width] = IGNORED
    return codes


def _drawn(
    images: tuple[Image.Image, Image.Image], gray: Image.Image, shift: tuple[int, int], codes: Any, kind: str
) -> tuple[bytes, float]:
    """Return the image of a comparison, and the scale at which it shows the images; `gray` is the first one in gray."""
    if kind == "none":
        return b"", 1.0
    if kind == "diff":
        return encode_diff(diff_image(gray, codes)), 1.0
    first, second = images
    if shift != (0, 0):
        moved = Image.new("RGB", second.size, "white")
        moved.paste(on_checkerboard(second), (-shift[0], -shift[1]))
        second = moved
    if kind == "blink":
        return blink(first, second)
    return side_by_side([first, second, diff_image(gray, codes)])
