"""Where matches are on the pages of a PDF, before anything is removed: in content, annotations and their appearances.

Appearances become pages of their own at the end of the working copy, where MuPDF can read and redact them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name, Object, Rectangle, Stream

from mediakit.engines.pdf.flattening import corners
from mediakit.engines.pdf.geometry import form_matrix, seen_matrix
from mediakit.engines.pdf.objects import appearances, dictionaries, dictionary, inherited, items
from mediakit.engines.pdf.opening import Source
from mediakit.engines.pdf.saving import save
from mediakit.tools.pdf.pdf_redact.page_content import MupdfCopy, hide_all_but_content, restore_hidden
from mediakit.tools.pdf.pdf_redact.page_text import Box, MarkedPage, Place, mark, meet
from mediakit.tools.pdf.pdf_redact.scope import MAX_DEPTH
from mediakit.tools.pdf.pdf_redact.searching import MatchKind, Search
from mediakit.tools.pdf.pdf_redact.stream_text import texts_in


def matches_of(page: Object, search: Search) -> Iterator[Place]:
    """Return what is found in the texts and values of annotations of a page."""
    for annotation in dictionaries(page.get(Name.Annots)):
        box = corners(annotation.get(Name.Rect))
        if box is None:
            continue
        is_field = annotation.get(Name.Subtype) == Name.Widget
        keys = (Name.Contents, Name.Subj, Name.T)
        values = [inherited(annotation, Name.V)] if is_field else [annotation.get(key) for key in keys]
        texts = (text for value in values for each in items(value) or (value,) for text in texts_in(each))
        found: dict[tuple[MatchKind, str], None] = {}
        for text in texts:
            found |= dict.fromkeys((hit.kind, text[hit.start : hit.end]) for hit in search.find(text))
        yield from (Place(kind, text, [box]) for kind, text in found)


def remove_in_areas(page: Object, areas: Sequence[Box]) -> list[Object]:
    """Remove the annotations of a page that lie in areas, in whole or in part, and return them."""
    removed: list[Object] = []
    kept: list[Object] = []
    for item in items(page.get(Name.Annots)):
        box = corners(item.get(Name.Rect)) if isinstance(item, Dictionary) else None
        (removed if box and any(meet(box, area) for area in areas) else kept).append(item)
    if removed:
        gone = {item.objgen for item in removed if item.is_indirect}
        page.Annots = Array([item for item in kept if not _is_popup_of(item, gone)])
    return removed


def _is_popup_of(item: Object, annotations: set[tuple[int, int]]) -> bool:
    is_popup = isinstance(item, Dictionary) and item.get(Name.Subtype) == Name.Popup
    return is_popup and dictionary(item.get(Name.Parent)).objgen in annotations


def remove_fields(root: Object, widgets: Sequence[Object]) -> None:
    """Remove the fields of widgets, with their values."""
    gone = {widget.objgen for widget in widgets if widget.get(Name.Subtype) == Name.Widget}
    form = dictionary(root.get(Name.AcroForm))
    if gone and Name.Fields in form:
        form.Fields = Array(_kept(form.Fields, gone, 0))
        if Name.CO in form:
            form.CO = Array([item for item in items(form.CO) if item.objgen not in gone])


def _kept(fields: object, gone: set[tuple[int, int]], depth: int) -> list[Object]:
    kept: list[Object] = []
    for item in items(fields):
        if not isinstance(item, Dictionary) or item.objgen in gone:
            continue
        if Name.Kids in item and depth < MAX_DEPTH:
            kids = _kept(item.Kids, gone, depth + 1)
            if not kids:
                continue
            if len(kids) < len(item.Kids):
                item.Kids = Array(kids)
        kept.append(item)
    return kept


FORM = Name("/MediakitForm")
"""Key of the page of an appearance for the appearance itself."""

_SHOWS = (b"Tj", b"TJ", b"'", b'"', b"Do")


@dataclass(frozen=True)
class Look:
    """An appearance that shows text."""

    form: Stream
    owner: int
    """Index of the page that has the annotation."""
    box: Box
    """Rectangle of the annotation, in user space of its page."""


def looks_of(pdf: pikepdf.Pdf, selected: Iterable[int]) -> list[Look]:
    """Return the appearances that show text on the selected pages."""
    found = {
        form.objgen: Look(form, index, corners(annotation.get(Name.Rect)) or (0.0, 0.0, 0.0, 0.0))
        for index in selected
        for annotation in dictionaries(pdf.pages[index].obj.get(Name.Annots))
        for form in appearances(annotation)
    }
    looks = [look for look in found.values() if _shows_text(look.form)]
    for look in looks:
        if Name.Resources not in look.form:
            look.form.Resources = dictionary(dictionary(pdf.Root.get(Name.AcroForm)).get(Name.DR))
    return looks


def working_copy(pdf: pikepdf.Pdf, looks: Sequence[Look], password: str | None) -> MupdfCopy:
    """Return a working copy of a PDF, in which each appearance has a page of its own at the end."""
    count = len(pdf.pages)
    for look in looks:
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, 1, 1]),
            Resources=Dictionary(XObject=Dictionary(Fm0=look.form)),
            Contents=pdf.make_stream(b"/Fm0 Do"),
        )
        page[FORM] = look.form
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    hide_all_but_content(pdf)
    copy = MupdfCopy(save(pdf), password)
    restore_hidden(pdf)
    del pdf.pages[count:]
    return copy


def take_back(page: Object, areas: list[Box]) -> tuple[Object, list[Box]]:
    """Write the redacted content of a page of a working copy into its appearance.

    Returns:
        The appearance, and the areas in its own coordinates.
    """
    form = page[FORM]
    redacted = list(dictionary(dictionary(page.get(Name.Resources)).get(Name.XObject)).values())
    if redacted and redacted[0].objgen != form.objgen:
        form.write(redacted[0].read_bytes())
        if Name.Resources in redacted[0]:
            form.Resources = redacted[0].Resources
    elif not redacted:
        form.write(b"")
    try:
        inverse = form_matrix(form).inverse()
    except ValueError:
        inverse = Matrix()
    return form, [_moved(inverse, area) for area in areas]


def _shows_text(form: Stream) -> bool:
    try:
        content = form.read_bytes()
    except pikepdf.PdfError:
        return False
    return any(operator in content for operator in _SHOWS)


HALF = 0.5
"""Part of the letters of a page without a known character that makes its text unreliable."""


class Geometry:
    """Pages as they are seen, and their user space."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._to_user = [seen_matrix(page) for page in pdf.pages]
        self._to_seen = [matrix.inverse() for matrix in self._to_user]

    def user_box(self, index: int, box: Box) -> Box:
        """Return a box of a page as it is seen in its user space."""
        return _moved(self._to_user[index], box)

    def seen(self, index: int, box: Box) -> dict[str, float]:
        """Return the page and the edges of a box of user space as it is seen."""
        edges = (round(edge, 2) for edge in _moved(self._to_seen[index], box))
        return {"page": index + 1, **dict(zip(("x0", "y0", "x1", "y1"), edges, strict=True))}


def _moved(matrix: Matrix, box: Box) -> Box:
    moved = matrix.transform(Rectangle(*box))
    return float(moved.llx), float(moved.lly), float(moved.urx), float(moved.ury)


@dataclass
class Survey:
    """What was found on pages."""

    pages: dict[int, MarkedPage] = field(default_factory=dict)
    """Pages with something to remove, those of appearances too, by index."""
    annotations: dict[int, list[Place]] = field(default_factory=dict)
    without_text: list[int] = field(default_factory=list)
    unmapped: list[int] = field(default_factory=list)
    """Pages whose fonts do not say which characters most letters are."""

    def places(self, index: int) -> list[Place]:
        """Return where something was found on a page."""
        on_page = self.pages[index].places if index in self.pages else []
        return [*on_page, *self.annotations.get(index, ())]

    def touched(self, count: int) -> list[int]:
        """Return the indexes of the pages, of `count`, with something to remove."""
        return sorted(index for index in {*self.pages, *self.annotations} if index < count)

    def matches(self, geometry: Geometry, count: int) -> list[dict[str, Any]]:
        """Return the matches in the order of the pages."""
        return [
            {**geometry.seen(index, box), "kind": place.kind, "text": place.text}
            for index in self.touched(count)
            for place in self.places(index)
            for box in place.boxes
        ]


class Surveyor:
    """Finds matches in a working copy, and marks areas of the request (in user space, by index of the page)."""

    def __init__(self, copy: MupdfCopy, search: Search, areas: Mapping[int, Sequence[Box]]) -> None:
        self._copy, self._search, self._areas = copy, search, areas
        self.found = Survey()

    def run(self, source: Source, selected: Sequence[int], looks: Sequence[Look]) -> Survey:
        """Return what is found on selected pages, in areas and in annotations."""
        for index in sorted({*selected, *self._areas}):
            self._survey_page(index, is_selected=index in selected)
        for index in selected:
            if places := list(matches_of(source.pages[index], self._search)):
                self.found.annotations[index] = places
        for index, look in enumerate(looks, len(source.pages)):
            marked = mark(self._copy.read(index), self._search)
            if not marked:
                continue
            self.found.pages[index] = marked
            known = self.found.annotations.setdefault(look.owner, [])
            if not any(place.boxes == [look.box] for place in known):
                known += [Place(place.kind, place.text, [look.box]) for place in marked.places]
        return self.found

    def _survey_page(self, index: int, *, is_selected: bool) -> None:
        text = self._copy.read(index)
        if not text.has_letters and self._copy.is_drawing(index):
            self.found.without_text.append(index)
        elif text.unmapped > HALF * len(text.letters):
            self.found.unmapped.append(index)
        marked = mark(text, self._search) if is_selected else MarkedPage()
        for area in self._areas.get(index, ()):
            marked.add_area(area, text)
        if marked:
            self.found.pages[index] = marked
