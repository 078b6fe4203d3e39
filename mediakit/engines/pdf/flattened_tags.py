"""Tags of flattened fields: the drawn content takes the place of the field in the structure tree."""

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.objects import items
from mediakit.engines.pdf.source import Source
from mediakit.engines.pdf.trees import read_numbers, write_numbers


class FlattenedTags:
    """Replaces references to fields by references to content (ISO 32000-2, 14.7.5)."""

    def __init__(self, source: Source) -> None:
        self._pdf = source.pdf
        tree = source.root.get(Name.StructTreeRoot)
        self._tree = tree if isinstance(tree, Dictionary) else None
        self._parents = dict(read_numbers(self._tree.get(Name.ParentTree))) if self._tree is not None else {}
        self._changed = False

    def begin(self, page: pikepdf.Object, widget: pikepdf.Object) -> str:
        """Return the operator that begins the content of a widget: marked with its tag, or an artifact without one."""
        element = self._element(widget)
        if element is None:
            return "/Artifact BMC"
        marks = self._marks(page)
        content = Dictionary(Type=Name.MCR, Pg=page, MCID=len(marks))
        if not self._replace(element, widget, content):
            return "/Artifact BMC"
        marks.append(element)
        return f"/Form <</MCID {len(marks) - 1}>> BDC"

    def remove(self, widget: pikepdf.Object) -> None:
        """Remove a widget that draws nothing from its tag."""
        element = self._element(widget)
        if element is not None:
            self._replace(element, widget, None)

    def write(self) -> None:
        """Write the links from content to tags."""
        if self._tree is not None and self._changed:
            self._tree.ParentTree = write_numbers(self._pdf, sorted(self._parents.items()))
            self._tree.ParentTreeNextKey = max(self._parents, default=-1) + 1

    def _element(self, widget: pikepdf.Object) -> pikepdf.Object | None:
        key: object = widget.get(Name.StructParent)
        element = self._parents.get(key) if isinstance(key, int) else None
        return element if isinstance(element, Dictionary) else None

    def _marks(self, page: pikepdf.Object) -> pikepdf.Object:
        """Return the list of the tags of a page's content."""
        found: object = page.get(Name.StructParents)
        key = found if isinstance(found, int) else max(self._parents, default=-1) + 1
        page.StructParents = key
        marks = self._parents.get(key)
        if not isinstance(marks, Array):
            marks = self._parents[key] = self._pdf.make_indirect(Array())
        return marks

    def _replace(self, element: pikepdf.Object, widget: pikepdf.Object, content: pikepdf.Object | None) -> bool:
        kids = element.get(Name.K)
        listed = items(kids) if isinstance(kids, Array) else [kids]
        found = [index for index, kid in enumerate(listed) if _refers_to(kid, widget)]
        if not found:
            return False
        listed[found[0] : found[0] + 1] = [] if content is None else [content]
        element.K = Array(listed)
        self._parents.pop(int(widget.StructParent), None)
        self._changed = True
        return True


def _refers_to(kid: object, widget: pikepdf.Object) -> bool:
    target = kid.get(Name.Obj) if isinstance(kid, Dictionary) else None
    return isinstance(target, Dictionary) and target.is_indirect and bool(target.objgen == widget.objgen)
