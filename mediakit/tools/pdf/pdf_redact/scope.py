"""Which objects of a document belong only to pages that are not searched: nothing goes from them, and none is a leak.

An object of which this is not certain is searched: a structure element without any page, for example, belongs to the
whole document, and so does content that no page uses.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from pikepdf import Array, Dictionary, Name, Object, Stream

from mediakit.engines.pdf.objects import ancestry, appearances, dictionaries, dictionary, one_or_more
from mediakit.engines.pdf.opening import PageKey, Source

MAX_DEPTH = 60
"""Fields above a widget that are followed."""

MAX_ELEMENTS = 500_000

UPWARDS = {"/Parent", "/P", "/Pg"}
"""Keys of objects that lead to those above them."""


def exempt_objects(source: Source, selected: Collection[int]) -> set[PageKey]:
    """Return the pages that are not selected, and the annotations, fields, appearances and tags of these alone."""
    if len(set(selected)) == len(source.pages):
        return set()
    inside: set[PageKey] = set()
    outside: set[PageKey] = set()
    for index, page in enumerate(source.pages):
        mine = inside if index in selected else outside
        mine.add(page.objgen)
        for annotation in dictionaries(page.get(Name.Annots)):
            mine.update(each.objgen for each in (*appearances(annotation), *ancestry(annotation)))
    pages = {source.pages[index].objgen for index in selected}
    tags = {element.tag.objgen for element in elements(source) if element.pages and not element.pages & pages}
    return (outside - inside | tags) - {(0, 0)}


def content_of_other_pages(source: Source, selected: Collection[int]) -> set[PageKey]:
    """Return the pages that are not selected, and all that their content, resources and appearances lead to."""
    found: set[PageKey] = set()
    waiting: list[object] = []
    for index in set(range(len(source.pages))) - set(selected):
        page = source.pdf.pages[index]
        found.add(page.obj.objgen)
        waiting += [page.obj.get(Name.Contents), page.resources]
        waiting += [annotation.get(Name.AP) for annotation in dictionaries(page.obj.get(Name.Annots))]
    while waiting:
        item = waiting.pop()
        if not isinstance(item, Array | Dictionary | Stream) or item.objgen in found:
            continue
        if item.is_indirect:
            found.add(item.objgen)
        if isinstance(item, Array):
            waiting += list(item)
        else:
            waiting += [value for key, value in item.items() if key not in UPWARDS]
    return found


@dataclass
class Element:
    """A structure element."""

    tag: Object
    parent: "Element | None"
    page: PageKey | None
    """The page of its marked content, its own or that of the closest element above it that has one."""
    contents: list[tuple[PageKey, int]] = field(default_factory=list)
    """Page and identifier of the marked content that it holds itself."""
    pages: set[PageKey] = field(default_factory=set)
    """The pages of all content in it; that of `page` if it has no content. Empty if no page is known."""


def elements(source: Source) -> list[Element]:
    """Return all structure elements, each after those above it."""
    root = dictionary(source.root.get(Name.StructTreeRoot))
    waiting = [Element(kid, None, None) for kid in one_or_more(root.get(Name.K)) if isinstance(kid, Dictionary)]
    found: list[Element] = []
    seen: set[PageKey] = set()
    while waiting and len(found) < MAX_ELEMENTS:
        element = waiting.pop()
        if element.tag.is_indirect:
            if element.tag.objgen in seen:
                continue
            seen.add(element.tag.objgen)
        element.page = _page_of(element.tag) or element.page
        found.append(element)
        waiting += _read(element)
    for element in reversed(found):
        element.pages |= {element.page} if element.page and not element.pages else set()
        if element.parent:
            element.parent.pages |= element.pages
    return found


def _read(element: Element) -> list[Element]:
    """Note the content of an element, and return the elements in it."""
    inner: list[Element] = []
    for kid in one_or_more(element.tag.get(Name.K)):
        if isinstance(kid, int):
            _note(element, element.page, kid)
        elif isinstance(kid, Dictionary) and kid.get(Name.Type) in (Name.MCR, Name.OBJR):
            _note(element, _page_of(kid) or element.page, kid.get(Name.MCID))
        elif isinstance(kid, Dictionary):
            inner.append(Element(kid, element, element.page))
    return inner


def _page_of(holder: Object) -> PageKey | None:
    page = holder.get(Name.Pg)
    return page.objgen if isinstance(page, Dictionary) else None


def _note(element: Element, page: PageKey | None, mcid: object) -> None:
    if page:
        element.pages.add(page)
        element.contents += [(page, mcid)] if isinstance(mcid, int) else []
