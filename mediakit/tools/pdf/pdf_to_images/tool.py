"""The tool `pdf_to_images`: its request, its result and its function."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import PurePath
from typing import Annotated, Any, Literal, Self

import pybase64
from pydantic import Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.fields import Password, Quality
from mediakit.core.inputs import PdfFile, file_of
from mediakit.core.media import extension_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, Wire, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf.page_ranges import PageRange
from mediakit.errors import NotConvertible
from mediakit.results.files import ImageResult, ZipResult
from mediakit.results.result import Bundle
from mediakit.samples import REPORT

ImageFormat = Literal["png", "jpeg", "webp"]
Combine = Literal["none", "column", "grid"]


@request
class PdfToImagesRequest:
    """A PDF, and how to draw its pages."""

    file: PdfFile
    """The PDF."""
    pages: Annotated[PageRange | None, Synonyms("page, page_range, first_page, last_page")] = None
    """Pages to draw, such as `1-3,5` or `7-` (to the last page); all by default. At most 50, and required for PDFs
    with more."""
    _: KW_ONLY
    dpi: Annotated[int, Field(ge=36, le=600), Synonyms("resolution, scale, zoom")] = 150
    """Pixels per inch. The image of a page has at most 50 megapixels, and all images together 200."""
    width: Annotated[int, Field(ge=16, le=8000), Synonyms("size, w")] | None = None
    """Width of each page in pixels, instead of `dpi`."""
    format: Annotated[ImageFormat, Synonyms("type, fmt, extension, output_format, image_format")] = "png"
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


IMAGE = "image"
"""Member of the envelope that holds a single image."""


class ImagesResult(ZipResult[ImageResult]):
    """Images of pages: a sequence in Python, also of a single one.

    Over HTTP and in `.content`, a single image is the image itself, and several are a ZIP file.
    """

    _wire = Wire(member="file", outputs=("json", "binary", "url", "image"), sends_file=True)

    def __init__(self, results: Sequence[ImageResult], filename: str, meta: Mapping[str, Any] | None = None) -> None:
        super().__init__(results, filename, meta)
        numbers = [str(page["page"]) for page in self.meta.get("pages", ())]
        for place, result in enumerate(results):
            is_page = len(results) == len(numbers)
            result._alt = f"Page {numbers[place]} of a PDF" if is_page else f"Pages {', '.join(numbers)} of a PDF"
        if self.is_single:
            only = results[0]
            self.content, self.mime_type, self.filename = only.content, only.mime_type, only.filename
            self.meta["size_bytes"] = len(only.content)

    @property
    def is_single(self) -> bool:
        """Whether there is only one image."""
        return len(self) == 1

    def _sent_as(self) -> str:
        return IMAGE if self.is_single else super()._sent_as()

    def _facts(self) -> str:
        return self[0]._facts() if self.is_single else f"{len(self)} images"

    def _caption(self) -> str:
        return self[0]._caption() if self.is_single else ""

    def _bundle(self) -> Bundle:
        return self[0]._bundle() if self.is_single else super()._bundle()

    @classmethod
    def _extra_schema(cls) -> dict[str, Any]:
        content = {"type": "string", "contentEncoding": "base64", "x-optional": True}
        return {
            "file": {**content, "description": "A ZIP file of several images."},
            IMAGE: {**content, "description": "The image, if there is only one."},
        }

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any = None) -> Self:
        if IMAGE not in body:
            return super()._parsed(body, meta, annotation)
        name = body["filename"]
        image = ImageResult(pybase64.b64decode(body[IMAGE]), body["mime_type"], filename=name)
        return cls([image], f"{PurePath(name).stem}.zip", meta)

    def __repr__(self) -> str:
        return f"<ImagesResult of one image: {self[0]!r}>" if self.is_single else super().__repr__()


FORMATS = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}
ZIP = "application/zip"

META: Mapping[str, meta_schemas.Schema] = {
    "format": meta_schemas.FORMAT,
    "dpi": {
        "type": ["integer", "null"],
        "description": "Pixels per inch; null if the request has a width.",
        "examples": [150],
    },
    "pages": {
        "type": "array",
        "description": "The drawn pages, each with its image's size in pixels.",
        "items": {
            "type": "object",
            "required": ["page", "label", "width", "height"],
            "properties": {
                "page": {"type": "integer", "description": "Number from 1."},
                "label": {
                    "type": ["string", "null"],
                    "description": "What viewers show as its number; null for a PDF without page labels.",
                },
                "width": {"type": "integer"},
                "height": {"type": "integer"},
            },
        },
        "examples": [[{"page": 1, "label": "i", "width": 1240, "height": 1754}]],
    },
    "warnings": meta_schemas.texts("What may not be as expected."),
}


def media_type_of(values: Mapping[str, Any]) -> str:
    """Return the media type of a call's result: an image of one page or of a sheet, else a ZIP file."""
    if values.get("combine", "none") == "none" and not str(values.get("pages", "")).strip().isdigit():
        return ZIP
    return FORMATS[values.get("format", "png")]


@tool(
    PdfToImagesRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces={**FORMATS, "zip": ZIP},
    media_type_of=media_type_of,
    meta=META,
    errors=[NotConvertible],
    licensed_packages={"PyMuPDF": ""},
    examples=[
        Example("The first page", {"file": REPORT, "pages": "1"}),
        Example("All pages, 600 pixels wide, in WebP", {"file": REPORT, "width": 600, "format": "webp"}),
        Example("A contact sheet", {"file": REPORT, "width": 300, "combine": "grid", "format": "jpeg"}),
    ],
)
async def pdf_to_images(request: PdfToImagesRequest) -> ImagesResult:
    """Draw the pages of a PDF as PNG, JPEG or WebP images.

    Pages are drawn as viewers show them: rotation, crop box and `/UserUnit` count. In Python the result is a sequence
    of images, also for one page. Over HTTP, one page and `combine` return the image, and several pages a ZIP file
    with names such as `report-01.png`. At most 50 pages a call, 50 megapixels a page and 200 megapixels in all.

    Raises:
        InvalidInput: The file is not a PDF, needs a password or is damaged beyond repair, a page does not exist, or an
            image would be too large.
        NotConvertible: It took longer than 30 seconds.
    """
    first = await run_guarded("mediakit.tools.pdf.pdf_to_images.drawing:draw_first", request, returns=Drawn, guard=PDF)
    work, shares = "mediakit.tools.pdf.pdf_to_images.drawing:draw_rest", (first.rest[::2], first.rest[1::2])
    others = await asyncio.gather(
        *(run_guarded(work, request, share, returns=Drawn, guard=PDF) for share in shares if share)
    )
    pages = sorted((page for drawn in (first, *others) for page in drawn.pages), key=lambda page: page.index)
    meta = {
        "format": request.format,
        "dpi": request.dpi if request.width is None else None,
        "pages": [
            {"page": page.index + 1, "label": page.label, "width": page.width, "height": page.height} for page in pages
        ],
        "warnings": list(dict.fromkeys(warning for drawn in (first, *others) for warning in drawn.warnings)),
    }
    file = file_of(request.file)
    return ImagesResult(_images(first, pages, file.stem, request.format), f"{file.stem or 'pages'}.zip", meta)


def _images(first: Drawn, pages: Sequence[DrawnPage], stem: str, image_format: str) -> list[ImageResult]:
    media = FORMATS[image_format]
    extension = extension_of(media)
    if first.combined:
        return [ImageResult(first.combined, media, filename=f"{stem or 'pages'}.{extension}")]
    digits = len(str(first.last))
    return [
        ImageResult(
            page.content,
            media,
            {"width": page.width, "height": page.height},
            filename=f"{stem or 'page'}-{page.index + 1:0{digits}}.{extension}",
        )
        for page in pages
    ]
