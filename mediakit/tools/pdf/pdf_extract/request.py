"""The request of `pdf_extract`."""

from dataclasses import KW_ONLY
from typing import Annotated, Self

from pydantic import Field, model_validator

from mediakit.core.fields import Password
from mediakit.core.inputs import PdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.pdf.reading.options import MAX_CHARS, Format, What
from mediakit.engines.pdf.request_fields import PageRange


@request
class PdfExtractRequest:
    """A PDF and what to extract of it."""

    file: PdfFile
    """The PDF."""
    pages: Annotated[PageRange | None, Synonyms("page, page_range")] = None
    """Pages such as `1-3,5` or `7-` (to the last page); all pages by default."""
    _: KW_ONLY
    what: Annotated[
        What,
        Synonyms(
            "mode, kind, type, content, extract",
            {
                "text": "plain",
                "tables": "table",
                "images": "image, pictures",
                "links": "urls, hyperlinks",
                "markdown": "md",
                "words": "boxes",
            },
        ),
    ] = "text"
    """`text` in reading order, a form feed between pages; `markdown` with headings, lists, links, code and tables;
    `tables`; `words` and `links` with their boxes; `images`: the embedded images."""
    format: Annotated[Format, Synonyms("output_format, to", {"xlsx": "excel"})] = "json"
    """Format of tables: `json`, `csv` (several tables make a ZIP file), `xlsx` (a sheet for each table) or `markdown`.
    Everything else is `json`."""
    layout: bool = False
    """Keep columns and gaps of text by spaces, as on the page."""
    headers: bool | None = None
    """Keep running headers, footers and page numbers: lines that repeat at the top or bottom of pages. By default they
    are kept in text and omitted from Markdown."""
    escape_formulas: bool = True
    """Put `'` before cells of a CSV that a spreadsheet would run as a formula."""
    max_chars: Annotated[int, Field(ge=100, le=1_000_000), Synonyms("limit, max_length")] = MAX_CHARS
    """Maximum number of characters of text or Markdown, or of all words. Longer content is truncated at a paragraph."""
    password: Password | None = None
    """The password of an encrypted PDF."""

    @property
    def keeps_headers(self) -> bool:
        """Whether running headers, footers and page numbers are kept."""
        return self.what != "markdown" if self.headers is None else self.headers

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        if self.format != "json" and self.what != "tables":
            raise ValueError(f"format: {self.format} goes with what=tables.")
        if self.layout and self.what != "text":
            raise ValueError("layout: goes with what=text.")
        if self.headers is not None and self.what not in ("text", "markdown"):
            raise ValueError("headers: goes with what=text or what=markdown.")
        return self
