"""`ComparisonResult`: the differences of two images."""

from collections.abc import Mapping
from typing import Any, NoReturn, Self

import pybase64
from pydantic_core import to_json

from mediakit.results.image import ImageResult
from mediakit.results.result import without_usage
from mediakit.tools.images.image_compare.response_schema import SCHEMA

Region = dict[str, Any]


class ComparisonResult(ImageResult):
    """The differences of two images, as an image and as numbers.

    Without an image (`output_image="none"`), `content` is the numbers as JSON.
    """

    same: bool
    """Whether no pixel differs."""
    different_pixels: int
    share: float
    """Share of the compared pixels that differ, 0 to 1."""
    similarity: float
    """Structural similarity (SSIM) of the brightness, 0 to 1."""
    hash_distance: int
    """Bits that differ in the perceptual hashes, 0 to 64."""
    regions: list[Region]
    """`box` (left, top, width, height) and `pixels` of each region, largest first."""
    offset: list[int]
    """How far the content of the second image is to the right and below, in pixels; found with `align`."""
    size_equal: bool
    """Whether both images have one size."""

    def __init__(
        self,
        fields: Mapping[str, Any],
        content: bytes = b"",
        mime_type: str = "image/png",
        meta: Mapping[str, Any] | None = None,
        *,
        alt: str = "",
    ) -> None:
        self._fields = {name: fields[name] for name in SCHEMA}
        for name, value in self._fields.items():
            if name not in ("width", "height"):
                setattr(self, name, value)
        self._has_image = bool(content)
        if content:
            super().__init__(content, mime_type, meta, alt=alt)
        else:
            super().__init__(to_json({**self._fields, "meta": meta or {}}, indent=2), "application/json", meta, alt=alt)
            del self.meta["size_bytes"]

    @property
    def has_file(self) -> bool:
        """Whether the call made an image."""
        return self._has_image

    @property
    def width(self) -> int:
        """Width of the compared area in pixels."""
        return int(self._fields["width"])

    @property
    def height(self) -> int:
        """Height of the compared area in pixels."""
        return int(self._fields["height"])

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

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers and the meta."""
        return {**self._fields, "meta": self.meta}

    def to_json(self) -> str:
        """Return the numbers and the meta as JSON."""
        return to_json(self.to_dict(), indent=2).decode()

    def extra_fields(self) -> dict[str, Any]:
        """Return the numbers, which the JSON envelope has beside the image."""
        return dict(self._fields)

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the numbers, by name."""
        return dict(SCHEMA)

    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Return the JSON body of the HTTP response; `usage` is added to the meta."""
        if self._has_image:
            return super().envelope(usage)
        return to_json({"success": True, **self._fields, "meta": {**self.meta, **(usage or {})}})

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        meta = without_usage(body["meta"])
        if cls.member not in body:
            return cls(body, meta=meta)
        return cls(body, pybase64.b64decode(body[cls.member]), body["mime_type"], meta)

    def __bool__(self) -> NoReturn:
        raise TypeError("A ComparisonResult is neither true nor false; use .same or .assert_same().")

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.tools.images.image_compare import notebook_view

        data: dict[str, Any] = {"text/plain": repr(self)}
        about: dict[str, Any] = {}
        if self._has_image:
            data, about = super()._repr_mimebundle_()
        has_colors = self._has_image and self.mime_type == "image/png"
        shown = notebook_view.html(
            self.verdict, self._fields, self.meta["warnings"], data, self.alt, has_colors=has_colors
        )
        return {**data, "text/html": shown}, about

    def __repr__(self) -> str:
        return f"<ComparisonResult {self.width}x{self.height}, {self.verdict.rstrip('.')}>"


def _percent(share: float) -> str:
    """Return a share in percent; a small one is not rounded to 0 %."""
    return f"{share:.2%}".replace("%", " %") if share >= 0.0001 or not share else "less than 0.01 %"
