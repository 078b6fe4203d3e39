"""Bookmarks: joined as they are, or below an entry for each part."""

from dataclasses import dataclass
from typing import Literal

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.changes import Changes
from mediakit.engines.pdf.destinations import of_item, page_of
from mediakit.engines.pdf.outline_pruning import OutlineIndex, children, link, visible
from mediakit.engines.pdf.part import Feature, Part
from mediakit.engines.pdf.source import Source

Bookmarks = Literal["files", "keep", "none"]


@dataclass(frozen=True)
class Entry:
    """A bookmark that leads to a page."""

    title: str
    page: int
    """Index of the page."""


class Outlines(Feature):
    """Bookmarks of all parts."""

    key = "/Outlines"

    def __init__(self, bookmarks: Bookmarks) -> None:
        self._bookmarks = bookmarks
        self._own: dict[int, list[pikepdf.Object]] = {}
        self._titles: dict[int, str] = {}

    def add_entry(self, first: int, title: str) -> None:
        """Note the title of pages that begin at an index, for an entry of their own."""
        self._titles[first] = title

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Remove the bookmarks of pages that are omitted, and return the rest."""
        if part.title:
            self.add_entry(part.first, part.title)
        outlines = part.source.root.get(Name.Outlines)
        if self._bookmarks == "none" or not isinstance(outlines, Dictionary) or Name.First not in outlines:
            return None
        if not part.whole:
            part.source.read_once(OutlineIndex).prune(part)
        return outlines if Name.First in outlines else None

    def attach(self, part: Part, copied: pikepdf.Object | None) -> None:
        """Take the bookmarks."""
        if copied is not None:
            self._own[part.first] = list(children(copied))

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the outline."""
        if self._bookmarks == "files":
            top = [self._wrapped(pdf, first, title) for first, title in self._titles.items()]
        else:
            top = [item for items in self._own.values() for item in items]
        if top:
            root = pdf.make_indirect(Dictionary(Type=Name.Outlines))
            _link(root, top)
            root.Count = visible(top)
            pdf.Root.Outlines = root

    def _wrapped(self, pdf: pikepdf.Pdf, first: int, title: str) -> pikepdf.Object:
        page = pdf.pages[first]
        target = Array([page.obj, Name.XYZ, None, _top(page), None])
        item = pdf.make_indirect(Dictionary(Title=String(title), Dest=target))
        if items := self._own.get(first):
            _link(item, items)
            item.Count = visible(items)
        return item


def first_level(part: Part) -> list[Entry]:
    """Return the bookmarks of the first level that lead to pages of a part."""
    outlines = part.source.root.get(Name.Outlines)
    if not isinstance(outlines, Dictionary):
        return []
    found = [(item, _target(part, item)) for item in children(outlines)]
    return [Entry(title, page) for item, page in found if page is not None and (title := _title(item))]


def placed_bookmarks(source: Source) -> list[tuple[int, Entry]]:
    """Return the bookmarks that lead to pages of a PDF, each with its level from 1, parents before children."""
    if not isinstance(source.root.get(Name.Outlines), Dictionary):
        return []
    waiting = [(1, node) for node in reversed(source.read_once(OutlineIndex).top.children)]
    found = []
    while waiting:
        level, node = waiting.pop()
        if node.own:
            first = (node.own & -node.own).bit_length() - 1
            found.append((level, Entry(_title(node.item), first)))
        waiting += [(level + 1, child) for child in reversed(node.children)]
    return found


def _title(item: pikepdf.Object) -> str:
    title = item.get(Name.Title)
    return " ".join(str(title).split()) if isinstance(title, String) else ""


def _target(part: Part, item: pikepdf.Object) -> int | None:
    for holder, key in of_item(item):
        page = page_of(part.source, holder[key])
        if page is not None and page.objgen in part.kept:
            return part.kept[page.objgen]
    return None


def _link(parent: pikepdf.Object, items: list[pikepdf.Object]) -> None:
    link(Changes(), parent, items)


def _top(page: pikepdf.Page) -> float:
    box = [float(edge) for edge in page.cropbox]
    return max(box[1], box[3])
