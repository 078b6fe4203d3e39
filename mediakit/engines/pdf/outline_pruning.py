"""Removes the bookmarks of pages that are omitted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pikepdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.changes import Changes
from mediakit.engines.pdf.destinations import of_item, page_of
from mediakit.engines.pdf.part import Part
from mediakit.engines.pdf.source import PageKey, Source

MAX_DEPTH = 100
"""Levels of bookmarks that are pruned; deeper ones are dropped."""

EVERYWHERE = -1
"""The pages of a bookmark that every part keeps: one that leads out of the PDF, or nowhere."""


@dataclass(frozen=True, slots=True)
class OutlineNode:
    """A bookmark, or the outline itself."""

    item: pikepdf.Object
    children: Sequence["OutlineNode"]
    own: int
    """The pages that it leads to, a bit for each."""
    pages: int
    """The same with the bookmarks below it."""
    damaged: bool
    """Whether bookmarks below it are in a loop or too deep."""


class OutlineIndex:
    """The bookmarks of a PDF, and the pages that they lead to."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._seen: set[PageKey] = set()
        self.top = self._read(source.root.Outlines, 0)

    def prune(self, part: Part) -> None:
        """Keep bookmarks that lead to a kept page, have one below them, or lead out of the PDF."""
        _prune(part, self.top)

    def _read(self, item: pikepdf.Object, depth: int) -> OutlineNode:
        found = list(children(item))
        new = [child for child in found if child.objgen not in self._seen] if depth < MAX_DEPTH else []
        self._seen |= {child.objgen for child in new}
        nodes = [self._read(child, depth + 1) for child in new]
        own = pages = self._pages_of(item)
        for node in nodes:
            pages |= node.pages
        if not found and not own:
            pages = EVERYWHERE
        return OutlineNode(item, nodes, own, pages, len(new) < len(found))

    def _pages_of(self, item: pikepdf.Object) -> int:
        pages = 0
        for holder, key in of_item(item):
            page = page_of(self._source, holder[key])
            if page is not None:
                pages |= 1 << self._source.page_numbers[page.objgen]
        return pages


def _prune(part: Part, node: OutlineNode) -> None:
    kept = [child for child in node.children if child.pages & part.mask]
    for child in kept:
        if child.pages & ~part.mask or child.damaged:
            _prune(part, child)
        if child.own and not child.own & part.mask:
            part.changes.remove(child.item, Name.Dest)
            part.changes.remove(child.item, Name.A)
    items = [child.item for child in kept]
    link(part.changes, node.item, items)
    count = node.item.get(Name.Count)
    if kept and isinstance(count, int):
        part.changes.set(node.item, Name.Count, visible(items) if count > 0 else -visible(items))


def children(parent: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """Yield the bookmarks directly below a bookmark or the outline; each once."""
    item, seen = parent.get(Name.First), set()
    while isinstance(item, Dictionary) and item.is_indirect and item.objgen not in seen:
        seen.add(item.objgen)
        yield item
        item = item.get(Name.Next)


def link(changes: Changes, parent: pikepdf.Object, items: Sequence[pikepdf.Object]) -> None:
    """Make items the children of a parent."""
    for before, item, after in zip([None, *items], items, [*items[1:], None], strict=False):
        changes.set(item, Name.Parent, parent)
        changes.set(item, Name.Prev, before)
        changes.set(item, Name.Next, after)
    changes.set(parent, Name.First, items[0] if items else None)
    changes.set(parent, Name.Last, items[-1] if items else None)
    if not items:
        changes.remove(parent, Name.Count)


def visible(items: Sequence[pikepdf.Object]) -> int:
    """Count the bookmarks that show, open ones with their children."""
    counts = [item.get(Name.Count, 0) for item in items]
    return len(items) + sum(max(0, count) for count in counts if isinstance(count, int))
