"""The copy of a PDF that MuPDF changes: everything but the content of pages is out of its sight.

Without `/OCProperties` all layers are visible, hidden ones too. Without boxes and rotation the coordinates of MuPDF are
those of user space, and nothing lies outside the page. Annotations and fields are not touched.
"""

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.objects import dictionary

EXTENT = 14_400
"""Points in each direction from the origin; the media box of all pages of a working copy."""

PAGE_KEYS = (
    Name.Annots,
    Name.MediaBox,
    Name.CropBox,
    Name.BleedBox,
    Name.TrimBox,
    Name.ArtBox,
    Name.Rotate,
    Name.UserUnit,
)
CATALOG_KEYS = (Name.OCProperties, Name.StructTreeRoot, Name.AcroForm, Name.Outlines)

KEPT = Name("/MediakitKept")
"""Key under which a working copy keeps what it hides."""


def hide(pdf: pikepdf.Pdf) -> None:
    """Hide everything from MuPDF but the content of pages."""
    for page in pdf.pages:
        _hide(page.obj, PAGE_KEYS)
        page.obj.MediaBox = Array([-EXTENT, -EXTENT, EXTENT, EXTENT])
        page.obj.Rotate = 0
        page.obj.CropBox = page.obj.MediaBox
    _hide(pdf.Root, CATALOG_KEYS)


def restore(pdf: pikepdf.Pdf) -> None:
    """Undo `hide`."""
    for page in pdf.pages:
        _restore(page.obj, PAGE_KEYS)
    _restore(pdf.Root, CATALOG_KEYS)


def _hide(holder: pikepdf.Object, keys: tuple[Name, ...]) -> None:
    kept = Dictionary()
    for key in keys:
        if key in holder:
            kept[key] = holder[key]
            del holder[key]
    holder[KEPT] = kept


def _restore(holder: pikepdf.Object, keys: tuple[Name, ...]) -> None:
    kept = dictionary(holder.get(KEPT))
    for key in keys:
        if key in holder:
            del holder[key]
        if key in kept:
            holder[key] = kept[key]
    if KEPT in holder:
        del holder[KEPT]
