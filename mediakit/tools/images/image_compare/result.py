"""The results of `image_compare`: the differences of two images as numbers, and as an image with these numbers."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NoReturn, Self

import pybase64
from pydantic import Field
from typing_extensions import TypedDict

from mediakit.results.data import DataResult
from mediakit.results.files import ImageResult
from mediakit.results.item import json_schema
from mediakit.results.result import Result

Share = Annotated[float, Field(ge=0, le=1)]


class Region(TypedDict):
    """An area in which pixels differ."""

    box: Annotated[list[int], Field(min_length=4, max_length=4)]
    """Left, top, width and height in pixels."""
    pixels: int
    """Different pixels in it."""


class Comparison(Result):
    """What numbers and images of differences have in common."""

    _view = "mediakit.tools.images.image_compare.notebook_view:bundle"

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
