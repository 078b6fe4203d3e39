"""Reads the fields of a form, also those that only pages have."""

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.forms.field import MAX_DEPTH, FormField
from mediakit.engines.pdf.objects import Visited, dictionaries, dictionary, items
from mediakit.engines.pdf.source import PageKey, Source

MAX_NODES = 100_000
"""Nodes of the tree of fields that are read."""


class Form:
    """The fields of a PDF by full name, in the order of the file."""

    def __init__(self, source: Source) -> None:
        """Read the fields."""
        self.source = source
        self.root = dictionary(source.root.get(Name.AcroForm))
        self.fields: dict[str, FormField] = {}
        self._visited = Visited()
        self._placed: set[PageKey] = set()
        self._pages: dict[PageKey, pikepdf.Page] = {}
        for field in dictionaries(self.root.get(Name.Fields)):
            self._read(field, "", None)
        self._read_pages()
        self.fields = {name: field for name, field in self.fields.items() if field.type}

    def page_of(self, widget: pikepdf.Object) -> pikepdf.Page | None:
        """Return the page that shows a widget."""
        return self._pages.get(widget.objgen)

    def add_missing(self) -> None:
        """Add fields that only pages have to the form."""
        if Name.AcroForm not in self.source.root:
            self.source.root.AcroForm = self.source.pdf.make_indirect(Dictionary())
        self.root = self.source.root.AcroForm
        known = {field.objgen for field in dictionaries(self.root.get(Name.Fields))}
        tops = {top.objgen: top for field in self.fields.values() for node in field.nodes if (top := _top(node))}
        missing = [top for key, top in tops.items() if key not in known and top.is_indirect]
        if missing or Name.Fields not in self.root:
            self.root.Fields = Array([*dictionaries(self.root.get(Name.Fields)), *missing])

    def _read(self, node: pikepdf.Object, prefix: str, owner: FormField | None, depth: int = 0) -> None:
        if depth > MAX_DEPTH or self._visited.count > MAX_NODES or not self._visited.add(node):
            return
        name = node.get(Name.T)
        full = ".".join(filter(None, (prefix, str(name) if isinstance(name, String) else "")))
        kids = dictionaries(node.get(Name.Kids))
        if owner is None and not any(Name.T in kid for kid in kids):
            owner = self.fields.setdefault(full, FormField(full))
            owner.nodes.append(node)
        for kid in kids:
            self._read(kid, full, None if Name.T in kid else owner, depth + 1)
        if owner is not None and not kids and (Name.Rect in node or node.get(Name.Subtype) == Name.Widget):
            owner.widgets.append(node)
            self._placed.add(node.objgen)

    def _read_pages(self) -> None:
        for page in self.source.pdf.pages:
            for index, item in enumerate(items(page.obj.get(Name.Annots))):
                if not isinstance(item, Dictionary) or item.get(Name.Subtype) != Name.Widget:
                    continue
                widget = item if item.is_indirect else self.source.pdf.make_indirect(item)
                page.obj.Annots[index] = widget
                self._pages.setdefault(widget.objgen, page)
                if widget.objgen not in self._placed:
                    self._adopt(widget)

    def _adopt(self, widget: pikepdf.Object) -> None:
        """Take a widget that the tree of fields does not reach."""
        self._placed.add(widget.objgen)
        parent = widget.get(Name.Parent)
        node = parent if isinstance(parent, Dictionary) and Name.T not in widget else widget
        field = self.fields.setdefault(_full_name(node), FormField(_full_name(node)))
        field.widgets.append(widget)
        if not any(node.objgen == known.objgen for known in field.nodes):
            field.nodes.append(node)


def _full_name(node: pikepdf.Object) -> str:
    names = []
    for _ in range(MAX_DEPTH):
        if isinstance(name := node.get(Name.T), String):
            names.append(str(name))
        parent = node.get(Name.Parent)
        if not isinstance(parent, Dictionary):
            break
        node = parent
    return ".".join(reversed(names))


def _top(node: pikepdf.Object) -> pikepdf.Object | None:
    """Return the topmost ancestor of a node; None in a loop."""
    for _ in range(MAX_DEPTH):
        parent = node.get(Name.Parent)
        if not isinstance(parent, Dictionary):
            return node
        node = parent
    return None
