"""The request of `pdf_compress`."""

from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mediakit.core.fields import Password
from mediakit.core.inputs import PdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms

UNCHANGED = "unchanged"
"""`level_used` of a file that cannot be made smaller."""


@request
class PdfCompressRequest:
    """A PDF and how to compress it."""

    file: PdfFile
    """The PDF."""
    _: KW_ONLY
    level: Annotated[
        Literal["lossless", "medium", "strong"] | None,
        Field(json_schema_extra={"default": "medium"}),
        Synonyms(
            "quality, mode, strength, compression, preset",
            {
                "lossless": "none, low, light",
                "medium": "default, normal, ebook, balanced",
                "strong": "high, maximum, max, screen, extreme, aggressive",
            },
        ),
    ] = None
    """`lossless` compresses streams, objects and fonts, and pages draw to the same pixels; `medium` also reduces images
    over 170 dpi to 150 dpi, with JPEG quality 75; `strong` reduces them to 110 dpi, with quality 55."""
    max_bytes: Annotated[int | None, Field(ge=10_000, le=20_000_000), Synonyms("max_size, target_size, size")] = None
    """Largest size of the result in bytes. The mildest compression that fits is used: lossless, then images at 300,
    200, 150, 110, 96 or 72 dpi with falling quality. Cannot be combined with `level`, `image_dpi` and
    `image_quality`."""
    image_dpi: Annotated[int | None, Field(ge=36, le=600), Synonyms("dpi, resolution")] = None
    """Resolution of images at the size at which they are drawn, instead of that of the level."""
    image_quality: Annotated[int | None, Field(ge=1, le=100)] = None
    """JPEG quality of images, instead of that of the level."""
    grayscale: Annotated[bool, Synonyms("gray, grey, greyscale, black_white")] = False
    """Convert images, and the colors of text and graphics, to gray."""
    password: Password | None = None
    """Password of an encrypted file. The result stays encrypted with the same passwords."""

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        for name in ("level", "image_dpi", "image_quality"):
            if self.max_bytes is not None and getattr(self, name) is not None:
                raise ValueError(f"max_bytes: cannot be combined with {name}.")
        for name in ("image_dpi", "image_quality"):
            if self.level == "lossless" and getattr(self, name) is not None:
                raise ValueError(f"{name}: requires level medium or strong, got lossless.")
        return self


@dataclass
class ImageCount:
    """Images of one kind: how many there are, and how many were recompressed."""

    kind: str
    """`jpeg`, `jpeg2000`, `jbig2`, `ccitt` or `lossless`, as they are stored in the original."""
    count: int = 0
    recompressed: int = 0


@dataclass(frozen=True)
class Compressed:
    """What a worker returns."""

    content: bytes = field(repr=False)
    pages: int
    images: list[ImageCount]
    level_used: str
    warnings: list[str]
