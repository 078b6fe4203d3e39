"""The tool `pdf_to_images`."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.inputs import file_of
from mediakit.core.media import extension_of
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.files import ImageResult
from mediakit.samples import REPORT
from mediakit.tools.pdf.pdf_to_images.request import Drawn, DrawnPage, PdfToImagesRequest
from mediakit.tools.pdf.pdf_to_images.result import ImagesResult

FORMATS = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}
ZIP = "application/zip"

SHARES = 2
"""Workers that draw the pages of one call at the same time."""

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
    shares = [first.rest[start::SHARES] for start in range(SHARES) if first.rest[start::SHARES]]
    others = await asyncio.gather(
        *(
            run_guarded("mediakit.tools.pdf.pdf_to_images.drawing:draw_rest", request, share, returns=Drawn, guard=PDF)
            for share in shares
        )
    )
    pages = sorted((page for drawn in (first, *others) for page in drawn.pages), key=lambda page: page.index)
    meta = {
        "format": request.format,
        "dpi": request.dpi if request.width is None else None,
        "pages": [_described(page) for page in pages],
        "warnings": list(dict.fromkeys(warning for drawn in (first, *others) for warning in drawn.warnings)),
    }
    file = file_of(request.file)
    return ImagesResult(_images(first, pages, file.stem, request.format), f"{file.stem or 'pages'}.zip", meta)


def _described(page: DrawnPage) -> dict[str, Any]:
    return {"page": page.index + 1, "label": page.label, "width": page.width, "height": page.height}


def _images(first: Drawn, pages: Sequence[DrawnPage], stem: str, image_format: str) -> list[ImageResult]:
    media = FORMATS[image_format]
    extension = extension_of(media)
    if first.combined:
        return [_named(ImageResult(first.combined, media), f"{stem or 'pages'}.{extension}")]
    digits = len(str(first.last))
    return [
        _named(
            ImageResult(page.content, media, {"width": page.width, "height": page.height}),
            f"{stem or 'page'}-{page.index + 1:0{digits}}.{extension}",
        )
        for page in pages
    ]


def _named(image: ImageResult, filename: str) -> ImageResult:
    image.filename = filename
    return image
