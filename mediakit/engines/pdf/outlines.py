"""Bookmarks and page labels: those of several PDFs are joined, and those of omitted pages dropped."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Literal

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.destinations import EVERYWHERE, Changes, Feature, Part, of_item, page_of
from mediakit.engines.pdf.objects import Visited, dictionary, read_number_tree, text_of, write_number_tree
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.engines.pdf.page_ranges import NumberFormat, format_number

MAX_DEPTH = 100
"""Levels of bookmarks that are pruned; deeper ones are dropped."""


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


def read_outline(source: Source) -> OutlineNode:
    """Return the outline of a PDF, with the pages that its bookmarks lead to."""
    seen: set[PageKey] = set()

    def read(item: pikepdf.Object, depth: int) -> OutlineNode:
        found = list(children(item))
        new = [child for child in found if child.objgen not in seen] if depth < MAX_DEPTH else []
        seen.update(child.objgen for child in new)
        nodes = [read(child, depth + 1) for child in new]
        targets = [page_of(source, holder[key]) for holder, key in of_item(item)]
        own = reduce(or_, (1 << source.page_numbers[page.objgen] for page in targets if page is not None), 0)
        pages = reduce(or_, (node.pages for node in nodes), own) if found or own else EVERYWHERE
        return OutlineNode(item, nodes, own, pages, len(new) < len(found))

    return read(source.root.Outlines, 0)


def _prune(part: Part, node: OutlineNode) -> None:
    """Keep bookmarks that lead to a kept page, have one below them, or lead out of the PDF."""
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
            _prune(part, part.source.read_once(read_outline))
        return outlines if Name.First in outlines else None

    def attach(self, part: Part, copied: pikepdf.Object) -> None:
        """Take the bookmarks."""
        self._own[part.first] = list(children(copied))

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write the outline."""
        top: list[pikepdf.Object] = []
        if self._bookmarks == "files":
            for first, title in self._titles.items():
                page = pdf.pages[first]
                _, bottom, _, upper = page.cropbox
                target = Array([page.obj, Name.XYZ, None, float(max(bottom, upper)), None])
                item = pdf.make_indirect(Dictionary(Title=String(title), Dest=target))
                if items := self._own.get(first):
                    link(Changes(), item, items)
                    item.Count = visible(items)
                top.append(item)
        else:
            top += [item for items in self._own.values() for item in items]
        if top:
            pdf.Root.Outlines = pdf.make_indirect(Dictionary(Type=Name.Outlines, Count=visible(top)))
            link(Changes(), pdf.Root.Outlines, top)


def first_level(part: Part) -> list[Entry]:
    """Return the bookmarks of the first level that lead to pages of a part."""
    outlines = part.source.root.get(Name.Outlines)
    if not isinstance(outlines, Dictionary):
        return []
    found = []
    for item in children(outlines):
        pages = (page_of(part.source, holder[key]) for holder, key in of_item(item))
        kept = [part.kept[page.objgen] for page in pages if page is not None and page.objgen in part.kept]
        if kept and (title := _title(item)):
            found.append(Entry(title, kept[0]))
    return found


def bookmarks(source: Source) -> Iterator[tuple[int, str, int | None]]:
    """Yield level from 1, title and index of the page of each bookmark, parents before children.

    The page is None for a bookmark that leads nowhere in the PDF.
    """
    waiting: list[tuple[int, object]] = [(1, dictionary(source.root.get(Name.Outlines)).get(Name.First))]
    visited = Visited()
    while waiting:
        level, item = waiting.pop()
        if isinstance(item, Dictionary) and item.is_indirect and visited.add(item):
            pages = filter(None, (page_of(source, holder[key]) for holder, key in of_item(item)))
            yield level, _title(item), next((source.page_numbers[page.objgen] for page in pages), None)
            waiting += [(level, item.get(Name.Next)), (level + 1, item.get(Name.First))]


def placed_bookmarks(source: Source) -> list[tuple[int, Entry]]:
    """Return the bookmarks that lead to pages of a PDF, each with its level."""
    return [(level, Entry(title, page)) for level, title, page in bookmarks(source) if page is not None]


def _title(item: pikepdf.Object) -> str:
    return " ".join(text_of(item.get(Name.Title)).split())


STYLES: Mapping[str, NumberFormat] = {"/D": "1", "/r": "i", "/R": "I", "/a": "a", "/A": "A"}
"""Numbering styles by their names in a PDF."""


@dataclass(frozen=True, slots=True)
class Label:
    """Label of one page."""

    style: str
    """Name of the numbering style, such as `/D` or `/r`; empty for none."""
    prefix: bytes
    """Text before the number, as the PDF holds it."""
    number: int

    def follows(self, other: "Label | None") -> bool:
        """Return whether the label is the next after another in the same range."""
        if other is None or (self.style, self.prefix) != (other.style, other.prefix):
            return False
        return self.number == other.number + 1 or not self.style

    @property
    def text(self) -> str:
        """The label as viewers show it."""
        number = format_number(self.number, STYLES[self.style]) if self.style in STYLES else ""
        return str(String(self.prefix)) + number


class PageLabels(Feature):
    """Page labels of all parts; parts without labels count on as decimal pages of the result."""

    key = "/PageLabels"

    def __init__(self) -> None:
        self._labels: dict[int, Label] = {}

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Read the labels; nothing has to be copied."""
        tree = part.source.root.get(Name.PageLabels)
        if tree is not None:
            labels = part.source.read_once(page_labels)
            self._labels |= {part.first + at: labels[index] for at, index in enumerate(part.indices)}
        return None

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write a range wherever the labels do not just count on."""
        if not self._labels:
            return
        entries: list[tuple[int, pikepdf.Object]] = []
        before: Label | None = None
        for index in range(len(pdf.pages)):
            label = self._labels.get(index, Label("/D", b"", index + 1))
            if not label.follows(before):
                entry = Dictionary()
                if label.style:
                    entry.S = Name(label.style)
                if label.prefix:
                    entry.P = String(label.prefix)
                if label.number != 1:
                    entry.St = label.number
                entries.append((index, entry))
            before = label
        pdf.Root.PageLabels = write_number_tree(pdf, entries)


def page_labels(source: Source) -> list[Label]:
    """Return the label of each page; without labels, pages are numbered from 1."""
    ranges = dict(read_number_tree(source.root.get(Name.PageLabels)))
    labels: list[Label] = []
    style, prefix, number = "/D", b"", 0
    for index in range(len(source.pages)):
        number += 1
        if isinstance(entry := ranges.get(index), Dictionary):
            own, before = entry.get(Name.S), entry.get(Name.P)
            start: object = entry.get(Name.St)
            style = str(own) if isinstance(own, Name) else ""
            prefix = bytes(before) if isinstance(before, String) else b""
            number = start if isinstance(start, int) else 1
        labels.append(Label(style, prefix, number))
    return labels


def label_texts(source: Source) -> list[str] | None:
    """Return the label of each page as viewers show it, or None for a PDF without page labels."""
    tree = source.root.get(Name.PageLabels)
    if not isinstance(tree, Dictionary):
        return None
    return [label.text for label in page_labels(source)]
