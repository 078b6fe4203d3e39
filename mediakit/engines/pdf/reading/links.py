"""Links: where they are, where they lead, and the text on them."""

from collections.abc import Iterator
from dataclasses import dataclass

import pymupdf
from pymupdf import mupdf

MAX_LINKS = 20_000
"""Links of a page that are read."""


@dataclass(frozen=True)
class PageLink:
    """A link of a page."""

    x0: float
    y0: float
    x1: float
    y1: float
    url: str | None
    """Address; None for a link to a page of the PDF."""
    target_page: int | None
    """Number of the page, from 1; None for an address."""


def read_links(document: pymupdf.Document, page: pymupdf.Page) -> Iterator[PageLink]:
    """Yield the links of a page from top to bottom; links that lead nowhere or run something are omitted."""
    found: list[PageLink] = []
    link = mupdf.fz_load_links(page.this)
    while link.m_internal and len(found) < MAX_LINKS:
        url, target = _destination(document, link.m_internal.uri or "")
        if url or target:
            rect = link.m_internal.rect
            found.append(PageLink(rect.x0, rect.y0, rect.x1, rect.y1, url, target))
        link = mupdf.FzLink(mupdf.ll_fz_keep_link(link.m_internal.next)) if link.m_internal.next else mupdf.FzLink()
    yield from sorted(found, key=lambda link: (link.y0, link.x0))


def _destination(document: pymupdf.Document, uri: str) -> tuple[str | None, int | None]:
    if not uri.startswith("#"):
        return (None, None) if uri.lower().startswith(("file:", "javascript:")) else (uri, None)
    location, _, _ = mupdf.fz_resolve_link(document.this, uri)
    number = mupdf.fz_page_number_from_location(document.this, location)
    return None, number + 1 if number >= 0 else None
