"""Letters of a page, and the lines that they make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pymupdf

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in points, y down."""


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
    def width(self) -> float:
        """Width in points."""
        return max(letter.x1 for letter in self.letters) - min(letter.x0 for letter in self.letters)

    @property
    def height(self) -> float:
        """Height in points."""
        return max(letter.y1 for letter in self.letters) - min(letter.y0 for letter in self.letters)

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
        spans = [
            {**letters[0].span, "chars": [_as_dict(letter) for letter in letters]}
            for letters in ([*group] for _, group in groupby(self.letters, lambda letter: _style(letter.span)))
        ]
        return {"bbox": self.box, "dir": self.direction, "spans": spans}


def box_of(letters: Sequence[Letter]) -> Box:
    """Return the box around letters."""
    return (
        min([letter.x0 for letter in letters]),
        min([letter.y0 for letter in letters]),
        max([letter.x1 for letter in letters]),
        max([letter.y1 for letter in letters]),
    )


def trimmed_letters(letters: Sequence[Letter]) -> list[Letter]:
    """Return letters without the spaces at both ends."""
    places = [place for place, letter in enumerate(letters) if not letter.text.isspace()]
    return list(letters[places[0] : places[-1] + 1]) if places else []


def read_letters(text: pymupdf.TextPage) -> list[LetterLine]:
    """Return the lines of a page that have text, as MuPDF orders them."""
    found: list[LetterLine] = []
    for block in text.extractRAWDICT()["blocks"]:
        for line in block.get("lines", ()):
            read = LetterLine(
                block["number"], tuple(line["dir"]), list(_letters(line)), len(found), writes_down=line["wmode"] == 1
            )
            if read.text.strip():
                found.append(read)
    return found


def _letters(line: dict[str, Any]) -> Iterator[Letter]:
    for span in line["spans"]:
        style = {name: value for name, value in span.items() if name != "chars"}
        for char in span["chars"]:
            x0, y0, x1, y1 = char["bbox"]
            yield Letter(char["c"], x0, y0, x1, y1, tuple(char["origin"]), style, char["synthetic"])


def _as_dict(letter: Letter) -> dict[str, Any]:
    return {"c": letter.text, "bbox": (letter.x0, letter.y0, letter.x1, letter.y1), "origin": letter.origin}


def _style(span: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(span.get(name) for name in ("font", "size", "flags", "char_flags", "color"))
