"""What is found on the pages of a PDF, before anything is removed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Matrix, Rectangle

from mediakit.engines.pdf.geometry import seen_matrix
from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_redact.annotations import AnnotationMatch, matches_of
from mediakit.tools.pdf.pdf_redact.marked_page import MarkedPage, mark
from mediakit.tools.pdf.pdf_redact.marks import Box
from mediakit.tools.pdf.pdf_redact.mupdf_copy import MupdfCopy
from mediakit.tools.pdf.pdf_redact.request import Area, Match
from mediakit.tools.pdf.pdf_redact.scratch_pages import ScratchPage
from mediakit.tools.pdf.pdf_redact.searching import Finder
from mediakit.tools.pdf.pdf_redact.texts import Replacer

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
    replacer = Replacer(task.finder, "")
    for index in task.selected:
        if matches := list(matches_of(task.source.pages[index], replacer)):
            result.annotations[index] = matches
    for page in task.scratch:
        _survey_appearance(result, page, mark(task.copy.read(page.index), task.finder))
    for marked in result.pages.values():
        result.words |= marked.words
        result.patterns |= marked.patterns
    result.words |= replacer.words
    result.patterns |= replacer.patterns
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
