"""Letters of a page, the lines that they make, and spaces between their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby, pairwise
from statistics import quantiles
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pymupdf

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in points, y down."""


_SUBSET = re.compile(r"^[A-Z]{6}\+")
_MONO = re.compile(
    r"mono|courier|consol|menlo|typewriter|inconsolata|fixed|terminal|sourcecode|firacode|cmtt|lettergothic"
)
_BOLD = re.compile(r"bold|black|heavy|semibold|demi|cmbx|(?<=[-,])(?:bd|b)$")
_ITALIC = re.compile(r"italic|oblique|slanted|cmti|cmsl|(?<=[-,])(?:it|i|bi)$")


STYLE = ("font", "size", "flags", "char_flags", "color")
"""Entries of MuPDF's dictionary of a span by which spans of letters are told apart."""


@dataclass(slots=True)
class Letter:
    """A letter, and the place of its advance."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    origin: tuple[float, float]
    """Where its baseline begins."""
    span: dict[str, Any] = field(repr=False)
    """Style, as MuPDF's dictionary of a span without its letters."""
    is_added: bool = False
    """Whether it is a space that MuPDF adds where letters are apart."""

    @property
    def size(self) -> float:
        """Size of the font in points."""
        return float(self.span["size"])

    @property
    def center(self) -> tuple[float, float]:
        """Center of the box."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


@dataclass(slots=True)
class LetterLine:
    """Letters in the order in which they are read."""

    block: int
    """Number of the paragraph that MuPDF sees it in."""
    direction: tuple[float, float]
    """Direction of the baseline; (1, 0) runs to the right."""
    letters: list[Letter]
    number: int
    """Number of the first of its parts among MuPDF's lines that have text, from 0."""
    is_changed: bool = False
    """Whether it is other than MuPDF's line."""
    writes_down: bool = False
    """Whether its font writes from top to bottom."""
    is_column: bool = False
    """Whether it is a column that is read downwards."""

    @property
    def text(self) -> str:
        """The letters."""
        return "".join([letter.text for letter in self.letters])

    @property
    def is_level(self) -> bool:
        """Whether it runs to the right or to the left."""
        return abs(self.direction[1]) < 0.01

    @property
    def box(self) -> Box:
        """The box around all letters."""
        return box_of(self.letters)

    @property
    def baseline(self) -> float:
        """Height of the baseline of the first letter."""
        return self.letters[0].origin[1]

    def words(self) -> list[list[Letter]]:
        """Return the letters between spaces."""
        groups = groupby(self.letters, lambda letter: letter.text.isspace())
        return [list(letters) for is_space, letters in groups if not is_space]

    def as_dict(self) -> dict[str, Any]:
        """Return the line as MuPDF's dictionary with letters has it."""
        spans = []
        for _, group in groupby(self.letters, lambda letter: [letter.span.get(name) for name in STYLE]):
            letters = list(group)
            chars = [
                {"c": each.text, "bbox": (each.x0, each.y0, each.x1, each.y1), "origin": each.origin}
                for each in letters
            ]
            spans.append({**letters[0].span, "chars": chars})
        return {"bbox": self.box, "dir": self.direction, "spans": spans}


def box_of(letters: Sequence[Letter]) -> Box:
    """Return the box around letters."""
    return (
        min([letter.x0 for letter in letters]),
        min([letter.y0 for letter in letters]),
        max([letter.x1 for letter in letters]),
        max([letter.y1 for letter in letters]),
    )


@cache
def style_of_name(font: str) -> tuple[bool, bool, bool]:
    """Return whether the name of a font is that of a bold, an italic and a fixed-width one."""
    name = _SUBSET.sub("", font).lower()
    return bool(_BOLD.search(name)), bool(_ITALIC.search(name)), bool(_MONO.search(name))


def trimmed_letters(letters: Sequence[Letter]) -> list[Letter]:
    """Return letters without the spaces at both ends."""
    places = [place for place, letter in enumerate(letters) if not letter.text.isspace()]
    return list(letters[places[0] : places[-1] + 1]) if places else []


def read_letters(text: pymupdf.TextPage) -> list[LetterLine]:
    """Return the lines of a page that have text, as MuPDF orders them."""
    found: list[LetterLine] = []
    for block in text.extractRAWDICT()["blocks"]:
        for line in block.get("lines", ()):
            letters = []
            for span in line["spans"]:
                style = {name: value for name, value in span.items() if name != "chars"}
                for char in span["chars"]:
                    x0, y0, x1, y1 = char["bbox"]
                    letters.append(Letter(char["c"], x0, y0, x1, y1, tuple(char["origin"]), style, char["synthetic"]))
            writes_down = line["wmode"] == 1
            read = LetterLine(block["number"], tuple(line["dir"]), letters, len(found), writes_down=writes_down)
            if read.text.strip():
                found.append(read)
    return found


SPACE_EMS = 0.1
"""Least distance between two words beyond that of letters, in sizes of the font."""

FEWEST_GAPS = 3
"""Distances in a line that show how far apart its letters are."""

SPACED = re.compile(
    "[\u10a0-\u11ff\u1200-\u137f\u13a0-\u16ff\u1e00-\u1fff\u2d00-\u2ddf\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]"
)
"""Letters of scripts with spaces between words beyond those of which MuPDF knows it, without scripts whose marks move
letters: Hangul, Georgian, Ethiopic, Cherokee, Latin and Greek with several accents."""

LETTER_SPACED = re.compile(r"(?<!\S)[^\W_](?:[^\S\n]+[^\W_]){3,}(?!\S)")
"""Single letters with spaces between them: a word with letter spacing, or letters that stand for themselves."""

SPREAD_EMS = 0.15
"""Difference of the distances of letters of a word with letter spacing, in sizes of the font."""

WORD_EMS = 0.2
"""Least distance of two words beyond that of their letters, in sizes of the font."""

FEWEST_TYPED = 6
"""Letters of a word with typed spaces between them: fewer may be initials, or marks in a list."""

FEWEST_DIGITS, FURTHEST_EMS = 9, 1.3
"""Digits of a number with letter spacing, as fewer may be cells, and the largest distance of its letters."""


def with_spaces(lines: Sequence[LetterLine]) -> None:
    """Add spaces where letters are further apart than the letters of words."""
    usual = _lower_quartile([gap for line in lines if line.is_level for gap in _gaps(line.letters)])
    for line in lines:
        if not line.is_level:
            continue
        gaps = _gaps(line.letters)
        own = _lower_quartile(gaps) if len(gaps) >= FEWEST_GAPS else usual
        least = max(0.0, own) + SPACE_EMS
        letters = line.letters[:1]
        for before, letter in pairwise(line.letters):
            if _may_be_apart(before, letter) and _gap(before, letter) > least:
                letters.append(space_between(before, letter))
            letters.append(letter)
        line.is_changed |= len(letters) > len(line.letters)
        line.letters = letters


def without_letter_spacing(lines: Sequence[LetterLine]) -> None:
    """Remove spaces between the letters of words that are set apart, such as `N o t e`."""
    for line in lines:
        if line.is_level and LETTER_SPACED.search(line.text):
            inner = inner_spaces(line.letters)
            line.is_changed |= bool(inner)
            line.letters = [letter for place, letter in enumerate(line.letters) if place not in inner]


def inner_spaces(letters: Sequence[Letter]) -> set[int]:
    """Return the places of spaces that are between letters of a word, in the letters of a line.

    As in poppler, letters that are all at the same distance, or one step apart, are one word.
    """
    found: set[int] = set()
    for run in LETTER_SPACED.finditer("".join(letter.text[:1] or "\N{NO-BREAK SPACE}" for letter in letters)):
        places = [place for place in range(*run.span()) if not letters[place].text.isspace()]
        pairs = list(pairwise(places))
        gaps = [_gap(letters[before], letters[after]) for before, after in pairs]
        is_typed = [not all(letter.is_added for letter in letters[before + 1 : after]) for before, after in pairs]
        added = [gap for gap, typed in zip(gaps, is_typed, strict=True) if not typed]
        usual = _lower_quartile(added or gaps)
        is_stepped = _spread([letters[after].x0 - letters[before].x0 for before, after in pairs]) < (
            SPREAD_EMS * letters[places[0]].size
        )
        is_word_end = [
            not is_stepped and (gap > usual + max(WORD_EMS, 0.4 * usual) or (bool(added) and typed))
            for gap, typed in zip(gaps, is_typed, strict=True)
        ]
        inner = [gap for gap, ends in zip(gaps, is_word_end, strict=True) if not ends]
        is_even = is_stepped or _spread(inner) <= SPREAD_EMS
        text = "".join(letters[place].text for place in places)
        if (
            is_even
            and len(inner) >= FEWEST_GAPS
            and max(inner) <= FURTHEST_EMS
            and _is_word(text, is_added=bool(added))
        ):
            for (before, after), ends in zip(pairs, is_word_end, strict=True):
                found.update(() if ends else range(before + 1, after))
    return found


def _is_word(text: str, *, is_added: bool) -> bool:
    """Return whether letters that are set apart are words; added spaces mean that they are only apart on the page."""
    if text.isdecimal():
        return is_added and len(text) >= FEWEST_DIGITS
    is_sequence = all(ord(after) - ord(before) == 1 for before, after in pairwise(text))
    return not is_sequence and (is_added or len(text) >= FEWEST_TYPED)


def _spread(values: Sequence[float]) -> float:
    return max(values, default=0.0) - min(values, default=0.0)


def space_between(before: Letter, letter: Letter) -> Letter:
    """Return a space in the place between two letters."""
    x0, x1 = sorted((min(before.x1, letter.x1), max(before.x0, letter.x0)))
    return Letter(" ", x0, before.y0, x1, before.y1, (x0, before.origin[1]), before.span)


def _gaps(letters: Sequence[Letter]) -> list[float]:
    return [_gap(before, letter) for before, letter in pairwise(letters) if _may_be_apart(before, letter)]


def _gap(before: Letter, letter: Letter) -> float:
    """Return the distance of two letters in sizes of the font."""
    return (letter.x0 - before.x1) / max(before.size, letter.size, 0.1)


def _may_be_apart(before: Letter, letter: Letter) -> bool:
    is_spaced = SPACED.match(before.text) or SPACED.match(letter.text)
    return bool(is_spaced) and not before.text.isspace() and not letter.text.isspace()


def _lower_quartile(gaps: Sequence[float]) -> float:
    if len(gaps) < 2:
        return 0.0 if not gaps else min(0.0, gaps[0])
    return quantiles(gaps, n=4, method="inclusive")[0]


LETTER_EMS = 0.15
"""Distance of two equal letters that are one, in sizes of the font; the narrowest letters are .2 wide."""

WIDTH_SHARE = 0.6
"""That distance across, at most, as a share of the letter's width: letters without width are not compared."""

LINE_EMS = 0.4
"""Distance of a line of text from its shadow, in sizes of the font."""

SEEN_SHARE = 0.5
"""Share of the letters of a word that are seen before, where it is drawn twice: half of them if each letter is."""

FEWEST_LETTERS = 3
"""Letters of a line that may be a shadow."""

MOST_COMPARED = 50
"""Lines of the same text that a line is compared with."""


def without_doubles(lines: Sequence[LetterLine]) -> list[LetterLine]:
    """Return the lines without the letters that are drawn again in the same place, or beside it as a shadow."""
    seen: dict[tuple[str, int, int, int], Letter] = {}
    same: dict[str, list[LetterLine]] = {}
    kept: list[LetterLine] = []
    for line in lines:
        others = same.setdefault(line.text.strip(), [])
        if any(_is_shadow(line, other) for other in others[-MOST_COMPARED:]):
            continue
        others.append(line)
        again = {id(letter) for letter in line.letters if _is_seen(letter, seen)}
        for word in line.words() if again else ():  # words, or the halves of words, are seen again
            places = {id(letter) for letter in word}
            if len(again & places) < SEEN_SHARE * len(places):
                again -= places
        if not again:
            kept.append(line)
        elif trimmed := trimmed_letters([letter for letter in line.letters if id(letter) not in again]):
            kept.append(replace(line, letters=trimmed, is_changed=True))
    return kept


def _is_seen(letter: Letter, seen: dict[tuple[str, int, int, int], Letter]) -> bool:
    """Return whether an equal letter has been seen in the place of a letter, and note it if not."""
    cell = max(0.5, LETTER_EMS * round(letter.size))
    column, row, size = int(letter.x0 // cell), int(letter.origin[1] // cell), round(letter.size)
    near = (seen.get((letter.text, size, column + i, row + j)) for i in (0, -1, 1) for j in (0, -1, 1))
    reach = min(cell, WIDTH_SHARE * (letter.x1 - letter.x0))
    if any(other and abs(other.x0 - letter.x0) < reach and abs(other.y0 - letter.y0) < cell for other in near):
        return True
    seen[letter.text, size, column, row] = letter
    return False


def _is_shadow(line: LetterLine, other: LetterLine) -> bool:
    """Return whether a line has its place a little beside another line of the same text."""
    reach = LINE_EMS * line.letters[0].size
    x0, y0, x1, _ = line.box
    left, top, right, _ = other.box
    return len(line.letters) >= FEWEST_LETTERS and max(abs(x0 - left), abs(y0 - top), abs(x1 - right)) < reach
