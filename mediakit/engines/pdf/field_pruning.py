"""Removes the form fields of pages that are omitted."""

from collections.abc import Sequence
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.objects import Visited, items
from mediakit.engines.pdf.part import Part
from mediakit.engines.pdf.source import PageKey, Source

MAX_DEPTH = 50
"""Levels of a field tree that are read; deeper fields are dropped."""

EVERYWHERE = -1
"""The pages of a field without a widget."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A field, or a widget of a field."""

    item: pikepdf.Object
    kids: Sequence["_Node"]
    pages: int
    """The pages of its widgets, a bit for each."""


class FieldIndex:
    """The form fields of a PDF, and on which pages their widgets are."""

    def __init__(self, source: Source) -> None:
        self._form: pikepdf.Object = source.root.AcroForm
        self._widgets: dict[PageKey, int] = {}
        for number, page in enumerate(source.pages):
            for annotation in annotations(page):
                self._widgets[annotation.objgen] = self._widgets.get(annotation.objgen, 0) | 1 << number
        self._visited = Visited()
        self._fields = self._read_all(items(self._form.get(Name.Fields)), 0)

    def prune(self, part: Part) -> None:
        """Keep the fields that have a widget on a kept page, or none at all."""
        kept = _kept(part, self._fields)
        part.changes.set(self._form, Name.Fields, Array([node.item for node in kept]))
        order = self._form.get(Name.CO)
        if isinstance(order, Array):
            alive = {node.item.objgen for node in _all(kept, part.mask)}
            calculated = [field for field in order if isinstance(field, Dictionary) and field.objgen in alive]
            part.changes.set(self._form, Name.CO, Array(calculated))

    def _read_all(self, found: Sequence[pikepdf.Object], depth: int) -> list[_Node]:
        new = [item for item in found if isinstance(item, Dictionary) and self._visited.add(item)]
        return [self._read(item, depth) for item in new] if depth <= MAX_DEPTH else []

    def _read(self, field: pikepdf.Object, depth: int) -> _Node:
        found = items(field.get(Name.Kids))
        kids = self._read_all(found, depth + 1)
        if found:
            pages = 0
            for kid in kids:
                pages |= kid.pages
        elif field.get(Name.Subtype) == Name.Widget or Name.Rect in field:
            pages = self._widgets.get(field.objgen, 0)
        else:
            pages = EVERYWHERE
        return _Node(field, kids, pages)


def _kept(part: Part, nodes: Sequence[_Node]) -> list[_Node]:
    """Return the nodes that are kept, without the children that are not."""
    kept = [node for node in nodes if node.pages & part.mask]
    for node in kept:
        if node.kids and node.pages & ~part.mask:
            part.changes.set(node.item, Name.Kids, Array([kid.item for kid in _kept(part, node.kids)]))
    return kept


def _all(nodes: Sequence[_Node], mask: int) -> list[_Node]:
    """Return the kept nodes with those below them."""
    found = [node for node in nodes if node.pages & mask]
    for node in found:  # grows
        found += [kid for kid in node.kids if kid.pages & mask]
    return found
