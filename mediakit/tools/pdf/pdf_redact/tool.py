"""The tool `pdf_redact`: its request, results and description."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, Field, model_validator
from typing_extensions import TypedDict

from mediakit.core import meta_schemas
from mediakit.core.fields import HexColor, Password
from mediakit.core.inputs import PdfFile
from mediakit.core.overloaded_tool import overloads
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, Wire, tool
from mediakit.display import ShownColumn, table_html
from mediakit.engines.guarded import LONG_PDF, run_guarded
from mediakit.engines.pdf import MadePdf
from mediakit.engines.pdf.page_ranges import PageRange
from mediakit.errors import NotConvertible
from mediakit.results.data import DataResult
from mediakit.results.files import PDF, PdfResult
from mediakit.results.result import Bundle, Result
from mediakit.samples import CONTRACT
from mediakit.tools.pdf.pdf_redact.searching import Kind, Query, compile_pattern

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
    words: (
        Annotated[list[Word], Field(min_length=1, max_length=100), Synonyms("text, texts, terms, word, find, search")]
        | None
    ) = None
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
    find_only: Annotated[bool, Synonyms("dry_run, preview")] = False
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


COLUMNS = ("page", "kind", "text", "x0", "y0", "x1", "y1")
"""Members of a match, in the order in which a notebook shows them."""


class Searched(Result):
    """What was found in a PDF."""

    @property
    def found(self) -> int:
        """Number of places on pages where something was found; one over two lines counts once."""
        return int(self.meta["found"])

    @property
    def matches(self) -> list[dict[str, Any]]:
        """Boxes of what was found: `page`, `x0`, `y0`, `x1`, `y1`, `kind`, and with `find_only` the `text`."""
        matches: list[dict[str, Any]] = self.meta["matches"]
        return matches

    def _count(self) -> str:
        return f"{self.found} {'match' if self.found == 1 else 'matches'}"

    def _gist(self) -> str:
        verified, missing = self.meta.get("verified"), ", ".join(self.meta.get("not_found", ()))
        parts = [
            self._facts(),
            self._count(),
            f"not found: {missing}" if missing else "",
            "" if verified is None else "verified" if verified else "not verified",
        ]
        return ", ".join(filter(None, parts))


class RedactedPdf(PdfResult, Searched):
    """A redacted PDF and what was found in it."""

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, {self._count()}>"


class PdfMatches(DataResult, Searched):
    """What was found in a PDF with `find_only`; there is no PDF, and `content` is JSON."""

    _wire = Wire(outputs=("json",))

    @property
    def pages(self) -> int:
        """Number of pages."""
        return int(self.meta["pages"])

    _gist = Searched._gist

    def _rows(self) -> Sequence[Mapping[str, Any]]:
        return self.matches

    def _bundle(self) -> Bundle:
        columns = [ShownColumn(name, "", is_right_aligned=name not in ("kind", "text")) for name in COLUMNS]
        rows = [[str(match[name]) for name in COLUMNS] for match in self.matches]
        return {"text/html": table_html(columns, rows, repr(self)[1:-1], len(rows))}, {}

    def __repr__(self) -> str:
        return f"<PdfMatches {self._count()}>"


DEADLINE_SECONDS = 90
"""Longer than the work may take, and a wait for a worker."""

NUMBER: Mapping[str, Any] = {"type": "number"}
PAGES: Mapping[str, Any] = {"type": "array", "items": {"type": "integer"}}

META: Mapping[str, meta_schemas.Schema] = {
    "pages": meta_schemas.integer("Number of pages.", 2),
    "found": meta_schemas.integer("Places on pages where something was found; one over two lines counts once.", 1),
    "matches": {
        "type": "array",
        "description": "The boxes of what was found, in points of the page as it is seen, from its top left corner.",
        "items": {
            "type": "object",
            "required": ["page", "x0", "y0", "x1", "y1", "kind"],
            "properties": {
                "page": {"type": "integer"},
                **dict.fromkeys(("x0", "y0", "x1", "y1"), NUMBER),
                "kind": {"type": "string", "enum": ["word", "pattern", *get_args(Kind)]},
                "text": {"type": "string", "description": "What was found; only with `find_only`."},
            },
        },
        "examples": [[{"page": 1, "x0": 72.0, "y0": 90.5, "x1": 140.2, "y1": 104.0, "kind": "word"}]],
    },
    "not_found": meta_schemas.texts("Words and patterns that are not in the PDF."),
    "pages_touched": {**PAGES, "description": "Pages from which something was removed.", "examples": [[1]]},
    "pages_as_images": {**PAGES, "description": "Pages that became images.", "examples": [[]]},
    "pages_without_text": {
        **PAGES,
        "description": "Pages that are images without text, such as scans: words cannot be found there.",
        "examples": [[]],
    },
    "verified": meta_schemas.optional(
        meta_schemas.boolean(
            "The result was read again in three ways, and nothing that was to be removed was found. If it is false, "
            "`warnings` names the places.",
            example=True,
        )
    ),
    "warnings": meta_schemas.texts("What was dropped, or may not be as expected."),
}


@overloads(RedactCall, RedactedPdf, SearchCall, PdfMatches)
@tool(
    PdfRedactRequest,
    tag="PDF",
    raw={PDF: "file"},
    produces=(PDF,),
    media_type_of=lambda values: "application/json" if values.get("find_only") else PDF,
    meta=META,
    errors=[NotConvertible],
    deadline_seconds=DEADLINE_SECONDS,
    licensed_packages={"PyMuPDF": ""},
    examples=[
        Example("A name and personal data", {"file": CONTRACT, "words": ["Nora Feldmann"], "kinds": ["email", "iban"]}),
        Example(
            "A pattern and an area, with a label",
            {
                "file": CONTRACT,
                "patterns": [r"EUR [\d,.]+"],
                "boxes": [{"page": 2, "x0": 60, "y0": 560, "x1": 300, "y1": 640}],
                "label": "REDACTED",
            },
        ),
        Example("Only find", {"file": CONTRACT, "kinds": ["phone", "email"], "find_only": True}),
    ],
)
async def pdf_redact(request: PdfRedactRequest) -> RedactedPdf | PdfMatches:
    """Remove words, personal data and areas from a PDF, and verify that they are gone.

    Content is removed, never merely covered: letters, the parts of vectors and the pixels of images under each box.
    The same words go from everything else in the file: annotations, form values, bookmarks, destinations, links, page
    labels, document information, tags, hidden layers, invisible text and scripts. Attachments, thumbnails and earlier
    revisions go as a whole. Then the result is read again by other libraries, and all its strings and streams are
    searched. A page on which anything is still found becomes an image, and if that does not help, the call fails and
    returns no file. `verified` is false if something is still found in other data, such as a font, or if a part of the
    file cannot be decoded; a warning names it. Letters that lie only partly in a box go if more than a fifth of them is
    in it. Annotations that lie in a box go as a whole.

    Raises:
        InvalidInput: The file is not a PDF, nothing is found in it, or something cannot be removed with certainty.
        NotConvertible: It took longer than 60 seconds.
    """
    work = "mediakit.tools.pdf.pdf_redact.redaction:redact"
    made = await run_guarded(work, request, returns=MadePdf, guard=LONG_PDF)
    if request.find_only:
        return PdfMatches(meta={"size_bytes": 0, **made.meta})
    return RedactedPdf(made.content, PDF, made.meta)
