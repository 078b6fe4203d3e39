"""Print a page to PDF with Chromium."""

import re
from dataclasses import dataclass
from typing import Any

import pybase64

from mediakit.core.messages import quote
from mediakit.engines.browser.page import DOCUMENT_URL, Tab
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.paper import PageLayout
from mediakit.errors import InvalidInput
from mediakit.results.item import ResultWarning

MM_PER_INCH = 25.4
MM_PER_POINT = MM_PER_INCH / 72
"""A point is the unit of PDF."""
MM_PER_PIXEL = MM_PER_INCH / 96
"""A CSS pixel."""

MAX_VIEWPORT_PIXELS = 4000
"""CSS pixels. A larger viewport uses memory and does not change the printed pages."""

EMPTY_TEMPLATE = "<span></span>"
"""An empty header or footer. For an empty string, Chromium prints its own with date and URL."""

DATES = re.compile(rb"\n/(?:CreationDate|ModDate) \(D:[^)]{1,40}\)")
STRUCTURE_ID = re.compile(rb"\(node(\d{8})\)")
DOCUMENT_LINK = re.compile(
    rb"/A <</Type /Action\n/S /URI\n/URI \(" + re.escape(DOCUMENT_URL.encode()) + rb"((?:\\.|[^)\\])*)\)>>", re.DOTALL
)
"""Action of a relative link in HTML without a base URL."""
PAGE_COUNT = re.compile(rb"<</Type /Pages\s[^>]*/Count (\d+)")


@dataclass(frozen=True)
class PrintOptions:
    """How a page is printed."""

    layout: PageLayout
    background: bool = True
    scale: float = 1
    page_ranges: str = ""
    """Pages to keep, such as `1-3,5`; empty for all pages."""
    header: str = ""
    footer: str = ""
    outline: bool = False
    tagged: bool = False


@dataclass(frozen=True)
class PrintedPdf:
    """A PDF file with its number of pages."""

    content: bytes
    pages: int
    layout: Any = None
    """What the layout script returned."""
    warnings: tuple[ResultWarning, ...] = ()
    """What the file does not contain."""


async def print_page(tab: Tab, options: PrintOptions) -> PrintedPdf:
    """Print the current content of a page.

    Raises:
        InvalidInput: The page ranges start past the last page, or Chromium cannot print the page, its header or its
            footer.
    """
    try:
        return await _print(tab, _chromium_options(options))
    except ProtocolError as error:
        if "Page range exceeds page count" in error.message:
            full = await _print(tab, {**_chromium_options(options), "pageRanges": ""})
            count = f"{full.pages} {'page' if full.pages == 1 else 'pages'}"
            message = f"page_ranges: the document has {count}, got {quote(options.page_ranges)}."
            raise InvalidInput(message) from None
        if "Printing failed" in error.message:
            await tab.cdp.send("Runtime.evaluate", {"expression": "0"})  # raises if the page's process has exited
            raise printing_error(options) from None
        raise


def printing_error(options: PrintOptions) -> InvalidInput:
    """Return the error for a page, or its header or footer, that Chromium cannot print."""
    if options.header or options.footer:
        return InvalidInput(
            "header, footer: the browser cannot print them. They must not load other resources: write styles inline, "
            "and images and fonts as data: URIs."
        )
    return InvalidInput("html: the browser cannot print the page. Make it shorter, and its elements less nested.")


def viewport_size(options: PrintOptions) -> tuple[int, int]:
    """Return the width and height of the viewport for loading, in CSS pixels: the content area of one printed page."""
    width, height = (
        min(round(side / MM_PER_PIXEL / options.scale), MAX_VIEWPORT_PIXELS) for side in options.layout.content_size
    )
    return width, height


async def _print(tab: Tab, chromium_options: dict[str, Any]) -> PrintedPdf:
    response = await tab.cdp.send("Page.printToPDF", chromium_options)
    # All changes keep the byte offsets in the file. Without dates, equal input gives equal bytes.
    content = DATES.sub(lambda date: b" " * len(date[0]), pybase64.b64decode(response["data"]), count=2)
    # Chromium counts the IDs of tagged table cells on from one document to the next. In order, their tree stays valid.
    numbers = {each: b"(node%08d)" % number for number, each in enumerate(sorted({*STRUCTURE_ID.findall(content)}), 1)}
    content = STRUCTURE_ID.sub(lambda match: numbers[match[1]], content)
    relative = sum(map(bool, DOCUMENT_LINK.findall(content)))
    content = DOCUMENT_LINK.sub(lambda action: b" " * len(action[0]), content)
    warnings: tuple[ResultWarning, ...] = ()
    if relative:
        subject, them = f"{relative} relative links lead", "them"
        if relative == 1:
            subject, them = "1 relative link leads", "it"
        message = f'{subject} nowhere in the PDF. Write {them} in full, or add <base href="https://..."> to the HTML.'
        warnings = (ResultWarning(code="relative_links", message=message),)
    return PrintedPdf(content, max(int(count) for count in PAGE_COUNT.findall(content)), warnings=warnings)


MAX_SHRINK = 1.5
"""Chromium makes wide content up to this factor smaller, and cuts what is wider still."""

RELATIVE_WIDTH = """(() => {
    const hides = [document.documentElement, document.body].some(
        (each) => each && getComputedStyle(each).overflowX !== "visible");
    const root = document.documentElement;
    return hides || !root ? 0 : root.scrollWidth / Math.max(root.clientWidth, 1);
})()"""
"""JavaScript: the width of the content relative to that of a printed page. 0 if the page hides what is wider."""


def width_warnings(relative_width: float) -> tuple[ResultWarning, ...]:
    """Return the warning for content that is wider than a printed page, and cut at its right."""
    if relative_width <= MAX_SHRINK:
        return ()
    share = 100 - int(100 * MAX_SHRINK / relative_width)
    message = f"html: the right {share}% of the content is cut off. Set landscape, a larger format or a smaller scale."
    return (ResultWarning(code="wide_content", message=message),)


def _chromium_options(options: PrintOptions) -> dict[str, Any]:
    layout, margins = options.layout, options.layout.margins
    return {
        "paperWidth": _inches_of_whole_points(layout.width),
        "paperHeight": _inches_of_whole_points(layout.height),
        "marginTop": margins.top / MM_PER_INCH,
        "marginRight": margins.right / MM_PER_INCH,
        "marginBottom": margins.bottom / MM_PER_INCH,
        "marginLeft": margins.left / MM_PER_INCH,
        "printBackground": options.background,
        "scale": options.scale,
        "pageRanges": options.page_ranges,
        "displayHeaderFooter": bool(options.header or options.footer),
        "headerTemplate": _margin_box(options.header, layout),
        "footerTemplate": _margin_box(options.footer, layout),
        "generateDocumentOutline": options.outline,
        # Chromium creates the outline from the tags.
        "generateTaggedPDF": options.tagged or options.outline,
    }


def _inches_of_whole_points(mm: float) -> float:
    """Convert millimeters to inches, rounded to whole points; Chromium rounds up, so that A4 would be 596 x 842."""
    return round(mm / MM_PER_POINT) / 72


def _margin_box(html: str, layout: PageLayout) -> str:
    """Wrap a header or footer: between the side margins, at a readable size (Chromium's is 1 point), with colors."""
    if not html:
        return EMPTY_TEMPLATE
    box = f"box-sizing:border-box;width:100%;padding:0 {layout.margins.right}mm 0 {layout.margins.left}mm"
    # Chromium fills elements of the class `url` with the URL of the document, which means nothing here.
    return (
        f'<style>.url {{display: none}}</style><div style="{box};font:9pt '
        f'sans-serif;print-color-adjust:exact">{html}</div>'
    )
