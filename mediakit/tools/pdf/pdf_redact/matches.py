"""Where matches are on the pages of a PDF, before anything is removed: in content, annotations and their appearances.

Appearances become pages of their own at the end of the working copy, where MuPDF can read and redact them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name, Object, Rectangle, Stream

from mediakit.engines.pdf.geometry import read_numbers, seen_matrix
from mediakit.engines.pdf.objects import appearances, dictionaries, dictionary, inherited, items
from mediakit.engines.pdf.opening import Source
from mediakit.tools.pdf.pdf_redact.page_content import MupdfCopy
from mediakit.tools.pdf.pdf_redact.page_text import Box, MarkedPage, mark, meet
from mediakit.tools.pdf.pdf_redact.scope import MAX_DEPTH
from mediakit.tools.pdf.pdf_redact.searching import Finder, MatchKind, Search
from mediakit.tools.pdf.pdf_redact.stream_text import texts_in
from mediakit.tools.pdf.pdf_redact.tool import Area, Match


@dataclass(frozen=True)
class AnnotationMatch:
    """Something that was found in an annotation."""

    kind: MatchKind
    text: str
    box: Box


def matches_of(page: Object, search: Search) -> Iterator[AnnotationMatch]:
    """Return what is found in the texts and values of annotations of a page."""
    for annotation in dictionaries(page.get(Name.Annots)):
        box = corners(annotation)
        if box is None:
            continue
        seen: set[tuple[MatchKind, str]] = set()
        for text in _texts(annotation):
            for hit in search.find(text):
                found = hit.kind, text[hit.start : hit.end]
                if found not in seen:
                    seen.add(found)
                    yield AnnotationMatch(*found, box)


def _texts(annotation: Object) -> Iterator[str]:
    is_field = annotation.get(Name.Subtype) == Name.Widget
    keys = (Name.V,) if is_field else (Name.Contents, Name.Subj, Name.T)
    for key in keys:
        value = inherited(annotation, key) if is_field else annotation.get(key)
        for each in items(value) or (value,):
            yield from texts_in(each)


def corners(annotation: Object) -> Box | None:
    """Return the rectangle of an annotation in user space."""
    numbers = read_numbers(annotation.get(Name.Rect))
    if len(numbers) != 4:
        return None
    left, bottom, right, top = numbers
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def remove_in_areas(page: Object, areas: Sequence[Box]) -> list[Object]:
    """Remove the annotations of a page that lie in areas, in whole or in part, and return them."""
    removed = [
        annotation
        for annotation in dictionaries(page.get(Name.Annots))
        if (box := corners(annotation)) and any(meet(box, area) for area in areas)
    ]
    if removed:
        gone = {annotation.objgen for annotation in removed}
        page.Annots = Array(
            [item for item in items(page.Annots) if not (isinstance(item, Dictionary) and _is_gone(item, gone, areas))]
        )
    return removed


def _is_gone(item: Object, gone: set[tuple[int, int]], areas: Sequence[Box]) -> bool:
    parent = item.get(Name.Parent)
    if item.get(Name.Subtype) == Name.Popup and isinstance(parent, Dictionary) and parent.objgen in gone:
        return True
    if item.is_indirect:
        return item.objgen in gone
    box = corners(item)
    return box is not None and any(meet(box, area) for area in areas)


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


HALF = 0.5
"""Part of the letters of a page without a known character that makes its text unreliable."""


class Geometry:
    """Pages as they are seen, and their user space."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._to_user = [seen_matrix(page) for page in pdf.pages]
        self._to_seen = [matrix.inverse() for matrix in self._to_user]

    def user_box(self, area: Area) -> Box:
        """Return an area in the user space of its page."""
        return _moved(self._to_user[area.page - 1], (area.x0, area.y0, area.x1, area.y1))

    def seen(self, index: int, box: Box) -> Area:
        """Return a box of user space as it is seen."""
        return Area(index + 1, *(round(edge, 2) for edge in _moved(self._to_seen[index], box)))


def _moved(matrix: Matrix, box: Box) -> Box:
    moved = matrix.transform(Rectangle(*box))
    return float(moved.llx), float(moved.lly), float(moved.urx), float(moved.ury)


@dataclass
class Survey:
    """What was found."""

    pages: dict[int, MarkedPage] = field(default_factory=dict)
    """Pages with something to remove, scratch pages too, by index."""
    annotations: dict[int, list[AnnotationMatch]] = field(default_factory=dict)
    words: set[int] = field(default_factory=set)
    patterns: set[int] = field(default_factory=set)
    without_text: list[int] = field(default_factory=list)
    unmapped: list[int] = field(default_factory=list)
    """Pages whose fonts do not say which characters most letters are."""

    def touched(self, count: int) -> list[int]:
        """Return the indexes of the pages, of `count`, with something to remove."""
        return sorted(index for index in {*self.pages, *self.annotations} if index < count)

    def found(self, count: int) -> int:
        """Return how many places of pages something was found in."""
        on_pages = sum(len(page.places) for index, page in self.pages.items() if index < count)
        return on_pages + sum(map(len, self.annotations.values()))

    def matches(self, geometry: Geometry, count: int) -> list[Match]:
        """Return the matches in the order of the pages."""
        found: list[Match] = []
        for index in self.touched(count):
            places = self.pages[index].places if index in self.pages else []
            found += [
                Match(geometry.seen(index, box), place.kind, place.text) for place in places for box in place.boxes
            ]
            for match in self.annotations.get(index, ()):
                found.append(Match(geometry.seen(index, match.box), match.kind, match.text))
        return found


@dataclass(frozen=True)
class Task:
    """A PDF, its working copy, and where to search."""

    source: Source
    copy: MupdfCopy
    finder: Finder
    selected: Sequence[int]
    """Indexes of the pages that are searched."""
    areas: dict[int, list[Box]]
    """Areas of the request in user space, by index of the page."""
    scratch: list[ScratchPage]
    """Appearances in the working copy."""


def survey(task: Task) -> Survey:
    """Return what is found on selected pages, in areas and in annotations."""
    result = Survey()
    for index in sorted({*task.selected, *task.areas}):
        _survey_page(result, task, index)
    search = Search(task.finder)
    for index in task.selected:
        if matches := list(matches_of(task.source.pages[index], search)):
            result.annotations[index] = matches
    for page in task.scratch:
        _survey_appearance(result, page, mark(task.copy.read(page.index), task.finder))
    for marked in result.pages.values():
        result.words |= marked.words
        result.patterns |= marked.patterns
    result.words |= search.words
    result.patterns |= search.patterns
    return result


def _survey_page(result: Survey, task: Task, index: int) -> None:
    text = task.copy.read(index)
    if not text.has_letters and task.copy.is_drawing(index):
        result.without_text.append(index)
    elif text.unmapped > HALF * len(text.letters):
        result.unmapped.append(index)
    marked = mark(text, task.finder) if index in task.selected else MarkedPage()
    for area in task.areas.get(index, ()):
        marked.add_area(area, text)
    if marked:
        result.pages[index] = marked


def _survey_appearance(result: Survey, page: ScratchPage, marked: MarkedPage) -> None:
    if not marked:
        return
    result.pages[page.index] = marked
    known = result.annotations.setdefault(page.owner, [])
    if not any(match.box == page.box for match in known):
        known += [AnnotationMatch(place.kind, place.text, page.box) for place in marked.places]
