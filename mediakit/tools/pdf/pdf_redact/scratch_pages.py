"""Appearances of annotations as pages of their own at the end of a working copy, where MuPDF can redact them."""

from collections.abc import Iterable
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name, Object, Rectangle, Stream

from mediakit.engines.pdf.geometry import read_numbers
from mediakit.engines.pdf.objects import dictionaries, dictionary
from mediakit.tools.pdf.pdf_redact.annotations import corners
from mediakit.tools.pdf.pdf_redact.marks import Box
from mediakit.tools.pdf.pdf_redact.scope import appearances

FORM = Name("/MediakitForm")
"""Key of a scratch page for the appearance itself."""

_SHOWS = (b"Tj", b"TJ", b"'", b'"', b"Do")


@dataclass(frozen=True)
class ScratchPage:
    """A page that draws an appearance."""

    index: int
    """Index of the page."""
    owner: int
    """Index of the page that has the annotation."""
    box: Box
    """Rectangle of the annotation, in user space of its page."""


def add_scratch_pages(pdf: pikepdf.Pdf, selected: Iterable[int]) -> list[ScratchPage]:
    """Add a page for each appearance that shows text on the selected pages."""
    found: list[ScratchPage] = []
    forms = {
        form.objgen: (index, form, corners(annotation) or (0.0, 0.0, 0.0, 0.0))
        for index in selected
        for annotation in dictionaries(pdf.pages[index].obj.get(Name.Annots))
        for form in appearances(annotation)
    }
    fonts = dictionary(dictionary(pdf.Root.get(Name.AcroForm)).get(Name.DR))
    for owner, form, box in forms.values():
        if not _shows_text(form):
            continue
        if Name.Resources not in form:
            form.Resources = fonts
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, 1, 1]),
            Resources=Dictionary(XObject=Dictionary(Fm0=form)),
            Contents=pdf.make_stream(b"/Fm0 Do"),
        )
        page[FORM] = form
        found.append(ScratchPage(len(pdf.pages), owner, box))
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return found


def take_back(pdf: pikepdf.Pdf, page: ScratchPage, areas: list[Box]) -> tuple[Object, list[Box]]:
    """Write the redacted content of a scratch page into its appearance.

    Returns:
        The appearance, and the areas in its own coordinates.
    """
    form = pdf.pages[page.index].obj[FORM]
    redacted = list(dictionary(dictionary(pdf.pages[page.index].obj.get(Name.Resources)).get(Name.XObject)).values())
    if redacted and redacted[0].objgen != form.objgen:
        form.write(redacted[0].read_bytes())
        if Name.Resources in redacted[0]:
            form.Resources = redacted[0].Resources
    elif not redacted:
        form.write(b"")
    numbers = read_numbers(form.get(Name.Matrix))
    try:
        inverse = Matrix(*numbers).inverse() if len(numbers) == 6 else Matrix()
    except ValueError:
        inverse = Matrix()
    moved = [inverse.transform(Rectangle(*area)) for area in areas]
    return form, [(float(box.llx), float(box.lly), float(box.urx), float(box.ury)) for box in moved]


def remove_scratch_pages(pdf: pikepdf.Pdf, pages: list[ScratchPage]) -> None:
    """Remove the pages that `add_scratch_pages` added."""
    if pages:
        del pdf.pages[-len(pages) :]


def _shows_text(form: Stream) -> bool:
    try:
        content = form.read_bytes()
    except pikepdf.PdfError:
        return False
    return any(operator in content for operator in _SHOWS)
