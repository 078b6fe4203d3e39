"""The request of the `code_reader` tool."""

from dataclasses import KW_ONLY
from typing import Annotated

from pydantic import AfterValidator, Field

from mediakit.core.inputs import ImageOrPdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.pdf.request_fields import PageRange
from mediakit.tools.images.code_reader.format_names import parse_format_names


@request
class CodeReaderRequest:
    """A file and the codes to read in it."""

    file: ImageOrPdfFile
    """JPEG, PNG, WebP, GIF, TIFF or AVIF image of up to 50 megapixels, or a PDF or TIFF of up to 20 pages."""
    _: KW_ONLY
    formats: (
        Annotated[
            list[Annotated[str, Field(min_length=1, max_length=40)]],
            Field(min_length=1, max_length=20),
            AfterValidator(parse_format_names),
        ]
        | None
    ) = None
    """Code types (QRCode, EAN-13 ...) or groups (AllLinear, AllMatrix, AllRetail, AllIndustrial). Default: all."""
    max_codes: Annotated[int, Field(ge=1, le=50), Synonyms("limit, max, count, max_results")] = 20
    """Maximum number of codes to return, in reading order."""
    pages: Annotated[PageRange | None, Synonyms("page, page_range")] = None
    """Pages of a PDF or TIFF to read, such as 1-3,5 or 7- (to the last page). Default: all. Required for more than 20
    pages."""
    scale: Annotated[float, Field(ge=1, le=4), Synonyms("dpi, zoom, resolution")] = 2.0
    """Resolution at which PDF pages are rendered, in multiples of 72 dpi. Higher values are sharper and slower."""
