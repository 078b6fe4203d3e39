"""Digital signatures: removed when a file is rewritten, which would break them. Their appearance stays."""

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from mediakit.engines.pdf.objects import dictionaries, items
from mediakit.engines.pdf.source import PageKey, Source

MAX_FIELDS = 10_000
"""Fields that are searched for signatures."""

HIDDEN_FLAGS = 0b100010
"""Annotation flags Hidden (2) and NoView (6)."""


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
            _draw_and_remove(source, widgets)
            if Name.SigFlags in form:
                del form.SigFlags
    for key in (Name.Perms, Name.DSS):
        if key in source.root:
            del source.root[key]
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


def _draw_and_remove(source: Source, widgets: set[PageKey]) -> None:
    for page in source.pdf.pages:
        signed = [item for item in dictionaries(page.obj.get(Name.Annots)) if item.objgen in widgets]
        if signed:
            for widget in signed:
                _draw(page, widget)
            rest = [
                item for item in items(page.obj.Annots) if not (isinstance(item, Dictionary) and item.objgen in widgets)
            ]
            page.obj.Annots = Array(rest)


def _draw(page: pikepdf.Page, widget: pikepdf.Object) -> None:
    """Draw a widget's appearance into its page (ISO 32000-2, 12.5.5, algorithm 8)."""
    form = appearance(widget)
    flags = widget.get(Name.F, 0)
    if form is None or (isinstance(flags, int) and flags & HIDDEN_FLAGS):
        return
    placed = placement(form, widget.get(Name.Rect))
    if placed:
        name = page.add_resource(form, Name.XObject, prefix="Signature")
        page.contents_add(b"q", prepend=True)
        numbers = " ".join(f"{number:.5f}" for number in placed)
        page.contents_add(f"Q /Artifact BMC q {numbers} cm {name} Do Q EMC".encode())


def appearance(widget: pikepdf.Object) -> pikepdf.Object | None:
    """Return the normal appearance of an annotation in its present state."""
    looks = widget.get(Name.AP)
    normal = looks.get(Name.N) if isinstance(looks, Dictionary) else None
    if isinstance(normal, Dictionary):
        normal = normal.get(str(widget.get(Name.AS, "/Off")))
    return normal if isinstance(normal, Stream) else None


def placement(form: pikepdf.Object, rectangle: object) -> tuple[float, ...] | None:
    """Return the matrix that puts an appearance into its rectangle, or None if one of them has no size."""
    box = _corners(rectangle)
    inner = _corners(form.get(Name.BBox))
    if box is None or inner is None:
        return None
    matrix = pikepdf.Matrix(form.Matrix) if Name.Matrix in form else pikepdf.Matrix()
    around = matrix.transform(pikepdf.Rectangle(*inner))
    if not around.width or not around.height or box[2] == box[0] or box[3] == box[1]:
        return None
    across, up = (box[2] - box[0]) / float(around.width), (box[3] - box[1]) / float(around.height)
    return across, 0.0, 0.0, up, box[0] - float(around.llx) * across, box[1] - float(around.lly) * up


def _corners(rectangle: object) -> tuple[float, float, float, float] | None:
    try:
        left, bottom, right, top = (float(edge) for edge in items(rectangle))
    except (TypeError, ValueError):
        return None
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)
