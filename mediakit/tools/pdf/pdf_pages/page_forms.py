"""Pages as form XObjects, to be drawn on a sheet (ISO 32000-2, 8.10)."""

import pikepdf
from pikepdf import Array, Name

from mediakit.engines.pdf.geometry import rounded, visible_box


class PageForms:
    """The forms of pages; pages that repeat the content of another share its form."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, ...], pikepdf.Object] = {}

    def form_of(self, page: pikepdf.Page) -> pikepdf.Object:
        """Return the visible content of a page as a form, in the coordinates of the page."""
        key = _content_key(page)
        form = self._known.get(key)
        if form is None or Name.StructParents in page.obj:
            form = self._known[key] = _form(page)
        return form


def _content_key(page: pikepdf.Page) -> tuple[bytes, ...]:
    parts = [page.obj.get(Name.Contents), page.obj.get(Name.Resources), page.obj.get(Name.Group)]
    return *(b"" if part is None else part.unparse() for part in parts), repr(visible_box(page)).encode()


def _form(page: pikepdf.Page) -> pikepdf.Object:
    form = page.as_form_xobject(handle_transformations=False)
    form.BBox = Array(rounded(visible_box(page)))
    if Name.StructParents in page.obj:
        form.StructParents = page.obj.StructParents
    return form
