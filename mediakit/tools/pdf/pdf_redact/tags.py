"""Removes the texts that tags hold in place of content that was removed."""

from collections.abc import Collection, Mapping

from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.source import PageKey, Source
from mediakit.tools.pdf.pdf_redact.decoding import texts_in
from mediakit.tools.pdf.pdf_redact.scope import Element, elements, kids_of
from mediakit.tools.pdf.pdf_redact.texts import Replacer


def remove_stand_ins(
    source: Source, touched: Mapping[PageKey, Collection[int]], replacer: Replacer, *, alternates: bool
) -> None:
    """Remove `/ActualText` and `/E` of tags whose content was removed in part.

    A text with a match is left as it is: the match is replaced with all others.

    Args:
        source: The document.
        touched: Identifiers of marked content that lost something, by page.
        replacer: Finds matches.
        alternates: Remove `/Alt` too, which may describe what was in an area.
    """
    keys = (Name.ActualText, Name.E, Name.Alt) if alternates else (Name.ActualText, Name.E)
    done: set[int] = set()
    for element in elements(source) if touched else ():
        if not any(mcid in touched.get(page, ()) for page, mcid in element.contents):
            continue
        each: Element | None = element
        while each is not None and id(each) not in done:
            done.add(id(each))
            for key in keys:
                text = each.tag.get(key)
                if isinstance(text, String) and not any(map(replacer.find, texts_in(text))):
                    del each.tag[key]
                    replacer.note("tags")
            each = each.parent


def forget_pages(source: Source, pages: Collection[PageKey]) -> None:
    """Remove references to the marked content of pages that have none any more."""
    for element in elements(source):
        kids = kids_of(element.tag)
        kept = [kid for kid in kids if not _is_content_of(kid, element.page, pages)]
        if len(kept) < len(kids):
            if kept:
                element.tag.K = Array(kept)
            else:
                del element.tag.K


def _is_content_of(kid: object, page: PageKey | None, pages: Collection[PageKey]) -> bool:
    if isinstance(kid, int):
        return page in pages
    if isinstance(kid, Dictionary) and kid.get(Name.Type) == Name.MCR:
        own = kid.get(Name.Pg)
        return (own.objgen if isinstance(own, Dictionary) else page) in pages
    return False
