"""What is found on a page, and what is removed from it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mediakit.tools.pdf.pdf_redact.marks import Box, Letter, pieces
from mediakit.tools.pdf.pdf_redact.page_text import PageText, Reading
from mediakit.tools.pdf.pdf_redact.searching import Finder, MatchKind


@dataclass(frozen=True)
class Place:
    """A place of a page where something was found."""

    kind: MatchKind
    text: str
    boxes: Sequence[Box]


@dataclass
class MarkedPage:
    """Letters and areas to remove from a page."""

    letters: list[Letter] = field(default_factory=list)
    areas: list[Box] = field(default_factory=list)
    """Areas under which everything is removed, and which are filled."""
    places: list[Place] = field(default_factory=list)
    words: set[int] = field(default_factory=set)
    """Indexes of the words that were found."""
    patterns: set[int] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.letters or self.areas)

    def add_area(self, area: Box, read: PageText) -> None:
        """Mark an area and the letters that it covers by more than a fifth."""
        self.areas.append(area)
        self.letters += [letter for letter in read.letters if letter.is_covered(area)]


def mark(read: PageText, finder: Finder) -> MarkedPage:
    """Return what a finder finds on a page."""
    marked = MarkedPage()
    found = [each for reading in read.readings for each in _find(read, reading, finder, marked)]
    covered: list[tuple[MatchKind, frozenset[tuple[float, float]]]] = []
    for kind, text, letters in sorted(found, key=lambda each: -len(each[2])):
        centers = frozenset((round(x), round(y)) for x, y in (letter.center for letter in letters))
        boxes = pieces(letters)
        marked.letters += letters
        marked.areas += [box for box in boxes if box not in marked.areas]
        if not any(centers <= other for _, other in covered):
            covered.append((kind, centers))
            marked.places.append(Place(kind, text, boxes))
    marked.places.sort(key=lambda place: (-place.boxes[0][3], place.boxes[0][0]))
    return marked


def _find(
    read: PageText, reading: Reading, finder: Finder, marked: MarkedPage
) -> list[tuple[MatchKind, str, list[Letter]]]:
    found: list[tuple[MatchKind, str, list[Letter]]] = []
    for hit in finder.find(reading.text):
        indexes = dict.fromkeys(index for index in reading.letters[hit.start : hit.end] if index >= 0)
        letters = [read.letters[index] for index in indexes]
        if hit.kind in ("word", "pattern"):
            (marked.words if hit.kind == "word" else marked.patterns).add(hit.index)
        if letters:
            found.append((hit.kind, " ".join(reading.text[hit.start : hit.end].split()), letters))
    return found
