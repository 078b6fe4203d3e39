"""Draws form fields into the pages, removes signatures, and hides the values of password fields."""

from collections.abc import Callable, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.geometry import form_matrix, read_numbers
from mediakit.engines.pdf.objects import (
    delete,
    dictionaries,
    dictionary,
    every_dictionary,
    inherited,
    items,
    one_or_more,
    read_number_tree,
    refers_to,
    stream_bytes,
    text_of,
    write_number_tree,
)
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.engines.pdf.page_content import add_resource, unbalanced

PASSWORD = 1 << 13
"""Flag of a text field whose value is a password."""


def is_password(field: Object) -> bool:
    """Return whether a field, or a widget of a field, is a password field."""
    kind, flags = inherited(field, Name.FT), inherited(field, Name.Ff)
    return kind == Name.Tx and isinstance(flags, int) and bool(flags & PASSWORD)


def has_passwords(pdf: pikepdf.Pdf) -> bool:
    """Return whether a form has password fields with a value or an appearance."""
    return Name.AcroForm in pdf.Root and any(_shows(item) for item in every_dictionary(pdf))


def hide_passwords(pdf: pikepdf.Pdf) -> None:
    """Replace the values of password fields by asterisks, and remove their appearances, which may show them."""
    for field in [item for item in every_dictionary(pdf) if _shows(item)]:
        for key in (Name.V, Name.DV):
            if isinstance(field.get(key), String):
                field[key] = String("*" * len(text_of(field[key])))
        delete(field, "/AP", "/RV")


def _shows(item: Object) -> bool:
    return any(key in item for key in (Name.V, Name.DV, Name.AP)) and is_password(item)


HIDDEN_FLAGS = 0b100010
"""Annotation flags Hidden (2) and NoView (6)."""

Box = tuple[float, float, float, float]


def normal_appearance(widget: pikepdf.Object) -> pikepdf.Object | None:
    """Return the normal appearance of an annotation in its present state."""
    normal = dictionary(widget.get(Name.AP)).get(Name.N)
    if isinstance(normal, Dictionary):
        state = widget.get(Name.AS)
        normal = normal.get(state if isinstance(state, Name) else Name.Off)
    return normal if isinstance(normal, Stream) else None


def placement(form: pikepdf.Object, rectangle: object) -> tuple[float, ...] | None:
    """Return the matrix that puts an appearance into its rectangle, or None if one of them has no size."""
    box, inner = corners(rectangle), corners(form.get(Name.BBox))
    if box is None or inner is None:
        return None
    around = form_matrix(form).transform(pikepdf.Rectangle(*inner))
    if not around.width or not around.height or box[2] == box[0] or box[3] == box[1]:
        return None
    across, up = (box[2] - box[0]) / float(around.width), (box[3] - box[1]) / float(around.height)
    return across, 0.0, 0.0, up, box[0] - float(around.llx) * across, box[1] - float(around.lly) * up


def corners(rectangle: object) -> Box | None:
    """Return left, bottom, right and top of a rectangle, or None if it is none."""
    numbers = read_numbers(rectangle)
    if len(numbers) != 4:
        return None
    left, bottom, right, top = numbers
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


MAX_FIELDS = 10_000
"""Fields that are searched for signatures."""


def remove_signatures(source: Source) -> None:
    """Remove the signatures of a PDF, with a warning that counts them."""
    form = source.root.get(Name.AcroForm)
    count = 0
    if isinstance(form, Dictionary):
        widgets: set[PageKey] = set()
        kept = [field for field in dictionaries(form.get(Name.Fields)) if not _take(field, widgets)]
        count = len(widgets)
        if count:
            form.Fields = Array(kept)
            draw_and_remove(source, lambda annotation: annotation.objgen in widgets)
            delete(form, "/SigFlags")
    delete(source.root, "/Perms", "/DSS")
    if count:
        source.warn(
            f"{count} signature{'s were' if count > 1 else ' was'} removed: a signature covers the original file only."
        )


def _take(field: pikepdf.Object, widgets: set[PageKey], kind: object = None, depth: int = 0) -> bool:
    """Collect the widgets of signed fields, and return whether the field goes."""
    kind = field.get(Name.FT, kind)
    if kind == Name.Sig and isinstance(field.get(Name.V), Dictionary):
        kids = [kid for kid in dictionaries(field.get(Name.Kids)) if Name.T not in kid]
        widgets |= {kid.objgen for kid in kids or [field]}
        return True
    kids = dictionaries(field.get(Name.Kids))
    if not kids or depth > 50:  # deeper trees are hostile
        return False
    kept = [kid for kid in kids if not _take(kid, widgets, kind, depth + 1)]
    if len(kept) < len(kids):
        field.Kids = Array(kept)
    return not kept


class FlattenedTags:
    """Replaces references to fields by references to content (ISO 32000-2, 14.7.5)."""

    def __init__(self, source: Source) -> None:
        self._pdf = source.pdf
        tree = source.root.get(Name.StructTreeRoot)
        self._tree = tree if isinstance(tree, Dictionary) else None
        self._parents = dict(read_number_tree(self._tree.get(Name.ParentTree))) if self._tree is not None else {}
        self._changed = False

    def begin(self, page: pikepdf.Object, widget: pikepdf.Object) -> str:
        """Return the operator that begins the content of a widget: marked with its tag, or an artifact without one."""
        element = self._element(widget)
        if element is None:
            return "/Artifact BMC"
        found: object = page.get(Name.StructParents)
        key = found if isinstance(found, int) else max(self._parents, default=-1) + 1
        page.StructParents = key
        marks = self._parents.get(key)  # the tags of the page's content
        if not isinstance(marks, Array):
            marks = self._parents[key] = self._pdf.make_indirect(Array())
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
            self._tree.ParentTree = write_number_tree(self._pdf, sorted(self._parents.items()))
            self._tree.ParentTreeNextKey = max(self._parents, default=-1) + 1

    def _element(self, widget: pikepdf.Object) -> pikepdf.Object | None:
        key: object = widget.get(Name.StructParent)
        element = self._parents.get(key) if isinstance(key, int) else None
        return element if isinstance(element, Dictionary) else None

    def _replace(self, element: pikepdf.Object, widget: pikepdf.Object, content: pikepdf.Object | None) -> bool:
        listed = one_or_more(element.get(Name.K))
        found = [index for index, kid in enumerate(listed) if refers_to(kid, widget.objgen)]
        if not found:
            return False
        listed[found[0] : found[0] + 1] = [] if content is None else [content]
        element.K = Array(listed)
        self._parents.pop(int(widget.StructParent), None)
        self._changed = True
        return True


def flatten_fields(source: Source) -> None:
    """Draw all form fields of a PDF into its pages and remove the form.

    Tags of the fields stay, with the drawn content in place of the field. Hidden fields draw nothing.
    """
    draw_and_remove(source, lambda annotation: annotation.get(Name.Subtype) == Name.Widget)
    delete(source.root, "/AcroForm", "/NeedsRendering")


def draw_and_remove(source: Source, chosen: Callable[[pikepdf.Object], bool]) -> None:
    """Draw the chosen widgets into their pages, and remove them from there."""
    tags = FlattenedTags(source)
    for page in source.pdf.pages:
        widgets = [annotation for annotation in annotations(page.obj) if chosen(annotation)]
        if widgets:
            _draw(source, page, widgets, tags)
            rest = [item for item in items(page.obj.Annots) if not (isinstance(item, Dictionary) and chosen(item))]
            delete(page.obj, "/Annots")
            if rest:
                page.obj.Annots = Array(rest)
    tags.write()


def _draw(source: Source, page: pikepdf.Page, widgets: Sequence[pikepdf.Object], tags: FlattenedTags) -> None:
    """Draw appearances into their page, in the order of the annotations (ISO 32000-2, 12.5.5, algorithm 8)."""
    drawn: list[str] = []
    for number, widget in enumerate(widgets, 1):
        form, layer = normal_appearance(widget), widget.get(Name.OC)
        flags: object = widget.get(Name.F)
        is_hidden = isinstance(flags, int) and bool(flags & HIDDEN_FLAGS)
        is_drawn = form is not None and not is_hidden and not _shows_password(widget, form)
        placed = placement(form, widget.get(Name.Rect)) if form is not None and is_drawn else None
        if form is None or placed is None:
            tags.remove(widget)
            continue
        form.Type, form.Subtype = Name.XObject, Name.Form  # viewers miss it in page content, not in appearances
        defaults = dictionary(source.root.get(Name.AcroForm)).get(Name.DR)
        if Name.Resources not in form and isinstance(defaults, Dictionary):
            form.Resources = defaults
        numbers = " ".join(f"{number:.5f}" for number in placed)
        operators = f"q {numbers} cm {add_resource(page, '/XObject', form, f'Field{number}')} Do Q"
        if isinstance(layer, Dictionary):
            operators = f"/OC {add_resource(page, '/Properties', layer, f'Layer{number}')} BDC {operators} EMC"
        drawn.append(f"{tags.begin(page.obj, widget)} {operators} EMC")
    if drawn:
        before, after = unbalanced(page)
        page.contents_add(b"q " * (before + 1), prepend=True)
        page.contents_add("\n".join(["Q " * (after + 1), *drawn]).encode("latin-1"))


def _shows_password(widget: pikepdf.Object, form: pikepdf.Object) -> bool:
    """Return whether an appearance shows the value of a password field in clear."""
    value = inherited(widget, Name.V)
    return isinstance(value, String) and is_password(widget) and bytes(value) in (stream_bytes(form) or b"")
