"""Removes text whose place on the page is unknown: that of patterns, masks and glyphs that are drawn by content."""

from collections.abc import Iterable

import pikepdf
from pikepdf import Array, Name, Stream, String

from mediakit.engines.pdf.objects import dictionaries, dictionary
from mediakit.tools.pdf.pdf_redact.marked_content import SHOWING
from mediakit.tools.pdf.pdf_redact.scope import appearances
from mediakit.tools.pdf.pdf_redact.searching import Finder
from mediakit.tools.pdf.pdf_redact.shown_text import OPERATORS, ShownStream, ShownText, is_page_or_stream


def erase(pdf: pikepdf.Pdf, page: pikepdf.Page, finder: Finder) -> None:
    """Empty the instructions whose text has a match: of a page, its annotations, and all streams that they draw."""
    forms = [form for each in dictionaries(page.obj.get(Name.Annots)) for form in appearances(each)]
    reader = ShownText()
    streams: list[ShownStream] = []
    for drawn in (page.obj, *forms):
        streams += reader.streams(drawn, dictionary(drawn.get(Name.Resources)))
    erase_in(pdf, streams, finder)


def erase_in(pdf: pikepdf.Pdf, streams: Iterable[ShownStream], finder: Finder) -> None:
    """Empty the instructions of streams whose text has a match."""
    for shown in streams:
        places = _places(shown, finder)
        if not places:
            continue
        content = _without(shown, places) if is_page_or_stream(shown.content) else b""
        if isinstance(shown.content, Stream):
            shown.content.write(content)
        else:
            shown.content.Contents = pdf.make_stream(content)


def _places(shown: ShownStream, finder: Finder) -> set[int]:
    """Return the places of the instructions that have a part of a match."""
    hits = finder.find(shown.text)
    found: set[int] = set()
    start = 0
    for place, text in shown.parts:
        end = start + len(text)
        if any(hit.start < end and start < hit.end for hit in hits):
            found.add(place)
        start = end
    return found


def _without(shown: ShownStream, places: set[int]) -> bytes:
    counted = set(OPERATORS.split())
    place = -1
    kept: list[object] = []
    for item in pikepdf.parse_content_stream(shown.content):
        kept.append(item)
        name = str(item.operator)
        place += name in counted
        if place in places and name in SHOWING:
            operands = list(item.operands)
            operands[-1] = Array() if name == "TJ" else String("")
            kept[-1] = pikepdf.ContentStreamInstruction(operands, item.operator)
    return pikepdf.unparse_content_stream(kept)  # type: ignore[arg-type]  # a mixed list
