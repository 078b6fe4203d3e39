"""The request of the `code_reader` tool, and the names of code types."""

import re
from dataclasses import KW_ONLY
from typing import Annotated

from pydantic import AfterValidator, Field

from mediakit.core.inputs import ImageOrPdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms, similar
from mediakit.engines.pdf.page_ranges import PageRange

_PUNCTUATION = re.compile(r"[\s_/-]+")

ALIASES = {
    "qr": "QRCode",
    "microqr": "MicroQRCode",
    "rmqr": "RMQRCode",
    "ean": "EANUPC",
    "upc": "UPCA",
    "interleaved2of5": "ITF",
    "databarexpanded": "DataBarExp",
    "databarlimited": "DataBarLtd",
    "linear": "AllLinear",
    "matrix": "AllMatrix",
    "retail": "AllRetail",
    "industrial": "AllIndustrial",
    "all": "AllReadable",
}
"""Other common names, in lowercase letters and digits."""


def parse_format_names(names: list[str]) -> list[str]:
    """Return the names of code types in the notation of zxing-cpp, without duplicates.

    Raises:
        ValueError: A name is unknown; the message suggests the closest one.
    """
    from mediakit.tools.images.code_reader.decoder import known_formats

    table = known_formats() | ALIASES
    return list(dict.fromkeys(_parse(name, table) for name in names))


def _parse(name: str, table: dict[str, str]) -> str:
    plain = _PUNCTUATION.sub("", name).lower()
    if plain in table:
        return table[plain]
    near = similar(plain, table)
    hint = f"did you mean {table[near]}?" if near else f"known types are {', '.join(dict.fromkeys(table.values()))}."
    raise ValueError(f"unknown code type {name[:40]!r}; {hint}")


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
