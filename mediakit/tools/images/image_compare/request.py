"""The request of `image_compare`."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from mediakit.core.inputs import ImageFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms

MAX_BOXES = 50
_MAX_COORDINATE = 100_000_000

Coordinate = Annotated[int, Field(ge=0, le=_MAX_COORDINATE)]
Antialiasing = Literal["ignore", "count"]
SizeRule = Literal["strict", "resize"]
OutputImage = Literal["diff", "side_by_side", "blink", "none"]


def _check_box(box: Sequence[int]) -> list[int]:
    if not (box[2] and box[3]):
        raise ValueError("width and height must be at least 1.")
    return list(box)


def _in_fours(boxes: Any) -> Any:
    """Return boxes of numbers in one list, as shells and forms send them, as lists of four."""
    if not isinstance(boxes, list | tuple) or not boxes or not all(isinstance(item, int) for item in boxes):
        return boxes
    return [list(boxes[start : start + 4]) for start in range(0, len(boxes), 4)]


Box = Annotated[
    Sequence[Coordinate],
    Field(min_length=4, max_length=4, json_schema_extra={"examples": [[0, 0, 120, 40]]}),
    AfterValidator(_check_box),
]


@request
class ImageCompareRequest:
    """Two images and how to compare them."""

    file: ImageFile
    """The first image: PNG, JPEG, WebP, AVIF, GIF, TIFF, BMP or ICO of up to 50 megapixels."""
    file2: ImageFile
    """The second image."""
    _: KW_ONLY
    threshold: Annotated[float, Field(ge=0, le=1), Synonyms("tolerance, sensitivity, delta")] = 0.1
    """Color distance up to which pixels are the same; 1 is the distance of black and white."""
    ignore: Annotated[
        Sequence[Box], Field(max_length=MAX_BOXES), BeforeValidator(_in_fours), Synonyms("mask, exclude, regions")
    ] = ()
    """Areas to leave out: left, top, width and height of each, in pixels of `file`."""
    antialiasing: Antialiasing = "ignore"
    """Whether smoothed edges that differ count."""
    align: bool = False
    """Find a shift of up to 5 % of the size first."""
    size: SizeRule = "strict"
    """Images of different sizes: `strict` compares the common part and counts the rest as different, `resize` scales
    `file2` to the size of `file`."""
    output_image: Annotated[OutputImage, Synonyms("output, diff, mode, view")] = "diff"
    """The differences in red, all images side by side, an animation of both images, or no image."""


@request
class PictureCall(ImageCompareRequest):
    """Arguments of calls that return an image, for type checkers."""

    _: KW_ONLY
    output_image: Literal["diff", "side_by_side", "blink"] = "diff"


@request
class NumbersCall(ImageCompareRequest):
    """Arguments of calls that return only numbers, for type checkers."""

    _: KW_ONLY
    output_image: Literal["none"]


@dataclass(frozen=True)
class Compared:
    """What a worker returns."""

    fields: dict[str, Any]
    pixels_compared: int
    warnings: list[str]
    image: bytes
    """PNG or WebP; empty if none was requested."""
