"""`ComparisonResult`: the differences of two images."""

from typing import TYPE_CHECKING, Annotated, NoReturn

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core.tool import Wire
from mediakit.errors import InvalidInput
from mediakit.results.data import DataResult
from mediakit.results.files import ImageResult

if TYPE_CHECKING:
    from PIL import Image

Share = Annotated[float, Field(ge=0, le=1)]


class Region(TypedDict):
    """An area in which pixels differ."""

    box: Annotated[list[int], Field(min_length=4, max_length=4)]
    """Left, top, width and height in pixels."""
    pixels: int
    """Different pixels in it."""


class ComparisonResult(DataResult, kw_only=True):
    """The differences of two images, as an image and as numbers.

    Without an image (`output_image="none"`), `content` is the numbers as JSON.
    """

    _wire = Wire(outputs=("json", "binary", "url", "image"), sends_file=True)
    _view = "mediakit.tools.images.image_compare.notebook_view:bundle"

    image: ImageResult | None = None
    """The differences as an image; absent with `output_image="none"`."""
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

    def to_pil(self) -> "Image.Image":
        """Return the image of the differences as a Pillow image.

        Raises:
            InvalidInput: The call made no image.
        """
        if self.image is None:
            raise InvalidInput('to_pil: there is no image, because output_image is "none".')
        return self.image.to_pil()

    def _facts(self) -> str:
        return f"{self.width} × {self.height}"

    def _caption(self) -> str:
        return "" if self.image is None else self.image._caption()

    def __bool__(self) -> NoReturn:
        raise TypeError("A ComparisonResult is neither true nor false; use .same or .assert_same().")

    def __repr__(self) -> str:
        return f"<ComparisonResult {self.width}x{self.height}, {self.verdict.rstrip('.')}>"


def _percent(share: float) -> str:
    """Return a share in percent; a small one is not rounded to 0 %."""
    return f"{share:.2%}".replace("%", " %") if share >= 0.0001 or not share else "less than 0.01 %"
