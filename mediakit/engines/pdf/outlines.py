"""Bookmarks: joined as they are, or below an entry for each part."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.destinations import of_item, page_of
from mediakit.engines.pdf.part import Feature, Part

Bookmarks = Literal["files", "keep", "none"]

MAX_DEPTH = 100
"""Levels of bookmarks that are pruned; deeper ones are dropped with their pages."""


@dataclass(frozen=True)
class Entry:
    """A bookmark of the first level."""

    title: str
    page: int
    """Index in the result of its page."""


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
            _prune(part, outlines)
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
            root.Count = _visible(top)
            pdf.Root.Outlines = root

    def _wrapped(self, pdf: pikepdf.Pdf, first: int, title: str) -> pikepdf.Object:
        page = pdf.pages[first]
        target = Array([page.obj, Name.XYZ, None, _top(page), None])
        item = pdf.make_indirect(Dictionary(Title=String(title), Dest=target))
        if items := self._own.get(first):
            _link(item, items)
            item.Count = _visible(items)
        return item


def first_level(part: Part) -> list[Entry]:
    """Return the bookmarks of the first level that lead to pages of a part."""
    outlines = part.source.root.get(Name.Outlines)
    if not isinstance(outlines, Dictionary):
        return []
    found = [(item, _target(part, item)) for item in children(outlines)]
    return [Entry(title, page) for item, page in found if page is not None and (title := _title(item))]


def children(parent: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """Yield the bookmarks directly below a bookmark or the outline; each once."""
    item, seen = parent.get(Name.First), set()
    while isinstance(item, Dictionary) and item.is_indirect and item.objgen not in seen:
        seen.add(item.objgen)
        yield item
        item = item.get(Name.Next)


def _title(item: pikepdf.Object) -> str:
    title = item.get(Name.Title)
    return " ".join(str(title).split()) if isinstance(title, String) else ""


def _target(part: Part, item: pikepdf.Object) -> int | None:
    for holder, key in of_item(item):
        page = page_of(part.source, holder[key])
        if page is not None and page.objgen in part.kept:
            return part.kept[page.objgen]
    return None


def _prune(part: Part, parent: pikepdf.Object, depth: int = 0) -> None:
    """Keep bookmarks that lead to a kept page or have one below them."""
    kept = []
    for item in list(children(parent)):
        was_leaf = Name.First not in item
        if not was_leaf:
            _prune(part, item, depth + 1) if depth < MAX_DEPTH else _link(item, [])
        leads = _target(part, item) is not None
        if leads or Name.First in item or (was_leaf and not _leads_inside(part, item)):
            kept.append(item)
            if not leads:
                _drop_target(part, item)
    is_open = int(parent.get(Name.Count, 0)) > 0
    _link(parent, kept)
    if kept and Name.Count in parent:
        parent.Count = _visible(kept) if is_open else -_visible(kept)


def _drop_target(part: Part, item: pikepdf.Object) -> None:
    """Remove what leads to a page that is omitted; actions to addresses stay."""
    if Name.Dest in item:
        del item.Dest
    if _leads_inside(part, item):
        del item.A


def _leads_inside(part: Part, item: pikepdf.Object) -> bool:
    return any(page_of(part.source, holder[key]) is not None for holder, key in of_item(item))


def _link(parent: pikepdf.Object, items: list[pikepdf.Object]) -> None:
    """Make items the children of a parent."""
    for before, item, after in zip([None, *items], items, [*items[1:], None], strict=False):
        item.Parent = parent
        _set(item, Name.Prev, before)
        _set(item, Name.Next, after)
    _set(parent, Name.First, items[0] if items else None)
    _set(parent, Name.Last, items[-1] if items else None)
    if not items and Name.Count in parent:
        del parent.Count


def _set(item: pikepdf.Object, key: Name, value: pikepdf.Object | None) -> None:
    if value is not None:
        item[key] = value
    elif key in item:
        del item[key]


def _visible(items: list[pikepdf.Object]) -> int:
    """Count the bookmarks that show, open ones with their children."""
    counts = [item.get(Name.Count, 0) for item in items]
    return len(items) + sum(max(0, count) for count in counts if isinstance(count, int))


def _top(page: pikepdf.Page) -> float:
    box = [float(edge) for edge in page.cropbox]
    return max(box[1], box[3])
