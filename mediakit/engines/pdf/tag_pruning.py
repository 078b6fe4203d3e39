"""Removes the tags of pages that are omitted."""

from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.part import Part
from mediakit.engines.pdf.source import PageKey
from mediakit.engines.pdf.trees import read_numbers


@dataclass
class _Node:
    """A structure element whose children are being read."""

    element: pikepdf.Object
    page: PageKey | None
    waiting: list[pikepdf.Object]
    kept: list[pikepdf.Object] = field(default_factory=list)


def prune(part: Part, tree: pikepdf.Object) -> None:
    """Keep the elements that hold content of a kept page, and their ancestors."""
    pruning = _Pruning(part)
    pruning.run(tree)
    entries = [(key, value) for key, value in read_numbers(tree.get(Name.ParentTree)) if pruning.is_alive(value)]
    nums = [item for key, value in entries for item in (key, pruning.without_dead(value))]
    tree.ParentTree = Dictionary(Nums=Array(nums))
    if Name.IDTree in tree:
        del tree.IDTree


class _Pruning:
    def __init__(self, part: Part) -> None:
        self._pages = part.kept.keys()
        self._annotations = {item.objgen for page in part.pages for item in annotations(page)}
        self._alive: set[PageKey] = set()
        self._seen: set[PageKey] = set()

    def run(self, tree: pikepdf.Object) -> None:
        """Prune the tree without recursion: hostile trees are deep."""
        stack = [_Node(tree, None, _kids(tree))]
        while stack:
            node = stack[-1]
            if not node.waiting:
                stack.pop()
                if self._close(node) and stack:
                    stack[-1].kept.append(node.element)
                continue
            kid = node.waiting.pop(0)
            if _is_element(kid):
                if kid.objgen not in self._seen:
                    self._seen.add(kid.objgen)
                    stack.append(_Node(kid, _page(kid) or node.page, _kids(kid)))
            elif self._holds(kid, node.page):
                node.kept.append(kid)

    def is_alive(self, value: object) -> bool:
        """Return whether an entry of the parent tree still leads to an element."""
        if isinstance(value, Array):
            return any(self.is_alive(item) for item in value)
        return isinstance(value, Dictionary) and value.objgen in self._alive

    def without_dead(self, value: pikepdf.Object) -> pikepdf.Object | None:
        """Return an entry of the parent tree with null for the elements that are gone."""
        if isinstance(value, Array):
            return Array([item if self.is_alive(item) else None for item in value])
        return value

    def _close(self, node: _Node) -> bool:
        """Write the children that are kept, and return whether the element is."""
        had = len(_kids(node.element))
        if had and not node.kept:
            return False
        if len(node.kept) < had:
            node.element.K = Array(node.kept)
        if (page := _page(node.element)) is not None and page not in self._pages:
            del node.element.Pg
        self._alive.add(node.element.objgen)
        return True

    def _holds(self, kid: object, page: PageKey | None) -> bool:
        """Return whether marked content or an object belongs to a kept page."""
        if not isinstance(kid, Dictionary):
            return page is None or page in self._pages
        own = _page(kid) or page
        if own is not None:
            return own in self._pages
        target = kid.get(Name.Obj)
        return isinstance(target, Dictionary) and target.objgen in self._annotations


def _kids(element: pikepdf.Object) -> list[pikepdf.Object]:
    kids = element.get(Name.K)
    if isinstance(kids, Array):
        return list(kids)
    return [] if kids is None else [kids]


def _is_element(kid: object) -> bool:
    return isinstance(kid, Dictionary) and Name.S in kid and kid.get(Name.Type) not in (Name.MCR, Name.OBJR)


def _page(element: pikepdf.Object) -> PageKey | None:
    page = element.get(Name.Pg)
    return page.objgen if isinstance(page, Dictionary) else None
