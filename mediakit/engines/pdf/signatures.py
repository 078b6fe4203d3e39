"""Digital signatures: removed when a file is rewritten, which would break them. Their appearance stays."""

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.flattening import draw_and_remove
from mediakit.engines.pdf.objects import dictionaries
from mediakit.engines.pdf.source import PageKey, Source

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
