"""The `code_reader` tool: find and decode the codes of an image or a PDF."""

import json
import re
from collections.abc import Mapping
from dataclasses import KW_ONLY
from pathlib import Path
from typing import Annotated, Any, Literal

import pybase64
from pydantic import AfterValidator, Field

from mediakit.core import meta_schemas
from mediakit.core.inputs import ImageOrPdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms, similar
from mediakit.core.tool import Example, Wire, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.engines.pdf.page_ranges import PageRange
from mediakit.errors import InvalidInput
from mediakit.results.data import DataResult
from mediakit.results.item import Item, adapter
from mediakit.results.result import ListResult
from mediakit.samples import LABEL

Point = tuple[int, int]

Mark = tuple[int, int | None, list[Point]]
"""Number, page and corners of a code, for an overlay."""


class Position(Item):
    """Corners of a code in pixels, in its reading direction."""

    top_left: Point
    top_right: Point
    bottom_right: Point
    bottom_left: Point


class Box(Item):
    """The upright rectangle around a code, in pixels."""

    x: int
    y: int
    width: int
    height: int


class Gs1Element(Item):
    """A field of a GS1 code."""

    ai: str
    """Application identifier."""
    title: str | None
    """Data title, such as GTIN or BATCH/LOT."""
    value: str


class Code(Item):
    """A decoded code."""

    format: str
    """Code type, such as QRCode, EAN13 or Code128."""
    text: str
    """The decoded text; GS1 separators are U+001D."""
    bytes_base64: str
    """The encoded bytes, in base64."""
    content_type: Literal["text", "binary", "mixed", "gs1", "iso15434", "unknown_eci"]
    symbology_identifier: str
    """Symbology identifier (ISO/IEC 15424), as `]Q1`."""
    page: int | None
    """Page of a PDF, or of a TIFF with several pages, from 1; None for other images."""
    position: Position
    """Corners in the upright image, or in the page rendered at `scale`."""
    box: Box
    orientation: int
    """Clockwise rotation in degrees, -179 to 180."""
    ec_level: str | None
    """Error correction level, if the code type has one."""
    version: str | None
    """Version (size) of the symbol, if the code type has several."""
    gtin: str | None
    """GTIN in 14 digits, if the code has one."""
    add_on: str | None
    """The two or five digits beside a retail code."""
    gs1: list[Gs1Element] | None
    """Fields of a GS1 code."""
    parsed: dict[str, Any] | None
    """Parsed text by `type`: url, wifi, contact, event, email, phone, sms, location or payment."""
    confidence: Literal["high", "medium"]
    """high: decoded in the first pass or repeatedly; medium: decoded in a few additional passes."""

    @property
    def content(self) -> bytes:
        """The encoded bytes."""
        return pybase64.b64decode(self.bytes_base64)

    def __str__(self) -> str:
        return self.text


MAX_CODES_IN_REPR = 3
"""Codes that `repr` and a gallery show."""

MAX_TEXT_IN_GIST = 200
"""Characters of a text that a gallery shows."""

EXAMPLE: dict[str, Any] = json.loads(Path(__file__).with_name("example.json").read_text("utf-8"))
"""A QR code with a URL."""

META: Mapping[str, Mapping[str, Any]] = {
    "kind": {"type": "string", "enum": ["image", "pdf"]},
    "width": meta_schemas.integer("Width of the image, or of the first page read, in pixels.", 200),
    "height": meta_schemas.integer("Height in pixels.", 200),
    "pages_read": {
        "type": ["array", "null"],
        "items": {"type": "integer"},
        "description": "Pages of a PDF or of a TIFF with several pages that were read.",
        "examples": [None],
    },
    "passes": meta_schemas.integer("Number of passes after the first.", 0),
    "effort": {"type": "string", "const": "normal", "description": "Effort of the scan; there is one level."},
    "formats": {"type": "array", "items": {"type": "string"}, "examples": [["AllReadable"]]},
    "warnings": meta_schemas.WARNINGS,
}


class CodesResult(ListResult[Code], DataResult):
    """The codes of a file, by page, from top to bottom and left to right: `codes[0].text`."""

    _wire = Wire(outputs=("json", "binary", "url"), is_data=True)
    _view = "mediakit.tools.images.code_reader.view:bundle"
    _items = "codes"

    codes: Annotated[list[Code], Field(examples=[[EXAMPLE]])]
    """The decoded codes; empty if there are none."""
    count: Annotated[int, Field(examples=[1])]
    """Number of codes."""
    truncated: bool
    """Whether the file has more codes than max_codes."""

    @property
    def texts(self) -> list[str]:
        """The texts of the codes, in reading order."""
        return [code.text for code in self.codes]

    def _has_file(self) -> bool:
        return True

    def _facts(self) -> str:
        return f"{self.count} {'code' if self.count == 1 else 'codes'}"

    def _gist(self) -> str:
        shown = [text if len(text) <= MAX_TEXT_IN_GIST else f"{text[:MAX_TEXT_IN_GIST]}…" for text in self.texts]
        rest = [f"{self.count - MAX_CODES_IN_REPR} more"] if self.count > MAX_CODES_IN_REPR else []
        return ", ".join([*shown[:MAX_CODES_IN_REPR], *rest]) or "no code"

    def __getitem__(self, index: int) -> Code:
        return self.codes[index]

    def __repr__(self) -> str:
        named = [f"{code.format} {_short(code.text)}" for code in self.codes[:MAX_CODES_IN_REPR]]
        rest = [f"{self.count - MAX_CODES_IN_REPR} more"] if self.count > MAX_CODES_IN_REPR else []
        return f"<CodesResult {self._facts()}{': ' if named else ''}{', '.join(named + rest)}>"


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")


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


def _parse_format_names(names: list[str]) -> list[str]:
    """Return the names of code types in the notation of zxing-cpp, without duplicates."""
    from mediakit.tools.images.code_reader.decoder import known_formats

    table = known_formats() | ALIASES
    found = list[str]()
    for name in names:
        plain = _PUNCTUATION.sub("", name).lower()
        if plain not in table:
            near, known = similar(plain, table), ", ".join(dict.fromkeys(table.values()))
            hint = f"did you mean {table[near]}?" if near else f"known types are {known}."
            raise ValueError(f"unknown code type {name[:40]!r}; {hint}")
        found.append(table[plain])
    return list(dict.fromkeys(found))


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
            AfterValidator(_parse_format_names),
            Synonyms("types, symbologies, barcode_types, kinds"),
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


SCANNING = Guard(
    "code",
    seconds=20,
    memory=2_000_000_000,
    took_too_long=(InvalidInput, "{field}: takes more than {seconds:.0f} seconds to read. Send a simpler file."),
    out_of_memory=(InvalidInput, "{field}: needs too much memory. Send a smaller file."),
    crashed=(InvalidInput, "{field}: is damaged and cannot be decoded."),
)
"""50 megapixels of WebP take 800 MB to decode."""


@tool(
    CodeReaderRequest,
    tag="Images",
    raw={"image/*": "file", "application/pdf": "file"},
    produces=("application/json",),
    meta=META,
    licensed_packages={"PyMuPDF": "PDFs"},
    examples=[
        Example("Every code on a label", {"file": LABEL}),
        Example("Only the retail code", {"file": LABEL, "formats": ["AllRetail"], "max_codes": 1}),
    ],
)
async def code_reader(request: CodeReaderRequest) -> CodesResult:
    """Find and decode every QR code and barcode in an image or a PDF.

    Blurred, bent, torn, tilted and faint codes get additional passes. A reading that only one of these passes finds is
    not returned. All pages of a PDF or TIFF are read, and the first frame of an animation. A file without codes returns
    an empty list. No data leaves the machine.

    Raises:
        InvalidInput: The file is neither an image nor a PDF, or it is damaged, encrypted or too large.
    """
    work = "mediakit.tools.images.code_reader.scan_file:scan"
    found = await run_guarded(work, request, returns=dict, guard=SCANNING)
    codes = adapter(list[Code]).validate_python(found["codes"])
    return CodesResult(codes, found["count"], found["truncated"], meta=found["meta"])
