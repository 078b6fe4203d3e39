"""The request and the tool."""

from dataclasses import KW_ONLY
from typing import Annotated

from pydantic import AfterValidator, Field

from mediakit.core.files import File, file_of
from mediakit.core.request import request
from mediakit.core.tool import Example, tool
from mediakit.engines import workers
from mediakit.errors import InvalidInput
from mediakit.samples import LABEL
from mediakit.tools.images.code_reader import jobs
from mediakit.tools.images.code_reader.formats import canonical
from mediakit.tools.images.code_reader.page_list import ranges
from mediakit.tools.images.code_reader.result import CodesResult
from mediakit.tools.images.code_reader.wish import Wish

SECONDS = 20.0
"""The longest that a file may take."""

MEMORY = 2_000_000_000
"""Bytes that reading a file may take; 50 megapixels of WebP alone take 800 MB to decode."""


def _check_pages(value: str) -> str:
    ranges(value)
    return value


@request
class CodeReaderRequest:
    """A file and what to read in it."""

    file: File
    """JPEG, PNG, WebP, GIF, TIFF or AVIF of up to 50 megapixels, or a PDF of up to 20 pages."""
    _: KW_ONLY
    formats: (
        Annotated[
            list[Annotated[str, Field(min_length=1, max_length=40)]],
            Field(min_length=1, max_length=20),
            AfterValidator(canonical),
        ]
        | None
    ) = None
    """Code types such as QRCode or EAN-13, or the groups AllLinear, AllMatrix, AllRetail, AllIndustrial; unset: all."""
    max_codes: Annotated[int, Field(ge=1, le=50)] = 20
    """The most codes to give, in reading order."""
    pages: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_check_pages)] | None = None
    """Pages of a PDF to read, such as 1-3,5; all when unset. A PDF of more than 20 pages needs it."""
    scale: Annotated[float, Field(ge=1, le=4)] = 2.0
    """How finely the pages of a PDF are drawn, in multiples of 72 dpi; higher is sharper and slower."""


@tool(
    CodeReaderRequest,
    tag="Images",
    raw={"image/*": "file", "application/pdf": "file"},
    produces=("application/json",),
    examples=[
        Example("Every code on a label", {"file": LABEL}),
        Example("Only what a shop scans", {"file": LABEL, "formats": ["AllRetail"], "max_codes": 1}),
    ],
)
async def code_reader(request: CodeReaderRequest) -> CodesResult:
    """Find and read every QR code and barcode in a picture or a PDF.

    Blurred, bent, torn, tilted and faint codes get further looks, each harder than the last; what only one look
    sees is not given. A file without codes gives an empty list. Nothing leaves the machine.

    Raises:
        InvalidInput: The file is neither a picture nor a PDF, damaged, encrypted or too large.
    """
    wish = Wish(tuple(request.formats or ()), request.max_codes, request.pages, request.scale)
    return CodesResult.of(await _read(file_of(request.file), wish))


async def _read(content: bytes, wish: Wish) -> dict[str, object]:
    try:
        return await workers.run(jobs.read, content, wish, seconds=SECONDS, memory=MEMORY)
    except workers.TookTooLong:
        raise InvalidInput(f"file: took more than {SECONDS:.0f} seconds to read; send a simpler file.") from None
    except workers.OutOfMemory:
        raise InvalidInput("file: needs too much memory to read; send a smaller file.") from None
    except workers.Crashed:
        raise InvalidInput("file: is damaged and cannot be read.") from None
