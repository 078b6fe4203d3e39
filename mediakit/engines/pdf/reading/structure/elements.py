"""The parts of a document, as tags or the layout say, and the styled text in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pymupdf

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT
from mediakit.engines.pdf.letters.correcting import as_rows, corrected_lines, needs_correction
from mediakit.engines.pdf.letters.lines import style_of_name
from mediakit.engines.pdf.reading.pages import PLAIN, Line, PageLink, Shape
from mediakit.engines.pdf.tables import Span

SOFT_HYPHEN = "\u00ad"

AUTOMATIC_SHARE = 0.03
"""Share of the lines that end with a hyphen in a document that was hyphenated automatically, at least."""

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LAST = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_FIRST = re.compile(r"([^\W\d_]+)")
_BROKEN_CODE = re.compile(r"\w-\d")
"""The break in a code or a date, such as `A-` above `100`."""


class Hyphens:
    """Decides about hyphens by the other words of the document."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: set[str] = set()
        count = broken = 0
        for line in lines:
            text = line.strip()
            count += 1
            broken += bool(_LAST.search(text))
            self._words.update(word.casefold() for word in _WORD.findall(_LAST.sub("", text)))
        self._is_automatic = broken >= AUTOMATIC_SHARE * count and broken > 2

    def joined(self, before: str, after: str) -> str | None:
        """Return a line without its hyphen if its last word goes on on the line after it, else None."""
        if _BROKEN_CODE.search(before[-2:] + after[:1]):
            return before
        last, first = _LAST.search(before), _FIRST.match(after)
        if not last or not first:
            return None
        if before.endswith(SOFT_HYPHEN):
            return before[:-1]
        if not first[1][0].islower():
            return before
        start, end = last[1].casefold(), first[1].casefold()
        has_hyphen = f"{start}-{end}" in self._words or {start, end} <= self._words
        is_broken = start + end in self._words or (self._is_automatic and not has_hyphen)
        return before[:-1] if is_broken else before


STYLED = PLAIN | pymupdf.TEXT_COLLECT_STYLES

_STRUCK, _UNDERLINED = 1, 2
"""Bits of `char_flags`."""

RAISED = 0.15
"""Height above the baseline of the line, in sizes of the font, that makes a small run a superscript."""


@dataclass(slots=True)
class Run:
    """Text of one style."""

    text: str
    x0: float
    x1: float
    y: float
    """Baseline."""
    size: float
    bold: bool = False
    italic: bool = False
    mono: bool = False
    struck: bool = False
    script: str = ""
    """`sup` or `sub`, or empty."""
    url: str = ""
    """Address of the link; empty for none."""
    letters: Sequence[dict[str, Any]] = ()
    """MuPDF's dictionaries of its letters, on tagged pages with Hebrew or Arabic."""


@dataclass(slots=True)
class StyledLine(Line):
    """A line with its runs."""

    runs: list[Run] = field(default_factory=list)
    y: float = 0.0
    """Baseline."""
    page_runs_left: bool | None = None
    """Whether most letters of a tagged page with Hebrew or Arabic run to the left; None for other pages."""


def read_styled(text: pymupdf.TextPage, links: Sequence[PageLink]) -> tuple[list[StyledLine], list[Shape]]:
    """Return the lines of a page in the order in which they are drawn, and the shapes."""
    lines: list[StyledLine] = []
    shapes: list[Shape] = []
    for block in text.extractRAWDICT()["blocks"]:
        if block["type"] not in (0, 1):
            shapes.append(Shape(*block["bbox"]))
        for line in block.get("lines", ()):
            if styled := styled_line(line, links, len(lines)):
                lines.append(styled)
    if needs_correction(lines):
        lines = []
        for corrected in as_rows(corrected_lines(text)):
            if styled := styled_line(corrected.as_dict(), () if corrected.is_column else links, len(lines)):
                styled.is_column = corrected.is_column
                lines.append(styled)
    return lines, shapes


def styled_line(
    line: dict[str, Any], links: Sequence[PageLink], index: int, *, keeps_letters: bool = False
) -> StyledLine | None:
    """Return a line of MuPDF's dictionary, or None for one without text."""
    x0, y0, x1, y1 = line["bbox"]
    near = [link for link in links if link.y0 < y1 and link.y1 > y0 and link.x0 < x1 and link.x1 > x0]
    runs = [run for span in line["spans"] for run in _runs(span, near, keeps_letters=keeps_letters)]
    text = "".join(run.text for run in runs)
    if not text.strip():
        return None
    main = max(runs, key=lambda run: len(run.text.strip()))
    for run in runs:
        if run.size < 0.85 * main.size and abs(run.y - main.y) > RAISED * main.size:
            run.script = "sup" if run.y < main.y else "sub"
    return StyledLine(x0, y0, x1, y1, text, main.size, index, runs, main.y)


def _runs(span: dict[str, Any], links: Sequence[PageLink], *, keeps_letters: bool) -> Iterator[Run]:
    characters = span["chars"]
    if not characters:
        return
    flags = span["flags"]
    bold, italic, mono = style_of_name(span["font"])
    style = Run("", 0, 0, characters[0]["origin"][1], span["size"])
    style.bold = bool(flags & pymupdf.TEXT_FONT_BOLD) or bold
    style.italic = bool(flags & pymupdf.TEXT_FONT_ITALIC) or italic
    style.mono = bool(flags & pymupdf.TEXT_FONT_MONOSPACED) or mono
    style.struck = bool(span.get("char_flags", 0) & _STRUCK)
    start, url = 0, _url_at(characters[0]["bbox"], links)
    for position, character in enumerate(characters):
        here = url if not links else _url_at(character["bbox"], links)
        if here != url and character["c"].strip():
            yield _run(characters[start:position], style, url, keeps_letters=keeps_letters)
            start, url = position, here
    yield _run(characters[start:], style, url, keeps_letters=keeps_letters)


def _run(characters: Sequence[dict[str, Any]], style: Run, url: str, *, keeps_letters: bool) -> Run:
    text = "".join([character["c"] for character in characters]).replace("\u00a0", " ")
    ends = characters if RIGHT_TO_LEFT.search(text) else (characters[0], characters[-1])
    boxes = [character["bbox"] for character in ends]
    x0, x1 = min(box[0] for box in boxes), max(box[2] for box in boxes)
    return replace(style, text=text, x0=x0, x1=x1, url=url, letters=characters if keeps_letters else ())


def _url_at(box: tuple[float, float, float, float], links: Sequence[PageLink]) -> str:
    """Return the address of the link at the center of a box; empty for none."""
    if not links:
        return ""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return next((link.url or "" for link in links if link.x0 <= x <= link.x1 and link.y0 <= y <= link.y1), "")


def join_runs(lines: Iterable[Sequence[Run]], hyphens: Hyphens) -> list[Run]:
    """Return the runs of several lines as one line; words that hyphens break are whole again."""
    found: list[Run] = []
    for runs in lines:
        if found and runs:
            text, following = found[-1].text.rstrip(), "".join(run.text for run in runs).lstrip()
            joined = hyphens.joined(text, following)
            if joined is None:
                is_done = not text or not following or _are_ideographs(text[-1], following[0])
                joined = text if is_done else f"{text} "
            found[-1] = replace(found[-1], text=joined)
        found += runs
    return found


def _are_ideographs(*characters: str) -> bool:
    """Return whether characters are of scripts that have no spaces between words."""
    return all("\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\uffef" for character in characters)


@dataclass
class Paragraph:
    """A paragraph."""

    runs: list[Run]


@dataclass
class Heading:
    """A heading; its level is 1 to 6."""

    runs: list[Run]
    level: int


@dataclass
class Code:
    """A code block."""

    text: str


@dataclass
class Item:
    """An item of a list."""

    number: int | None = None
    """None for a bullet."""
    parts: list[Element] = field(default_factory=list)


@dataclass
class ListOf:
    """A list."""

    items: list[Item]


@dataclass
class Quote:
    """A block quote."""

    parts: list[Element]


@dataclass
class TableOf:
    """A table."""

    cells: list[list[list[Run] | None]]
    """Runs of each cell; None for a place that another cell covers."""
    header_rows: int = 0
    spans: list[Span] = field(default_factory=list)


@dataclass
class Figure:
    """A figure that is described by a text."""

    alt: str


Element = Paragraph | Heading | Code | ListOf | Quote | TableOf | Figure
