"""The `pdf` tool: render HTML to a PDF."""

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY
from functools import partial
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.messages import quote
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.paper import MIN_HEADER_MARGIN_MM, Margins, PageLayout, PaperFormat
from mediakit.engines.templates.html_source import HtmlSource, adapt_source
from mediakit.engines.templates.registry import on_change
from mediakit.errors import ResourcesTimeout
from mediakit.results.files import PdfResult
from mediakit.samples import INVOICE_HTML, REPORT_HTML

PIXELS_PER_MM = 96 / 25.4
"""CSS pixels per millimeter."""

PAGE_RANGE = re.compile(r"([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?", re.ASCII)

Millimeters = Annotated[int, Field(ge=0, le=100)]
MarginHtml = Annotated[str, Field(min_length=1, max_length=100_000)]


def _check_ranges(text: str) -> str:
    """Check page ranges such as `1-3,5` and remove spaces."""
    ranges = text.replace(" ", "")
    matches = [PAGE_RANGE.fullmatch(part) for part in ranges.split(",")]
    if not all(match and int(match[1]) <= int(match[2] or match[1]) for match in matches):
        raise ValueError(f'must be page numbers and ranges from 1 such as "1-3,5", got {quote(text)}.')
    return ranges


PageRanges = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_check_ranges)]


@request
class PdfRequest(HtmlSource):
    """HTML, or a template and its data, and the print options."""

    other_ways: ClassVar = {
        "markdown": "markdown_convert makes a PDF of Markdown, with to: pdf",
        "url": "screenshot and web_to_markdown load a URL; pdf takes HTML",
        "password": "pdf_protect sets passwords of a PDF",
    }
    _: KW_ONLY
    format: Annotated[
        PaperFormat | None,
        Field(json_schema_extra={"default": "A4"}),
        Synonyms("paper, paper_size, page_size, size, page_format"),
    ] = None
    """Paper size. The default of a template is its own. `@page` rules of the HTML can change the orientation, but not
    the size."""
    landscape: Annotated[
        bool | None, Field(json_schema_extra={"default": False}), Synonyms("orientation, portrait, rotate")
    ] = None
    """Landscape orientation. Without `landscape` and `format`, a template uses its own orientation."""
    margin: Annotated[Millimeters, Synonyms("margins, padding, border")] = 0
    """Margin on all four sides, in millimeters. Margins in `@page` rules of the HTML take precedence."""
    print_background: Annotated[bool, Synonyms("background, backgrounds")] = True
    """Print background colors and images."""
    scale: Annotated[float, Field(ge=0.1, le=2), Synonyms("zoom")] = 1
    """Scale of the content. 1 is 96 CSS pixels per inch."""
    margin_top: Millimeters | None = None
    """Top margin in millimeters, instead of `margin`."""
    margin_right: Millimeters | None = None
    """Right margin in millimeters, instead of `margin`."""
    margin_bottom: Millimeters | None = None
    """Bottom margin in millimeters, instead of `margin`."""
    margin_left: Millimeters | None = None
    """Left margin in millimeters, instead of `margin`."""
    page_ranges: Annotated[PageRanges | None, Synonyms("pages, page_range, range")] = None
    """Pages to keep, such as `1-3,5`. All pages by default."""
    header: Annotated[MarginHtml | None, Synonyms("header_html, header_template, head")] = None
    """HTML for the top margin of every page. Elements with the class `pageNumber`, `totalPages`, `title` or `date` are
    filled in. It cannot load other resources, and the styles of the page do not apply to it."""
    footer: Annotated[MarginHtml | None, Synonyms("footer_html, footer_template, page_numbers")] = None
    """HTML for the bottom margin of every page, like `header`."""
    outline: Annotated[bool, Synonyms("bookmarks, toc")] = False
    """Add bookmarks from the headings h1 to h6. This includes the tags of `tagged`, with the same file size."""
    tagged: bool = False
    """Tag the structure for screen readers. The file can become three times as large."""

    @property
    def layout(self) -> PageLayout:
        """Size, orientation and margins of the pages."""
        sides = (self.margin_top, self.margin_right, self.margin_bottom, self.margin_left)
        margins = Margins(*(self.margin if side is None else side for side in sides))
        template = self.selected_template
        if self.format is None and template:
            landscape = template.landscape if self.landscape is None else self.landscape
            return PageLayout(template.pdf_format, landscape, margins)
        return PageLayout(self.format or "A4", bool(self.landscape), margins)

    @model_validator(mode="after")
    def _check_margins(self) -> Self:
        layout = self.layout
        layout.check_margins()
        for name, html, margin, side in (
            ("header", self.header, layout.margins.top, "top"),
            ("footer", self.footer, layout.margins.bottom, "bottom"),
        ):
            if html is not None and margin < MIN_HEADER_MARGIN_MM:
                raise ValueError(
                    f"{name}: requires margin_{side} of at least {MIN_HEADER_MARGIN_MM} mm, got {margin:g}."
                )
        return self


META: Mapping[str, meta_schemas.Schema] = {
    "format": meta_schemas.text("Paper size.", "A4"),
    "pages": meta_schemas.integer("Number of pages.", 3),
    **meta_schemas.TEMPLATE_META,
}


@tool(
    PdfRequest,
    tag="PDF",
    raw={"text/html": "html"},
    needs_browser=True,
    deadline_seconds=110,
    adapt=partial(adapt_source, medium="print"),
    produces=("application/pdf",),
    meta=META,
    errors=[ResourcesTimeout],
    examples=[
        Example("Invoice", {"html": INVOICE_HTML, "margin": 20}),
        Example(
            "Report with page numbers and bookmarks",
            {
                "html": REPORT_HTML,
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
    """Render HTML to a PDF.

    Style sheets, web fonts and images load from public addresses. Scripts do not run. Styles for `@media print` apply.
    The file contains no dates, so equal input gives equal bytes.

    Raises:
        InvalidInput: The page ranges start past the last page, the header or the footer cannot be printed, or the page
            took more than 35 seconds or needs more than 1 GB of memory.
        ResourcesTimeout: An image, a font or a style sheet did not finish loading within 20 seconds.
        ServerBusy: All render slots are taken and the queue is full.
        BrowserMissing: No working Chromium was found.
    """
    from mediakit.engines.browser.html import PrintOptions, render_pdf

    layout = request.layout
    width, height = layout.content_size
    page = request.page(width * PIXELS_PER_MM / request.scale, height * PIXELS_PER_MM / request.scale)
    options = PrintOptions(
        layout=layout,
        background=request.print_background,
        scale=request.scale,
        page_ranges=request.page_ranges or "",
        header=request.header or "",
        footer=request.footer or "",
        outline=request.outline,
        tagged=request.tagged,
    )
    printed = await render_pdf(page.html, options, layout_script=page.fitting)
    meta = {"format": layout.paper, "pages": printed.pages, **page.meta_of(printed.layout, printed.warnings)}
    return PdfResult(printed.content, "application/pdf", meta)


on_change.append(pdf.reset_schema)
