"""The pages of a PDF: their text as MuPDF reads it, their lines and their links."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import pymupdf
from pydantic_core import from_json
from pymupdf import mupdf

from mediakit.engines.pdf.letters.correcting import as_rows, corrected_lines, needs_correction
from mediakit.engines.pdf.opening import Source

PLAIN = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
"""Text as the fonts encode it, with ligatures as letters; letters without Unicode are U+FFFD."""

UNMAPPED = "\ufffd"
"""The letter for glyphs whose font has no Unicode."""


def shows_something(page: pymupdf.Page) -> bool:
    """Return whether a page draws anything."""
    area = mupdf.FzRect(mupdf.FzRect.Fixed_EMPTY)
    _run(page, mupdf.fz_new_bbox_device(area))
    return not mupdf.fz_is_empty_rect(area)


def _run(page: pymupdf.Page, device: mupdf.FzDevice) -> bool:
    """Run a page through a device, and return whether it came to its end."""
    try:
        mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
        mupdf.fz_close_device(device)
    except mupdf.FzErrorBase:
        return False
    return True


Box = tuple[float, float, float, float]
"""Left, top, right and bottom in points of the page as it is seen."""

VERTICAL_RATIO = 2.0
"""A line that is taller than this many sizes of its font, and taller than wide, runs up or down."""


@dataclass(slots=True)
class Shape:
    """Something drawn on a page, and its place."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Width in points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height in points."""
        return self.y1 - self.y0


@dataclass(slots=True)
class Line(Shape):
    """A run of text on one baseline."""

    text: str
    size: float
    """Size of the font in points."""
    index: int
    """Position in the order in which the page draws its lines."""
    is_column: bool = field(default=False, kw_only=True)
    """Whether it is a column of vertical writing, turned so that it runs to the right."""

    @property
    def is_vertical(self) -> bool:
        """Whether the text runs up or down."""
        return self.height > max(self.width, self.size * VERTICAL_RATIO) and len(self.text.strip()) > 1


def read_lines(text: pymupdf.TextPage) -> list[Line]:
    """Return the lines of a page in the order in which they are drawn; boxes are in whole points.

    MuPDF writes them as JSON much faster than PyMuPDF makes Python objects of them.
    """
    lines = _plain_lines(text)
    if not needs_correction(lines):
        return lines
    corrected = corrected_lines(text)
    if not any(line.is_column for line in corrected):
        found = []
        for index, line in enumerate(corrected):
            first = lines[line.number]  # of the lines that it was made of
            if line.is_changed:
                x0, _, x1, _ = line.box
                right = int(x0) + int(x1 - x0)
                found.append(Line(int(x0), first.y0, right, first.y1, line.text.strip(), first.size, index))
            else:
                found.append(replace(first, index=index))
        return found
    return [
        Line(*line.box, line.text.strip(), line.letters[0].size, index, is_column=line.is_column)
        for index, line in enumerate(as_rows(corrected))
    ]


def _plain_lines(text: pymupdf.TextPage) -> list[Line]:
    buffer = mupdf.FzBuffer(1 << 14)
    output = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_json(output, text.this, 1.0)
    output.fz_close_output()
    page = from_json(buffer.fz_buffer_extract())
    lines: list[Line] = []
    for block in page["blocks"]:
        for line in block.get("lines", ()):
            if content := line["text"].strip():
                box = line["bbox"]
                x, y = box["x"], box["y"]
                lines.append(Line(x, y, x + box["w"], y + box["h"], content, line["font"]["size"], len(lines)))
    return lines


MAX_LINKS = 20_000
"""Links of a page that are read."""


@dataclass(slots=True)
class PageLink(Shape):
    """A link of a page."""

    url: str | None
    """Address; None for a link to a page of the PDF."""
    target_page: int | None
    """Number of the page, from 1; None for an address."""


def read_links(document: pymupdf.Document, page: pymupdf.Page) -> Iterator[PageLink]:
    """Yield the links of a page from top to bottom; links that lead nowhere or run something are omitted."""
    found: list[PageLink] = []
    link = mupdf.fz_load_links(page.this)
    while link.m_internal and len(found) < MAX_LINKS:
        uri, url, target = link.m_internal.uri or "", None, None
        if uri.startswith("#"):
            location, _, _ = mupdf.fz_resolve_link(document.this, uri)
            number = mupdf.fz_page_number_from_location(document.this, location)
            target = number + 1 if number >= 0 else None
        elif not uri.lower().startswith(("file:", "javascript:")):
            url = uri
        if url or target:
            rect = link.m_internal.rect
            found.append(PageLink(rect.x0, rect.y0, rect.x1, rect.y1, url, target))
        link = mupdf.FzLink(mupdf.ll_fz_keep_link(link.m_internal.next)) if link.m_internal.next else mupdf.FzLink()
    yield from sorted(found, key=lambda link: (link.y0, link.x0))


class PdfFile:
    """The selected pages of a PDF."""

    def __init__(self, source: Source, document: pymupdf.Document, selected: Sequence[int]) -> None:
        self.source = source
        self.document = document
        self.selected = selected
        """Indices of the selected pages, from 0."""
        self._incomplete: set[int] = set()
        self._letters: dict[int, int] = {}
        self._unmapped: dict[int, int] = {}

    @property
    def unmapped(self) -> float:
        """Share of the letters whose font has no Unicode, from 0 to 1."""
        unmapped = sum(self._unmapped.values())
        return max(round(unmapped / sum(self._letters.values()), 4), 0.0001) if unmapped else 0.0

    @cached_property
    def pages_without_text(self) -> list[int]:
        """Numbers of the pages, from 1, that show something but have no text."""
        empty = [index for index, letters in self._letters.items() if not letters]
        return [index + 1 for index in empty if shows_something(self.document[index])]

    @property
    def warnings(self) -> list[str]:
        """What is unreliable about the text."""
        found = [
            f"Page {number} is damaged, and only its readable part is here." for number in sorted(self._incomplete)
        ]
        if self.unmapped:
            share = f"{self.unmapped:.2%}".replace(".00%", "%")
            found.append(
                f"{share} of the letters have a font without Unicode; they are \N{REPLACEMENT CHARACTER} here."
            )
        if scans := self.pages_without_text:
            shown = ", ".join(map(str, scans[:10])) + (" …" if len(scans) > 10 else "")
            subject = f"Page {shown} has" if len(scans) == 1 else f"Pages {shown} have"
            found.append(f"{subject} no text: scans need text recognition (OCR) first.")
        return found

    def pages(self) -> Iterator[pymupdf.Page]:
        """Yield the selected pages."""
        for index in self.selected:
            yield self.document[index]

    def text(self, page: pymupdf.Page, flags: int = PLAIN) -> pymupdf.TextPage:
        """Return what MuPDF reads on a page, annotations and form fields included, as far as it can.

        `Page.get_textpage` has the coordinates of the page before it is rotated; these are those of the page as it is
        seen: origin top left, y down, points.
        """
        found = mupdf.FzStextPage(mupdf.fz_bound_page(page.this))
        device = mupdf.fz_new_stext_device(found, mupdf.FzStextOptions(flags))
        if not _run(page, device):
            self._incomplete.add(page.number + 1)
        return pymupdf.TextPage(found)  # type: ignore[no-untyped-call]

    def lines(self, page: pymupdf.Page) -> list[Line]:
        """Return the lines of a page, and note its text."""
        lines = read_lines(self.text(page))
        self.note(page, "".join([line.text for line in lines]))
        return lines

    def read(self, index: int) -> list[Line]:
        """Return the lines of any page, without noting its text."""
        return read_lines(self.text(self.document[index]))

    def height(self, index: int) -> float:
        """Return the height of a page as it is seen, in points."""
        return float(self.document[index].rect.height)

    def note(self, page: pymupdf.Page, text: str) -> None:
        """Count the letters of a page's text."""
        self._letters[page.number] = len(text) - text.count(" ") - text.count("\n")
        self._unmapped[page.number] = text.count(UNMAPPED)
