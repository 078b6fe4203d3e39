"""The tool `pdf_stamp`: its request and result."""

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.fields import HexColor, Password, PositionField
from mediakit.core.inputs import ImageFile, PdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms, similar
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import PDF, run_guarded
from mediakit.engines.pdf import MadePdf
from mediakit.engines.pdf.page_ranges import NumberFormat, PageRange
from mediakit.errors import NotConvertible
from mediakit.results.files import PdfResult
from mediakit.samples import LOGO, REPORT

NAMES = ("page", "pages", "label", "n", "filename", "date", "title")

MAX_DIGITS = 20
"""Digits of a Bates number."""

_PART = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|\{")
_NUMBER = re.compile(r"n(?::0?(\d{1,2}))?", re.ASCII)


def check_placeholders(text: str) -> str:
    """Return a text whose placeholders are known.

    Raises:
        ValueError: One is unknown, or a brace opens none.
    """
    for part in _PART.finditer(text):
        if part[0] == "{":
            raise ValueError("a brace opens a placeholder such as {page}; write {{ for a brace.")
        name = part[1]
        if name is None or name in NAMES:
            continue
        if digits := _NUMBER.fullmatch(name):
            if int(digits[1] or 0) > MAX_DIGITS:
                raise ValueError(f"a number has at most {MAX_DIGITS} digits, got {{{name}}}.")
            continue
        known = similar(name.partition(":")[0], NAMES)
        listed = ", ".join(f"{{{each}}}" for each in NAMES)
        hint = f"did you mean {{{known}}}?" if known else f"known placeholders are {listed}."
        raise ValueError(f"unknown placeholder {{{name}}}; {hint}")
    return text


def uses(text: str, name: str) -> bool:
    """Return whether a text has a placeholder."""
    return any(part[1] == name for part in _PART.finditer(text))


def expand(text: str, values: Mapping[str, str], number: int) -> str:
    """Return a text with the values of its placeholders.

    Args:
        text: A text that `check_placeholders` accepts.
        values: Value of each placeholder but `n`.
        number: The Bates number, which `{n:06}` fills up with zeros.
    """

    def value(part: re.Match[str]) -> str:
        if part[1] is None:
            return part[0][0]
        digits = _NUMBER.fullmatch(part[1])
        return str(number).zfill(int(digits[1] or 0)) if digits else values[part[1]]

    return _PART.sub(value, text)


Layer = Literal["over", "under"]
Font = Literal["sans", "serif", "mono"]

MAX_TEXT_LENGTH = 500
MIN_QR_MM = 12.0
TEXT_POINTS = (4, 300)
WIDTH_MM = (2, 1000)

_LINE_BREAK = re.compile(r"\r\n?|[\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def _check_text(text: str) -> str:
    text = _LINE_BREAK.sub("\n", text)
    if _CONTROL.search(text):
        raise ValueError("must have no control characters except line breaks.")
    if not text.strip():
        raise ValueError("must have a character that can be seen.")
    return check_placeholders(text)


@request
class PdfStampRequest:
    """A PDF and its stamp: exactly one of text, image, qr and pdf."""

    file: PdfFile
    """The PDF."""
    text: (
        Annotated[
            str,
            Field(min_length=1, max_length=MAX_TEXT_LENGTH),
            AfterValidator(_check_text),
            Synonyms("watermark, label, page_numbers, content"),
        ]
        | None
    ) = None
    """Text of the stamp, with line breaks. Placeholders: `{page}`, `{pages}` (their number), `{label}` (the page's own
    label), `{n:06}` (Bates number: `start` plus the pages stamped before, with zeros), `{filename}`, `{date}` (UTC) and
    `{title}`. Write `{{` for a brace."""
    _: KW_ONLY
    image: Annotated[ImageFile | None, Synonyms("logo, picture, signature")] = None
    """PNG, JPEG, WebP, AVIF or SVG image. It keeps its transparency."""
    qr: (
        Annotated[
            str,
            Field(min_length=1, max_length=MAX_TEXT_LENGTH),
            AfterValidator(check_placeholders),
            Synonyms("qr_code, code"),
        ]
        | None
    ) = None
    """Content of a QR code, with the placeholders of `text`. The code is read back, so that it can be scanned."""
    pdf: Annotated[PdfFile | None, Synonyms("letterhead, background")] = None
    """A PDF whose first page is the stamp, such as a letterhead. If it has as many pages as `file` or more, its page 2
    goes on page 2, and so on."""
    position: PositionField = "center"
    """Where on the page as it is seen: `center`, an edge, or a corner. The words of a corner can be in any order."""
    pages: Annotated[PageRange | None, Synonyms("page, page_range")] = None
    """Pages that get the stamp, such as `1-3,5` or `7-` (to the last page). Default: all."""
    layer: Annotated[
        Layer,
        Synonyms(
            "z_order, foreground, background",
            {"over": "top, above, front, foreground", "under": "below, behind, background"},
        ),
    ] = "over"
    """`over` or `under` the content of the page."""
    opacity: Annotated[float, Field(ge=0.05, le=1), Synonyms("alpha, transparency")] = 1.0
    """1 is opaque."""
    rotate: Annotated[float, Field(ge=-180, le=180), Synonyms("angle, rotation")] = 0.0
    """Degrees clockwise."""
    tile: Annotated[bool, Synonyms("repeat, pattern")] = False
    """Repeat the stamp over the whole page. `position` and `margin` do not count then."""
    size: Annotated[float, Field(ge=2, le=1000), Synonyms("font_size, fontsize, width, scale")] | None = None
    """Text: size of the font in points, from 4 to 300. Default: 12, and with `rotate` or `tile` as large as fits the
    width of the page, at most 72. Otherwise the width in millimeters, from 2 to 1000 (QR codes from 12). Default: 40,
    and for `pdf` the page. A stamp that is larger than the page is made smaller."""
    margin: Annotated[float, Field(ge=0, le=200)] = 10.0
    """Millimeters from the edges of the page."""
    color: Annotated[HexColor, Synonyms("colour, text_color, fill")] = "#000000"
    """Color of the text or the QR code."""
    font: Annotated[Font, Synonyms("font_family, typeface")] = "sans"
    """Font of the text. Characters that it does not have are drawn in a similar font."""
    start: Annotated[int, Field(ge=0, le=1_000_000), Synonyms("first, start_at, offset")] = 1
    """Value of `{page}` and `{n}` on the first page of `pages`. `{page}` counts every page from there."""
    number_format: NumberFormat = "1"
    """Format of `{page}` and `{pages}`: decimal, Roman numerals (`i`, `I`) or letters (`a`, `A`)."""
    password: Password | None = None
    """Password that opens `file`, or `pdf`. The result stays encrypted."""

    @model_validator(mode="after")
    def _check_stamp(self) -> Self:
        if [self.text, self.image, self.qr, self.pdf].count(None) != 3:
            raise ValueError("text: exactly one of text, image, qr and pdf is required.")
        if self.size is None:
            return self
        (low, high), unit = (TEXT_POINTS, "points for text") if self.text is not None else (WIDTH_MM, "millimeters")
        if not low <= self.size <= high:
            raise ValueError(f"size: must be between {low} and {high} {unit}, got {self.size:g}.")
        if self.qr is not None and self.size < MIN_QR_MM:
            raise ValueError(f"size: must be at least {MIN_QR_MM:g} millimeters for a QR code, got {self.size:g}.")
        return self


META: Mapping[str, meta_schemas.Schema] = {
    "pages": meta_schemas.integer("Number of pages.", 3),
    "stamped": meta_schemas.integer("Number of pages that have the stamp.", 3),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@tool(
    PdfStampRequest,
    tag="PDF",
    raw={"application/pdf": "file"},
    produces=("application/pdf",),
    meta=META,
    errors=[NotConvertible],
    licensed_packages={"PyMuPDF": "`text` and `qr`"},
    examples=[
        Example(
            "A watermark across the page",
            {"file": REPORT, "text": "DRAFT", "rotate": -45, "opacity": 0.15, "color": "#b91c1c"},
        ),
        Example(
            "Page numbers",
            {
                "file": REPORT,
                "text": "Page {page} of {pages}",
                "position": "left bottom",
                "size": 9,
                "color": "#4b5563",
            },
        ),
        Example(
            "A logo on the first page",
            {"file": REPORT, "image": LOGO, "position": "right top", "size": 14, "pages": "1"},
        ),
        Example(
            "A QR code for each page",
            {"file": REPORT, "qr": "https://example.com/report?page={page}", "position": "right bottom", "size": 18},
        ),
    ],
)
async def pdf_stamp(request: PdfStampRequest) -> PdfResult:
    """Stamp a PDF with text, an image, a QR code or another PDF.

    Use it for watermarks, page numbers, Bates numbers, headers and footers, a logo, or letterhead. The stamp is upright
    and inside the visible area on rotated and cropped pages too. It is drawn once, however many pages show it, and
    marked as an artifact, which screen readers skip. Text in all scripts is shaped and can be searched and copied.
    Everything else in the PDF is kept, and an encrypted file stays encrypted with the same passwords. Digital
    signatures are removed, because a change breaks them. `meta.warnings` names what may not be as expected. Equal input
    gives equal bytes, except in encrypted files.

    Raises:
        InvalidInput: A file is of another kind, is encrypted or damaged, a page does not exist, no font has a character
            of the text, or the QR code cannot be read back.
        NotConvertible: The work took longer than 30 seconds.
    """
    made = await run_guarded("mediakit.tools.pdf.pdf_stamp.stamping:stamp", request, returns=MadePdf, guard=PDF)
    return PdfResult(made.content, "application/pdf", made.meta)
