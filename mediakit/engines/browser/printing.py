"""Print a page to PDF, straight from Chromium."""

import re
from dataclasses import dataclass
from typing import Any

import pybase64
from playwright.async_api import Error

from mediakit.core.messages import quote
from mediakit.engines.browser.tab import Tab
from mediakit.engines.paper import Sheet
from mediakit.errors import InvalidInput

INCH = 25.4
POINT = INCH / 72
PIXEL = INCH / 96
"""Millimetres; a point is PDF's unit, a pixel CSS's."""

LARGEST_VIEW = 4000
"""CSS pixels; what is larger takes memory and changes nothing on paper."""

NOTHING = "<span></span>"
"""A header that is empty; an empty text would be Chromium's own, with date and address."""

DATES = re.compile(rb"\n/(?:CreationDate|ModDate) \(D:[^)]{1,40}\)")
PAGES = re.compile(rb"<</Type /Pages\s[^>]*/Count (\d+)")


@dataclass(frozen=True)
class Printing:
    """How a page is printed."""

    sheet: Sheet
    background: bool = True
    scale: float = 1
    page_ranges: str = ""
    """Pages to keep, such as `1-3,5`; all of them when empty."""
    header: str = ""
    footer: str = ""
    outline: bool = False
    tagged: bool = False


@dataclass(frozen=True)
class Printed:
    """A PDF, with the number of its pages."""

    content: bytes
    pages: int


async def print_page(tab: Tab, printing: Printing) -> Printed:
    """Print what a page shows.

    Raises:
        InvalidInput: The page ranges lie past the last page, or Chromium cannot print the header or the footer.
    """
    try:
        return await _printed(tab, _options(printing))
    except Error as error:
        if "Page range exceeds page count" in error.message:
            raise await _past_the_end(tab, printing) from None
        if "Printing failed" in error.message and (printing.header or printing.footer):
            raise InvalidInput(
                "header, footer: the browser cannot print them. They load nothing from elsewhere: put styles into "
                "them, and pictures and fonts as data: URIs."
            ) from None
        raise


def viewport(printing: Printing) -> tuple[int, int]:
    """Give the width and height, in CSS pixels, of what one page holds: how the document is seen while it loads."""
    across, down = (min(round(side / PIXEL / printing.scale), LARGEST_VIEW) for side in printing.sheet.room)
    return across, down


async def _printed(tab: Tab, options: dict[str, Any]) -> Printed:
    answer = await tab.cdp.send("Page.printToPDF", options)
    content = _undated(pybase64.b64decode(answer["data"]))
    return Printed(content, max(int(count) for count in PAGES.findall(content)))


async def _past_the_end(tab: Tab, printing: Printing) -> InvalidInput:
    whole = await _printed(tab, {**_options(printing), "pageRanges": ""})
    count = f"{whole.pages} {'page' if whole.pages == 1 else 'pages'}"
    return InvalidInput(f"page_ranges: the document has {count}, got {quote(printing.page_ranges)}.")


def _options(printing: Printing) -> dict[str, Any]:
    sheet, edges = printing.sheet, printing.sheet.margins
    return {
        "paperWidth": _whole_points(sheet.width),
        "paperHeight": _whole_points(sheet.height),
        "marginTop": edges.top / INCH,
        "marginRight": edges.right / INCH,
        "marginBottom": edges.bottom / INCH,
        "marginLeft": edges.left / INCH,
        "printBackground": printing.background,
        "scale": printing.scale,
        "pageRanges": printing.page_ranges,
        "displayHeaderFooter": bool(printing.header or printing.footer),
        "headerTemplate": _margin_box(printing.header, sheet),
        "footerTemplate": _margin_box(printing.footer, sheet),
        "generateDocumentOutline": printing.outline,
        # Chromium makes an outline from the tags, and none without.
        "generateTaggedPDF": printing.tagged or printing.outline,
    }


def _whole_points(millimetres: float) -> float:
    """Give inches that are a whole number of points; Chromium rounds others up, A4 to 596 points instead of 595."""
    return round(millimetres / POINT) / 72


def _margin_box(html: str, sheet: Sheet) -> str:
    """Set a header or footer between the side margins, in a readable size (Chromium's is 1 point) and its colours."""
    if not html:
        return NOTHING
    box = f"box-sizing:border-box;width:100%;padding:0 {sheet.margins.right}mm 0 {sheet.margins.left}mm"
    return f'<div style="{box};font:9pt sans-serif;print-color-adjust:exact">{html}</div>'


def _undated(content: bytes) -> bytes:
    """Blank the dates, so that equal input gives equal bytes; at the same length every offset stays true."""
    return DATES.sub(lambda date: b" " * len(date[0]), content, count=2)
