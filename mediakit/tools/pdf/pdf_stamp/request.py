"""The request of `pdf_stamp`."""

import re
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core.fields import HexColor, Password, PositionField
from mediakit.core.inputs import ImageFile, PdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.pdf.numbering import NumberFormat
from mediakit.engines.pdf.request_fields import PageRange
from mediakit.tools.pdf.pdf_stamp.placeholders import check_placeholders

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
    check_placeholders(text)
    return text


def _check_payload(payload: str) -> str:
    check_placeholders(payload)
    return payload


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
            AfterValidator(_check_payload),
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
        if self.size is not None:
            self._check_size(self.size)
        return self

    def _check_size(self, size: float) -> None:
        low, high = TEXT_POINTS if self.text is not None else WIDTH_MM
        if not low <= size <= high:
            unit = "points for text" if self.text is not None else "millimeters"
            raise ValueError(f"size: must be between {low} and {high} {unit}, got {size:g}.")
        if self.qr is not None and size < MIN_QR_MM:
            raise ValueError(f"size: must be at least {MIN_QR_MM:g} millimeters for a QR code, got {size:g}.")


@dataclass(frozen=True)
class Stamped:
    """What a worker returns."""

    content: bytes = field(repr=False)
    pages: int
    stamped: int
    """Number of pages that have the stamp."""
    warnings: list[str]
