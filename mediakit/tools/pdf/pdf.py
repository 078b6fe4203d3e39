"""`pdf`: print HTML to a PDF."""

import re
from dataclasses import KW_ONLY
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.tool import Example, tool
from mediakit.engines.html_source import HtmlSource
from mediakit.engines.paper import HEADER_ROOM, Margins, PaperFormat, Sheet
from mediakit.errors import ResourcesTimeout
from mediakit.results.pdf import PdfResult

PIXELS_A_MM = 96 / 25.4
"""CSS pixels a millimetre."""

RANGE = re.compile(r"([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?", re.ASCII)

INVOICE = """<!doctype html>
<title>Invoice 1042</title>
<style>
  body { margin: 0; font: 11pt/1.5 system-ui, sans-serif; color: #0f172a; }
  header { display: flex; justify-content: space-between; align-items: end; padding-bottom: 8mm;
           border-bottom: 1.5pt solid #4f46e5; }
  h1 { margin: 0; font-size: 30pt; line-height: 1; letter-spacing: -0.02em; }
  header p { margin: 0; text-align: right; color: #64748b; }
  .to { margin: 10mm 0; }
  table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th { color: #64748b; font-size: 9pt; font-weight: 500; }
  th, td { padding: 3mm 0; border-bottom: 0.5pt solid #e2e8f0; text-align: right; }
  :is(th, td):first-child { text-align: left; }
  tfoot td { border: 0; font-size: 14pt; font-weight: 650; }
</style>
<header><h1>Invoice</h1><p>No. 1042<br>14 March 2026</p></header>
<p class="to"><b>Harbour Books</b><br>12 Quay Street, Lisbon</p>
<table>
  <thead><tr><th>Work</th><th>Hours</th><th>Rate</th><th>Amount</th></tr></thead>
  <tbody>
    <tr><td>Catalogue design</td><td>18</td><td>€80.00</td><td>€1,440.00</td></tr>
    <tr><td>Photography</td><td>6</td><td>€95.00</td><td>€570.00</td></tr>
    <tr><td>Proofreading</td><td>4</td><td>€60.00</td><td>€240.00</td></tr>
  </tbody>
  <tfoot><tr><td>Total</td><td></td><td></td><td>€2,250.00</td></tr></tfoot>
</table>
"""

REPORT = """<!doctype html>
<title>The year in three chapters</title>
<style>
  body { margin: 0; font: 12pt/1.6 Georgia, serif; color: #1e293b; }
  h1 { margin: 0 0 6mm; font: 600 26pt/1.1 system-ui, sans-serif; color: #0f3d3e; }
  section + section { break-before: page; }
</style>
<section><h1>Spring</h1><p>The garden was planned on paper first, bed by bed.</p></section>
<section><h1>Summer</h1><p>Everything grew, most of it where it was meant to.</p></section>
<section><h1>Autumn</h1><p>What was left over went to the neighbours.</p></section>
"""

Millimetres = Annotated[int, Field(ge=0, le=100)]
MarginHtml = Annotated[str, Field(min_length=1, max_length=100_000)]


def _check_ranges(text: str) -> str:
    """Accept `1-3,5` and drop its blanks."""
    ranges = text.replace(" ", "")
    found = [RANGE.fullmatch(part) for part in ranges.split(",")]
    if not all(match and int(match[1]) <= int(match[2] or match[1]) for match in found):
        raise ValueError(f'must be page numbers and ranges from 1 such as "1-3,5", got {quote(text)}.')
    return ranges


PageRanges = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_check_ranges)]


@request
class PdfRequest(HtmlSource):
    """HTML, or a template and its data, and the sheets to print it on."""

    _: KW_ONLY
    format: Annotated[PaperFormat | None, Field(json_schema_extra={"default": "A4"})] = None
    """Paper size; left out, a template has its own. Styles of the page's own in `@page` fit it: they may turn the
    sheet, not resize it."""
    landscape: Annotated[bool | None, Field(json_schema_extra={"default": False})] = None
    """Lay the sheet on its long side; left out together with `format`, a template lies as it is drawn."""
    margin: Millimetres = 0
    """Margin on all four sides, in millimetres. Where the page's own `@page` has margins, those count."""
    print_background: bool = True
    """Print background colours and images."""
    scale: Annotated[float, Field(ge=0.1, le=2)] = 1
    """Size of the content on the sheet; 1 is 96 CSS pixels an inch."""
    margin_top: Millimetres | None = None
    """Top margin in millimetres, instead of `margin`."""
    margin_right: Millimetres | None = None
    """Right margin in millimetres, instead of `margin`."""
    margin_bottom: Millimetres | None = None
    """Bottom margin in millimetres, instead of `margin`."""
    margin_left: Millimetres | None = None
    """Left margin in millimetres, instead of `margin`."""
    page_ranges: PageRanges | None = None
    """Pages to keep, such as `1-3,5`; all of them when left out."""
    header: MarginHtml | None = None
    """HTML in the top margin of every page. Elements of class `pageNumber`, `totalPages`, `title` and `date` are
    filled in. It loads nothing from elsewhere, and none of the page's styles reach it."""
    footer: MarginHtml | None = None
    """HTML in the bottom margin of every page, like `header`."""
    outline: bool = False
    """Add bookmarks made from the headings h1 to h6. They need the tags, so the file grows as with `tagged`."""
    tagged: bool = False
    """Tag the structure, so that screen readers can read the file. It takes up to three times the bytes."""

    @property
    def sheet(self) -> Sheet:
        """The sheet as it lies, with its margins."""
        sides = (self.margin_top, self.margin_right, self.margin_bottom, self.margin_left)
        margins = Margins(*(self.margin if side is None else side for side in sides))
        if self.format is None and self.pattern:
            lies = self.pattern.landscape if self.landscape is None else self.landscape
            return Sheet(self.pattern.pdf_format, lies, margins)
        return Sheet(self.format or "A4", bool(self.landscape), margins)

    @model_validator(mode="after")
    def _margins_hold(self) -> Self:
        sheet = self.sheet
        sheet.require_room()
        for name, html, room, side in (
            ("header", self.header, sheet.margins.top, "top"),
            ("footer", self.footer, sheet.margins.bottom, "bottom"),
        ):
            if html is not None and room < HEADER_ROOM:
                raise ValueError(
                    f"{name}: stands in the {side} margin, which is {room:g} mm; "
                    f"give margin_{side} of at least {HEADER_ROOM}."
                )
        return self


@tool(
    PdfRequest,
    tag="PDF",
    raw={"text/html": "html"},
    needs_browser=True,
    produces=("application/pdf",),
    errors=[ResourcesTimeout],
    examples=[
        Example("An invoice", {"html": INVOICE, "margin": 20}),
        Example(
            "A report with page numbers and bookmarks",
            {
                "html": REPORT,
                "format": "A5",
                "margin": 18,
                "footer": '<div style="text-align:center"><span class="pageNumber"></span> / '
                '<span class="totalPages"></span></div>',
                "outline": True,
            },
        ),
    ],
)
async def pdf(request: PdfRequest) -> PdfResult:
    """Print HTML to a PDF.

    Style sheets, web fonts and images load, from public addresses only; scripts never run. Styles for `@media print`
    apply. Equal input gives equal bytes: the file carries no date.

    Raises:
        InvalidInput: The page ranges lie past the last page, or the header or the footer cannot be printed.
        ResourcesTimeout: An image, a font or a stylesheet did not finish loading within 20 seconds.
        ServerBusy: Every render slot is taken and the queue is full.
        BrowserMissing: No Chromium works here.
    """
    from mediakit.engines.html import Printing, document

    sheet = request.sheet
    across, down = sheet.room
    page = request.page(across * PIXELS_A_MM / request.scale, down * PIXELS_A_MM / request.scale)
    printing = Printing(
        sheet=sheet,
        background=request.print_background,
        scale=request.scale,
        page_ranges=request.page_ranges or "",
        header=request.header or "",
        footer=request.footer or "",
        outline=request.outline,
        tagged=request.tagged,
    )
    printed = await document(page.html, printing)
    return PdfResult(printed.content, "application/pdf", {"format": sheet.paper, "pages": printed.pages, **page.meta})
