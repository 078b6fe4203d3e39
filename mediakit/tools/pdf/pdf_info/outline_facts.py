"""The outline: read as a flat list with levels, and written from one."""

from collections.abc import Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.destinations import of_item, page_of
from mediakit.engines.pdf.objects import Visited, text_of
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_info.changes import OutlineItem

MAX_ITEMS = 10_000
"""Bookmarks that are read."""


def read_outline(source: Source) -> list[dict[str, object]]:
    """Return level, title and page of each bookmark; the page is None for one that leads elsewhere."""
    outlines = source.root.get(Name.Outlines)
    found: list[dict[str, object]] = []
    waiting: list[tuple[object, int]] = [(outlines.get(Name.First), 1)] if isinstance(outlines, Dictionary) else []
    visited = Visited()
    while waiting and len(found) < MAX_ITEMS:
        item, level = waiting.pop()
        if not isinstance(item, Dictionary) or not item.is_indirect or not visited.add(item):
            continue
        found.append({"level": level, "title": _title(item), "page": _page(source, item)})
        waiting += [(item.get(Name.Next), level), (item.get(Name.First), level + 1)]
    return found


def write_outline(source: Source, entries: Sequence[OutlineItem]) -> None:
    """Replace the outline; nothing removes it.

    Raises:
        InvalidInput: A page does not exist.
    """
    pdf, count = source.pdf, len(source.pages)
    for index, entry in enumerate(entries):
        if entry.page > count:
            raise InvalidInput(f"outline[{index}]: the PDF has {count} page{'s' * (count != 1)}, got {entry.page}.")
    if Name.Outlines in pdf.Root:
        del pdf.Root.Outlines
    if entries:
        pdf.Root.Outlines = _build(pdf, entries)


def _build(pdf: pikepdf.Pdf, entries: Sequence[OutlineItem]) -> pikepdf.Object:
    root = pdf.make_indirect(Dictionary(Type=Name.Outlines))
    path = [root]
    for entry in entries:
        del path[entry.level :]
        parent = path[-1]
        page = pdf.pages[entry.page - 1]
        target = Array([page.obj, Name.XYZ, None, float(page.cropbox[3]), None])
        item = pdf.make_indirect(Dictionary(Title=String(entry.title), Parent=parent, Dest=target))
        if Name.Last in parent:
            item.Prev, parent.Last.Next = parent.Last, item
        else:
            parent.First = item
        parent.Last = item
        for ancestor in path:  # open, so that every bookmark shows
            ancestor.Count = int(ancestor.get(Name.Count, 0)) + 1
        path.append(item)
    return root


def _title(item: pikepdf.Object) -> str:
    title = item.get(Name.Title)
    return " ".join(text_of(title).split())


def _page(source: Source, item: pikepdf.Object) -> int | None:
    for holder, key in of_item(item):
        page = page_of(source, holder[key])
        if page is not None:
            return source.page_numbers[page.objgen] + 1
    return None
