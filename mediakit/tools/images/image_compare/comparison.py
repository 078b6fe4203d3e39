"""Compares two images. Runs in a worker process."""

from collections.abc import Sequence
from typing import Any

from PIL import Image

from mediakit.core.inputs import file_of
from mediakit.engines.raster import hashes
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_compare import drawing
from mediakit.tools.images.image_compare.alignment import find_shift, overlap
from mediakit.tools.images.image_compare.loading import load, on_checkerboard
from mediakit.tools.images.image_compare.matching import DIFFERENT, match
from mediakit.tools.images.image_compare.regions import MAX_REGIONS, regions_of
from mediakit.tools.images.image_compare.request import Compared, ImageCompareRequest
from mediakit.tools.images.image_compare.similarity import ssim

_NEUTRAL = 128
_HASHED_SIDE = 256


def compare(request: ImageCompareRequest) -> Compared:
    """Compare two image files.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or an area is outside the first image.
    """
    files = {"file": file_of(request.file), "file2": file_of(request.file2)}
    loaded = [load(file, field, file.name) for field, file in files.items()]
    first, second = (one.image for one in loaded)
    warnings = [warning for one in loaded for warning in one.warnings]
    _check_boxes(request.ignore, first.size)
    size_equal = first.size == second.size
    if request.size == "resize" and not size_equal:
        second = second.resize(first.size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    lumas = [_masked(on_checkerboard(image).convert("L"), request.ignore) for image in (first, second)]
    shift = find_shift(*lumas) if request.align else (0, 0)
    box, box2 = overlap(first.size, second.size, shift)
    codes = _codes(first, second, box, box2, request)
    different = codes == DIFFERENT
    count = int(different.sum())
    compared = int((codes != drawing.IGNORED).sum())
    regions, total = regions_of(different)
    if total > MAX_REGIONS:
        warnings.append(f"There are {total:,} regions; the largest {MAX_REGIONS} are listed.")
    common = (box[2] - box[0]) * (box[3] - box[1]) / codes.size if first.size != second.size else 1.0
    fields = {
        "same": count == 0,
        "different_pixels": count,
        "share": round(count / compared, 8) if compared else 0.0,
        "similarity": round(ssim(lumas[0].crop(box), lumas[1].crop(box2)) * common, 6),
        "hash_distance": hashes.distance(*(hashes.perceptual(_reduced(luma)) for luma in lumas)),
        "regions": [{"box": list(region.box), "pixels": region.pixels} for region in regions],
        "offset": list(shift),
        "width": codes.shape[1],
        "height": codes.shape[0],
        "size_equal": size_equal,
    }
    image, scale = _drawn(first, second, shift, codes, request.output_image)
    if scale < 1:
        warnings.append(f"The image is shown at {scale:.0%} of its size.")
    return Compared(fields, compared, warnings, image)


def _check_boxes(boxes: Sequence[Sequence[int]], size: tuple[int, int]) -> None:
    for number, (left, top, width, height) in enumerate(boxes):
        if left + width > size[0] or top + height > size[1]:
            raise InvalidInput(f"ignore[{number}]: lies outside the picture ({size[0]} x {size[1]}).")


def _reduced(gray: Image.Image) -> Image.Image:
    """Return a large image reduced by averaging, which a hash of 8 x 8 bits does not see."""
    factor = min(gray.size) // _HASHED_SIDE
    return gray.reduce(factor) if factor > 1 else gray


def _masked(gray: Image.Image, boxes: Sequence[Sequence[int]]) -> Image.Image:
    for left, top, width, height in boxes:
        gray.paste(_NEUTRAL, (left, top, left + width, top + height))
    return gray


def _codes(first: Image.Image, second: Image.Image, box: Any, box2: Any, request: ImageCompareRequest) -> Any:
    """Return what is known of each pixel of the canvas: the larger width and height of both images."""
    import numpy as np

    size = max(first.width, second.width), max(first.height, second.height)
    rest = drawing.IGNORED if first.size == second.size else DIFFERENT
    codes = np.full(size[::-1], rest, np.uint8)
    parts = (_cropped(first, box), _cropped(second, box2))
    left, top, right, bottom = box
    codes[top:bottom, left:right] = match(*parts, request.threshold, antialiasing=request.antialiasing == "ignore")
    for x, y, width, height in request.ignore:
        codes[y : y + height, x : x + width] = drawing.IGNORED
    return codes


def _cropped(image: Image.Image, box: tuple[int, int, int, int]) -> Image.Image:
    return image if box == (0, 0, *image.size) else image.crop(box)


def _drawn(
    first: Image.Image, second: Image.Image, shift: tuple[int, int], codes: Any, kind: str
) -> tuple[bytes, float]:
    """Return the image of a comparison, and the scale at which it shows the images."""
    if kind == "none":
        return b"", 1.0
    if shift != (0, 0):
        moved = Image.new("RGB", second.size, "white")
        moved.paste(on_checkerboard(second), (-shift[0], -shift[1]))
        second = moved
    if kind == "blink":
        return drawing.blink(first, second)
    diff = drawing.diff_image(first, codes)
    if kind == "side_by_side":
        return drawing.side_by_side([first, second, diff])
    return drawing.encode_diff(diff), 1.0
