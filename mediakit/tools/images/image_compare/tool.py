"""The tool `image_compare`: its request, result and function."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal, NoReturn, Self

import pybase64
from pydantic import AfterValidator, BeforeValidator, Field
from typing_extensions import TypedDict

from mediakit.core import meta_schemas
from mediakit.core.inputs import ImageFile
from mediakit.core.overloaded_tool import overloads
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.data import DataResult
from mediakit.results.files import ImageResult
from mediakit.results.item import json_schema
from mediakit.results.result import Result
from mediakit.samples import LANDSCAPE, LANDSCAPE_EDITED

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

    file: Annotated[ImageFile, Synonyms("image1, file1, before, first, left, expected")]
    """The first image: PNG, JPEG, WebP, AVIF, GIF, TIFF, BMP or ICO of up to 50 megapixels."""
    file2: Annotated[ImageFile, Synonyms("image2, after, second, right, other, actual")]
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


Share = Annotated[float, Field(ge=0, le=1)]


class Region(TypedDict):
    """An area in which pixels differ."""

    box: Annotated[list[int], Field(min_length=4, max_length=4)]
    """Left, top, width and height in pixels."""
    pixels: int
    """Different pixels in it."""


class Comparison(Result):
    """What numbers and images of differences have in common."""

    _view = "mediakit.tools.images.image_compare.view:bundle"

    same: bool
    different_pixels: int
    share: float
    similarity: float
    hash_distance: int
    regions: list[Region]
    offset: list[int]
    size_equal: bool

    @property
    def verdict(self) -> str:
        """The result in a sentence."""
        if self.same:
            return "The images are the same." if self.size_equal else "The images are the same, but for their size."
        regions = len(self.regions)
        places = "1 region" if regions == 1 else f"{regions} regions"
        pixels = "pixel differs" if self.different_pixels == 1 else "pixels differ"
        sizes = "" if self.size_equal else " The sizes differ."
        return f"{self.different_pixels:,} {pixels} ({_percent(self.share)}) in {places}.{sizes}"

    def assert_same(self, share: float = 0.001) -> None:
        """Raise an error if more than a share of the pixels differ; for tests.

        Args:
            share: Share of the compared pixels that may differ, 0 to 1.

        Raises:
            AssertionError: More pixels differ.
        """
        if self.share > share:
            raise AssertionError(f"{self.verdict} At most {_percent(share)} may differ.")

    def __bool__(self) -> NoReturn:
        raise TypeError("A comparison is neither true nor false; use .same or .assert_same().")

    def __repr__(self) -> str:
        size = self._facts().replace(" × ", "x")
        return f"<{type(self).__name__} {size}, {self.verdict.rstrip('.')}>"


class Differences(Comparison, DataResult):
    """The differences of two images as numbers."""

    same: Annotated[bool, Field(examples=[False])]
    """Whether no pixel differs."""
    different_pixels: Annotated[int, Field(examples=[1284])]
    share: Annotated[Share, Field(examples=[0.0008])]
    """Share of the compared pixels that differ."""
    similarity: Annotated[Share, Field(examples=[0.9871])]
    """Structural similarity (SSIM) of the brightness."""
    hash_distance: Annotated[int, Field(ge=0, le=64, examples=[2])]
    """Bits that differ in the perceptual hashes."""
    regions: Annotated[list[Region], Field(max_length=100, examples=[[{"box": [30, 20, 25, 18], "pixels": 450}]])]
    """Different pixels, joined if they are up to 8 pixels apart; largest first."""
    offset: Annotated[list[int], Field(min_length=2, max_length=2, examples=[[0, 0]])]
    """How far the content of `file2` is to the right and below, in pixels; found with `align`."""
    width: Annotated[int, Field(examples=[1600])]
    """Width of the compared area."""
    height: Annotated[int, Field(examples=[1000])]
    """Height of the compared area."""
    size_equal: Annotated[bool, Field(examples=[True])]
    """Whether both images have one size."""

    def _facts(self) -> str:
        return f"{self.width} × {self.height}"


class ComparisonResult(Comparison, ImageResult):
    """The differences of two images as an image, with the numbers of `Differences` as attributes.

    `width` and `height` are those of the compared area.
    """

    def __init__(self, content: bytes, mime_type: str, meta: Mapping[str, Any], numbers: Differences) -> None:
        super().__init__(content, mime_type, meta)
        self.numbers = numbers
        """The differences without the image."""
        vars(self).update(numbers._members())

    @property
    def _size(self) -> tuple[int, int]:
        return self.numbers.width, self.numbers.height

    def _extra(self) -> dict[str, Any]:
        return dict(self.numbers._members())

    @classmethod
    def _extra_schema(cls) -> dict[str, Any]:
        return {name: schema for name, schema in json_schema(Differences).items() if name != "meta"}

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any = None) -> Self:  # noqa: ARG003
        numbers = Differences._parsed(body, meta, Differences)
        return cls(pybase64.b64decode(body["image"]), body["mime_type"], meta, numbers)

    def _notes(self) -> Sequence[str]:
        return ()  # the view shows them


def _percent(share: float) -> str:
    """Return a share in percent; a small one is not rounded to 0 %."""
    return f"{share:.2%}".replace("%", " %") if share >= 0.0001 or not share else "less than 0.01 %"


META: Mapping[str, meta_schemas.Schema] = {
    "pixels_compared": meta_schemas.integer("Pixels that were compared.", 1_600_000),
    "warnings": meta_schemas.texts("What was not compared, such as further frames of an animation."),
}


def _media_type(values: Mapping[str, object]) -> str:
    kinds = {"blink": "image/webp", "none": "application/json"}
    return kinds.get(str(values.get("output_image")), "image/png")


@overloads(PictureCall, ComparisonResult, NumbersCall, Differences)
@tool(
    ImageCompareRequest,
    tag="Images",
    produces=("image/png", "image/webp"),
    meta=META,
    errors=[NotConvertible],
    media_type_of=_media_type,
    alt=lambda _: "Differences of the images in red",
    examples=[
        Example("What has changed", {"file": LANDSCAPE, "file2": LANDSCAPE_EDITED}),
        Example(
            "Without one area, images side by side",
            {
                "file": LANDSCAPE,
                "file2": LANDSCAPE_EDITED,
                "ignore": [[1100, 600, 300, 300]],
                "output_image": "side_by_side",
            },
        ),
        Example("Numbers only", {"file": LANDSCAPE, "file2": LANDSCAPE_EDITED, "output_image": "none"}),
    ],
)
async def image_compare(request: ImageCompareRequest) -> ComparisonResult | Differences:
    """Compare two images pixel by pixel, and show what differs.

    Different pixels are red, smoothed edges that do not count yellow, ignored areas blue. Colors are compared in OKLab,
    with the threshold of pixelmatch. Images are compared upright and in sRGB; transparent pixels on white and on gray,
    so that transparent and white differ. `regions` lists where the differences are. In tests, use
    `result.assert_same()`.

    Raises:
        InvalidInput: A file is not an image, is damaged or has more than 50 megapixels, or an area of `ignore` is
            outside the first image.
        NotConvertible: It took longer than 10 seconds.
    """
    work, guard = "mediakit.tools.images.image_compare.comparison:compare", Guard("comparison", seconds=10)
    fields, meta, image = await run_guarded(
        work, request, returns=tuple[dict[str, Any], dict[str, Any], bytes], guard=guard
    )
    numbers = Differences(**fields, meta=meta)
    if not image:
        return numbers
    return ComparisonResult(image, _media_type({"output_image": request.output_image}), meta, numbers)
