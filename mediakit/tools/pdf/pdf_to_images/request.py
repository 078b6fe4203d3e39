"""The request of `pdf_to_images`."""

from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mediakit.core.fields import Password, Quality
from mediakit.core.inputs import PdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.pdf.request_fields import PageRange

ImageFormat = Literal["png", "jpeg", "webp"]
Combine = Literal["none", "column", "grid"]


@request
class PdfToImagesRequest:
    """A PDF, and how to draw its pages."""

    file: PdfFile
    """The PDF."""
    pages: Annotated[PageRange | None, Synonyms("page, page_range")] = None
    """Pages to draw, such as `1-3,5` or `7-` (to the last page); all by default. At most 50, and required for PDFs
    with more."""
    _: KW_ONLY
    dpi: Annotated[int, Field(ge=36, le=600), Synonyms("resolution, scale, zoom")] = 150
    """Pixels per inch. The image of a page has at most 50 megapixels, and all images together 200."""
    width: Annotated[int, Field(ge=16, le=8000), Synonyms("size, w")] | None = None
    """Width of each page in pixels, instead of `dpi`."""
    format: Annotated[ImageFormat, Synonyms("type, extension, output_format, image_format")] = "png"
    """Format of the images."""
    quality: Quality = 90
    """Quality of jpeg and webp; png is lossless."""
    combine: Annotated[Combine, Synonyms("merge, montage, layout")] = "none"
    """`none` makes an image of each page; `column` one image with the pages one under another; `grid` a contact sheet
    with page numbers."""
    transparent: bool = False
    """Leave the paper transparent instead of white. Not for jpeg."""
    annotations: bool = True
    """Draw annotations and form fields."""
    password: Password | None = None
    """Password of an encrypted PDF."""

    @model_validator(mode="after")
    def _check_transparency(self) -> Self:
        if self.transparent and self.format == "jpeg":
            raise ValueError("transparent: does not go with jpeg, which has no transparency; use png or webp.")
        return self


@dataclass(frozen=True)
class DrawnPage:
    """An image of a page."""

    index: int
    """The page, from 0."""
    label: str | None
    """What viewers show as its number; None for a PDF without page labels."""
    width: int
    height: int
    content: bytes = field(repr=False)
    """The encoded image; empty if the pages are combined."""


@dataclass(frozen=True)
class Drawn:
    """What a worker has drawn."""

    pages: list[DrawnPage]
    rest: list[int]
    """Pages, from 0, that were checked, but are left to other workers."""
    combined: bytes = field(default=b"", repr=False)
    """The image of all pages, if they are combined."""
    last: int = 0
    """Number of the last page of the selection."""
    warnings: list[str] = field(default_factory=list)
