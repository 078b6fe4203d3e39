"""Removes the tags of pages that are omitted.

The tree is read once. For each element it is noted, as one bit a page, on which pages its content is, so that a part
visits only elements with content inside and outside of it.
"""

from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.part import Part
from mediakit.engines.pdf.source import PageKey, Source
from mediakit.engines.pdf.trees import read_names, read_numbers


@dataclass(slots=True)
class _Kid:
    """A child of an element: an element, marked content or an object."""

    value: Any
    pages: int
    """The pages of its content, a bit for each; 0 if there is none."""
    element: "_Element | None" = None


@dataclass(slots=True)
class _Element:
    """A structure element, or the root."""

    item: pikepdf.Object
    page: int | None
    """Index of the page of its content, own or inherited."""
    kids: list[_Kid] = field(default_factory=list)
    damaged: bool = False
    """Whether it has children that were read elsewhere in the tree."""

    def close(self) -> int:
        """Return the pages of the content, when those of the children are known.

        What is empty, such as a cell of a table, belongs to the pages of its neighbor.
        """
        pages = reduce(or_, (kid.pages for kid in self.kids), 0)
        neighbor = next((kid.pages for kid in self.kids if kid.pages), 0)
        for kid in self.kids:
            neighbor = kid.pages = kid.pages or neighbor
        if not pages and self.page is not None and Name.Pg in self.item:
            pages = 1 << self.page
        return pages


class TagIndex:
    """The structure tree of a PDF, and on which pages its elements are."""

    def __init__(self, source: Source) -> None:
        self._tree: pikepdf.Object = source.root.StructTreeRoot
        self._numbers = source.page_numbers
        self._annotations: dict[PageKey, int] = {}
        for number, page in enumerate(source.pages):
            for annotation in annotations(page):
                self._annotations[annotation.objgen] = self._annotations.get(annotation.objgen, 0) | 1 << number
        self._pages: dict[PageKey, int] = {}
        self._top = _Element(self._tree, None)
        self._read()
        self._parents = [
            (key, value, self._pages_of(value)) for key, value in read_numbers(self._tree.get(Name.ParentTree))
        ]
        self._names = [(name, value, self._pages_of(value)) for name, value in read_names(self._tree.get(Name.IDTree))]

    def prune(self, part: Part) -> bool:
        """Keep the elements that hold content of a kept page, and their ancestors; return whether there are any."""
        waiting = [self._top]
        while waiting:
            waiting += _prune(part, waiting.pop())
        gone = self._forget_links(part)
        alive = [(key, value) for key, value, pages in self._parents if pages & part.mask and key not in gone]
        parents = [item for key, value in alive for item in (key, self._alive(value, part.mask))]
        names = [item for name, value, pages in self._names if pages & part.mask for item in (String(name), value)]
        part.changes.set(self._tree, Name.ParentTree, Dictionary(Nums=Array(parents)))
        if Name.IDTree in self._tree:
            part.changes.set(self._tree, Name.IDTree, Dictionary(Names=Array(names)) if names else None)
        return any(kid.pages & part.mask for kid in self._top.kids)

    def _forget_links(self, part: Part) -> set[object]:
        """Remove links that were removed from the elements that hold them, and return their keys."""
        keys: dict[object, PageKey] = {}
        for link in part.removed_links:
            if Name.StructParent in link:
                keys[link.StructParent] = link.objgen
        for key, element, _ in self._parents:
            if key in keys and isinstance(element, Dictionary):
                kept = [kid for kid in _kids(element) if not _refers_to(kid, keys[key])]
                part.changes.set(element, Name.K, Array(kept))
        return set(keys)

    def _read(self) -> None:
        """Read the tree without recursion: hostile trees are deep."""
        order: list[tuple[_Element, _Kid | None]] = [(self._top, None)]
        for element, _ in order:  # grows
            for kid in _kids(element.item):
                self._add(element, kid, order)
        for element, kid in reversed(order):
            pages = element.close()
            if kid is not None:
                kid.pages = pages
            if element.item.is_indirect:
                self._pages[element.item.objgen] = pages

    def _add(self, parent: _Element, value: Any, order: list[tuple[_Element, _Kid | None]]) -> None:
        if not _is_element(value):
            parent.kids.append(_Kid(value, self._pages_of_content(value, parent.page)))
            return
        if value.is_indirect:
            if value.objgen in self._pages:
                parent.damaged = True
                return
            self._pages[value.objgen] = 0
        own = self._page(value)
        kid = _Kid(value, 0, _Element(value, parent.page if own is None else own))
        parent.kids.append(kid)
        order.append((kid.element, kid))  # type: ignore[arg-type]  # it was just set

    def _pages_of_content(self, content: object, page: int | None) -> int:
        """Return the page of marked content or of an annotation."""
        if isinstance(content, Dictionary):
            own = self._page(content)
            target = content.get(Name.Obj)
            if own is None and isinstance(target, Dictionary) and target.objgen in self._annotations:
                return self._annotations[target.objgen]
            page = page if own is None else own
        return 0 if page is None else 1 << page

    def _page(self, element: pikepdf.Object) -> int | None:
        page = element.get(Name.Pg)
        return self._numbers.get(page.objgen) if isinstance(page, Dictionary) else None

    def _pages_of(self, value: object) -> int:
        """Return the pages of the elements in an entry of the parent tree or the tree of identifiers."""
        if isinstance(value, Array):
            return reduce(or_, map(self._pages_of, value), 0)
        return self._pages.get(value.objgen, 0) if isinstance(value, Dictionary) else 0

    def _alive(self, value: Any, mask: int) -> Any:
        """Return an entry of the parent tree with null for elements that are removed."""
        if not isinstance(value, Array) or all(self._pages_of(item) & mask for item in value):
            return value
        return Array([item if self._pages_of(item) & mask else None for item in value])


def _prune(part: Part, element: _Element) -> list[_Element]:
    """Remove children of other pages, and return those that have content there and here."""
    kept = [kid for kid in element.kids if not kid.pages or kid.pages & part.mask]
    if len(kept) < len(element.kids) or element.damaged:
        part.changes.set(element.item, Name.K, Array([kid.value for kid in kept]))
    if element.page is not None and not part.mask >> element.page & 1 and Name.Pg in element.item:
        part.changes.remove(element.item, Name.Pg)
    return [kid.element for kid in kept if kid.element is not None and (kid.pages & ~part.mask or kid.element.damaged)]


def _kids(element: pikepdf.Object) -> list[Any]:
    kids = element.get(Name.K)
    if isinstance(kids, Array):
        return list(kids)
    return [] if kids is None else [kids]


def _refers_to(kid: object, annotation: PageKey) -> bool:
    target = kid.get(Name.Obj) if isinstance(kid, Dictionary) else None
    return isinstance(target, Dictionary) and target.objgen == annotation


def _is_element(kid: object) -> bool:
    return isinstance(kid, Dictionary) and Name.S in kid and kid.get(Name.Type) not in (Name.MCR, Name.OBJR)
