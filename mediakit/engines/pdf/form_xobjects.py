"""Form XObjects: content that is drawn once and placed on many pages (ISO 32000-2, 8.10)."""

from collections.abc import Sequence

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name

from mediakit.engines.pdf.geometry import rounded, seen_matrix, seen_size, visible_box


def make_form(
    pdf: pikepdf.Pdf,
    content: bytes,
    box: Sequence[float],
    resources: pikepdf.Object | None = None,
    matrix: Matrix | None = None,
) -> pikepdf.Object:
    """Return a new form XObject.

    Args:
        pdf: The PDF that will own the form.
        content: Operators.
        box: Left, bottom, right and top of what is visible, before the matrix.
        resources: Fonts, images and what else the operators name.
        matrix: Maps the form to the space in which it is placed.
    """
    form = pdf.make_stream(content)
    form.Type, form.Subtype = Name.XObject, Name.Form
    form.BBox = Array(rounded(box))
    form.Resources = Dictionary() if resources is None else resources
    if matrix is not None:
        form.Matrix = Array(rounded(matrix.shorthand))
    return form


def page_form(page: pikepdf.Page) -> pikepdf.Object:
    """Return a page as it is seen as a form XObject of the page's PDF; its origin is the bottom left."""
    form = page.as_form_xobject(handle_transformations=False)
    upright = Matrix(1, 0, 0, -1, 0, seen_size(page)[1])
    form.BBox = Array(rounded(visible_box(page)))
    form.Matrix = Array(rounded((seen_matrix(page).inverse() @ upright).shorthand))
    return form


def make_group(form: pikepdf.Object) -> None:
    """Let opacity apply to a form as a whole, not to each part of it."""
    if Name.Group not in form:
        form.Group = Dictionary(Type=Name.Group, S=Name.Transparency)


def operands(matrix: Matrix) -> str:
    """Return a matrix as the operands of the operator `cm`."""
    return " ".join(f"{number:.6f}".rstrip("0").rstrip(".") for number in matrix.shorthand)
