"""The request of `pdf_redact`."""

from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from typing_extensions import TypedDict

from mediakit.core.fields import HexColor, Password
from mediakit.core.inputs import PdfFile
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.pdf.request_fields import PageRange
from mediakit.tools.pdf.pdf_redact.kinds import Kind
from mediakit.tools.pdf.pdf_redact.searching import MatchKind, Query, compile_pattern

MAX_COORDINATE = 200_000


def _check_word(word: str) -> str:
    if not word.strip():
        raise ValueError("must not be blank.")
    return word


def _check_pattern(pattern: str) -> str:
    compile_pattern(pattern)
    return pattern


def _check_label(label: str) -> str:
    if any(ord(character) < 32 for character in label):
        raise ValueError("must be one line of text without control characters.")
    return label.strip()


Word = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_check_word)]
Pattern = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_check_pattern)]
Coordinate = Annotated[float, Field(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]


class Box(TypedDict):
    """A rectangle of a page as it is seen: origin top left, y down, points of 1/72 inch."""

    page: Annotated[int, Field(ge=1)]
    """Page number, from 1."""
    x0: Coordinate
    """Left edge."""
    y0: Coordinate
    """Upper edge."""
    x1: Coordinate
    """Right edge."""
    y1: Coordinate
    """Lower edge."""


def _check_box(box: Box) -> Box:
    if box["x1"] <= box["x0"] or box["y1"] <= box["y0"]:
        raise ValueError("x1 must be greater than x0, and y1 greater than y0.")
    return box


@request
class PdfRedactRequest:
    """A PDF, and what to remove from it."""

    file: PdfFile
    """The PDF."""
    words: Annotated[list[Word], Field(min_length=1, max_length=100), Synonyms("text, texts, terms, word")] | None = (
        None
    )
    """Words to remove. They are found across line ends, hyphenation, ligatures, fonts and accents of any form."""
    _: KW_ONLY
    patterns: (
        Annotated[list[Pattern], Field(min_length=1, max_length=20), Synonyms("regex, regexes, pattern")] | None
    ) = None
    """Regular expressions to remove, in the syntax of RE2; they are case-sensitive unless they begin with `(?i)`."""
    kinds: Annotated[list[Kind], Field(min_length=1, max_length=6), Synonyms("types, pii, kind")] | None = None
    """Kinds of personal data to remove; those with check digits (`iban`, `card`) are verified."""
    boxes: (
        Annotated[
            list[Annotated[Box, AfterValidator(_check_box)]],
            Field(min_length=1, max_length=500),
            Synonyms("areas, rects, regions"),
        ]
        | None
    ) = None
    """Areas to remove, of pages as they are seen: `page`, and `x0`, `y0`, `x1`, `y1` in points from the top left."""
    pages: PageRange | None = None
    """Pages to search, such as `1-3,5` or `7-`; default: all. Boxes name their own pages."""
    match_case: Annotated[bool, Synonyms("case_sensitive, ignore_case")] = False
    """Find words only in the same case."""
    whole_words: bool = False
    """Find words only if no letter or digit stands before or after them."""
    fill: Annotated[HexColor, Synonyms("color, colour, background")] = "#000000"
    """Color of the areas from which content was removed."""
    label: Annotated[str, Field(max_length=20), AfterValidator(_check_label)] | None = None
    """Text on each area, in black or white, whichever is easier to read; for example `REDACTED`."""
    mode: Literal["text", "image"] = "text"
    """`text` removes letters, vectors and pixels, and the rest stays text; `image` turns the pages with something to
    remove into images of 200 dpi with an invisible layer of the remaining text."""
    find_only: Annotated[bool, Synonyms("dry_run, search, preview")] = False
    """Return only the matches, with their text and boxes, and no PDF."""
    password: Password | None = None
    """Password of an encrypted PDF."""

    @model_validator(mode="after")
    def _check_request(self) -> Self:
        if not (self.words or self.patterns or self.kinds or self.boxes):
            raise ValueError("words: at least one of words, patterns, kinds and boxes is required.")
        return self

    @property
    def query(self) -> Query:
        """The words, patterns and kinds to find."""
        return Query(
            tuple(self.words or ()),
            tuple(self.patterns or ()),
            tuple(self.kinds or ()),
            match_case=self.match_case,
            whole_words=self.whole_words,
        )


@request
class RedactCall(PdfRedactRequest):
    """Arguments of calls that return a PDF, for type checkers."""

    _: KW_ONLY
    find_only: Literal[False] = False


@request
class SearchCall(PdfRedactRequest):
    """Arguments of calls that only find, for type checkers."""

    _: KW_ONLY
    find_only: Literal[True]


@dataclass(frozen=True)
class Area:
    """A rectangle of a page as it is seen: origin top left, y down, points."""

    page: int
    """Page number, from 1."""
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class Match:
    """Where something was found; a match over two lines is two of them."""

    area: Area
    kind: MatchKind
    text: str = field(repr=False)


@dataclass(frozen=True)
class Redacted:
    """What a worker returns."""

    content: bytes = field(repr=False)
    """The PDF; empty if matches were only searched."""
    pages: int
    found: int
    """Places on pages; one over two lines counts once."""
    matches: list[Match]
    not_found: list[str]
    pages_touched: list[int]
    pages_as_images: list[int]
    pages_without_text: list[int]
    verified: bool
    """Whether nothing of what was to be removed is found in the result, by any of the readings."""
    warnings: list[str]
