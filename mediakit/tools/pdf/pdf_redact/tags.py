"""Removes the texts that tags hold in place of content that was removed."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from pikepdf import Array, Dictionary, Name, Object, String

from mediakit.engines.pdf.objects import dictionary
from mediakit.engines.pdf.source import PageKey, Source
from mediakit.tools.pdf.pdf_redact.texts import Replacer

MAX_ELEMENTS = 500_000


@dataclass(frozen=True)
class _Element:
    tag: Object
    parent: "_Element | None"
    page: PageKey | None


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
    done: set[PageKey] = set()
    for element in _elements_with(source, touched):
        each: _Element | None = element
        while each is not None and each.tag.objgen not in done:
            done.add(each.tag.objgen)
            for key in keys:
                text = each.tag.get(key)
                if isinstance(text, String) and not replacer.find(str(text)):
                    del each.tag[key]
                    replacer.note("tags")
            each = each.parent


def exempt_tags(source: Source, selected: Collection[PageKey]) -> set[PageKey]:
    """Return the tags that belong to other pages than the selected ones."""
    inside: set[PageKey] = set()
    found: set[PageKey] = set()
    for element, _ in _walk(source):
        found.add(element.tag.objgen)
        each: _Element | None = element if element.page in selected else None
        while each is not None and each.tag.objgen not in inside:
            inside.add(each.tag.objgen)
            each = each.parent
    return {key for key in found - inside if key != (0, 0)}


def _elements_with(source: Source, touched: Mapping[PageKey, Collection[int]]) -> Iterator[_Element]:
    if touched:
        for element, contents in _walk(source):
            if any(page in touched and mcid in touched[page] for page, mcid in contents):
                yield element


def _walk(source: Source) -> Iterator[tuple[_Element, list[tuple[PageKey, int]]]]:
    """Return all tags, and the marked content that each holds itself."""
    root = dictionary(source.root.get(Name.StructTreeRoot))
    waiting = [_Element(kid, None, None) for kid in _kids(root) if isinstance(kid, Dictionary)]
    seen: set[PageKey] = set()
    while waiting and len(seen) < MAX_ELEMENTS:
        element = waiting.pop()
        if element.tag.is_indirect:
            if element.tag.objgen in seen:
                continue
            seen.add(element.tag.objgen)
        own = element.tag.get(Name.Pg)
        page = own.objgen if isinstance(own, Dictionary) else element.page
        element = _Element(element.tag, element.parent, page)
        contents: list[tuple[PageKey, int]] = []
        for kid in _kids(element.tag):
            if isinstance(kid, int):
                contents += [(page, kid)] if page else []
            elif not isinstance(kid, Dictionary):
                continue
            elif kid.get(Name.Type) in (Name.MCR, Name.OBJR):
                contents += _reference(kid, page)
            else:
                waiting.append(_Element(kid, element, page))
        yield element, contents


def _reference(kid: Object, page: PageKey | None) -> list[tuple[PageKey, int]]:
    own: object = kid.get(Name.Pg)
    mcid: object = kid.get(Name.MCID)
    key = own.objgen if isinstance(own, Dictionary) else page
    return [(key, mcid)] if key and isinstance(mcid, int) else []


def _kids(element: Object) -> list[object]:
    kids: object = element.get(Name.K)
    return list(kids) if isinstance(kids, Array) else [] if kids is None else [kids]


def forget_pages(source: Source, pages: Collection[PageKey]) -> None:
    """Remove references to the marked content of pages that have none any more."""
    for element, _ in list(_walk(source)):
        kids = _kids(element.tag)
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
