"""`TextResult`: a repaired text."""

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from mediakit.core.tool import Wire
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult
from mediakit.results.item import field
from mediakit.tools.files.text_repair.changes import ChangeKind

MAX_INLINE_CHARACTERS = 1_000_000
"""Characters of a text up to which the JSON response has it as `text`."""

MEDIA_TYPE = "text/plain; charset=utf-8"

Count = Annotated[int, Field(ge=0)]


class Alternative(TypedDict):
    """Another charset that the file may have."""

    encoding: str
    sample: str
    """A line of the text that differs."""


class Newlines(TypedDict):
    """Number of line breaks of each kind."""

    lf: Count
    crlf: Count
    cr: Count


class ListedChange(TypedDict):
    """A change to the text."""

    kind: ChangeKind
    before: str
    after: str
    line: Annotated[int, Field(ge=1)]
    """Number of the line, from 1."""


class TextResult(DataResult):
    """A repaired text as a UTF-8 file. `str(result)` is the text."""

    _wire = Wire(outputs=("json", "binary", "url"), sends_file=True)
    _view = "mediakit.tools.files.text_repair.notebook_view:bundle"

    made: FileResult
    """The text as a UTF-8 file."""
    text: Annotated[str, Field(examples=["Café Müller\n"])] = field(metadata={"optional": True})
    """The text, up to 1,000,000 characters."""
    encoding: Annotated[str | None, Field(examples=["windows-1252"])]
    """Registered name of the charset in lower case; null for text."""
    confidence: Annotated[float | None, Field(ge=0, le=1, examples=[0.94])]
    """How certain the charset is, 0 to 1; null for text."""
    language: Annotated[str | None, Field(examples=["es"])]
    """ISO 639-1, where it was detected."""
    alternatives: Annotated[list[Alternative], Field(examples=[[{"encoding": "macintosh", "sample": "MÈrida"}]])]
    """At most three further charsets whose text differs, with a line of it."""
    had_bom: bool
    """Whether the text began with a byte order mark."""
    newlines: Annotated[Newlines, Field(examples=[{"lf": 0, "crlf": 4, "cr": 0}])]
    """Line breaks of the input."""
    changes: Annotated[
        list[ListedChange], Field(examples=[[{"kind": "encoding", "before": "CafÃ©", "after": "Café", "line": 1}]])
    ]
    """The first 100 changes."""
    replaced: Annotated[Count, Field(examples=[0])]
    """Bytes that are not valid in the given encoding."""
    bidi_controls: Annotated[Count, Field(examples=[0])]
    """Controls of the writing direction in the input."""

    @property
    def filename(self) -> str:
        """Name of the file."""
        return self.made.filename

    def _absent(self) -> frozenset[str]:
        return frozenset(("text",) if len(self.text) > MAX_INLINE_CHARACTERS else ())

    @classmethod
    def _received(cls, values: dict[str, Any]) -> dict[str, Any]:
        return {"text": values["made"].text, **values}

    def _facts(self) -> str:
        return f"{len(self.text):,} {'character' if len(self.text) == 1 else 'characters'}"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        source = f"from {self.encoding}" if self.encoding else "from text"
        count = len(self.changes)
        return f"<TextResult {self._facts()} {source}, {count} {'change' if count == 1 else 'changes'}>"
