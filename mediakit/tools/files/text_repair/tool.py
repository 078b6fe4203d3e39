"""`text_repair`: converts text of any charset to clean UTF-8, and repairs text that was decoded with the wrong one."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from html import escape
from pathlib import PurePath
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator
from typing_extensions import TypedDict

from mediakit.core import meta_schemas
from mediakit.core.inputs import File, existing_path, file_of
from mediakit.core.media import type_of
from mediakit.core.messages import counted
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import TextInput, TextRule, text_of
from mediakit.core.tool import Example, Wire, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult
from mediakit.results.item import field
from mediakit.results.result import Bundle
from mediakit.samples import CITIES

Fix = Literal["auto", "none", "always"]
Newline = Literal["lf", "crlf", "keep"]
Unicode = Literal["keep", "nfc", "nfkc"]
ChangeKind = Literal["encoding", "control", "unicode", "quotes", "trim"]

MAX_TEXT_CHARACTERS = 5_000_000

MAX_INLINE_CHARACTERS = 1_000_000
"""Characters of a text up to which the JSON response has it as `text`."""

MEDIA_TYPE = "text/plain; charset=utf-8"

Count = Annotated[int, Field(ge=0)]

META: Mapping[str, meta_schemas.Schema] = {
    "warnings": meta_schemas.texts("What may not be as expected, such as an uncertain charset."),
}

MAX_SHOWN_CHARACTERS = 20_000

_BOX = (
    "max-width:56em;border:1px solid rgba(128,128,128,.35);border-radius:8px;padding:12px 16px;"
    "font:13px/1.5 system-ui,sans-serif;color:inherit"
)
_SOFT = "opacity:.7"
_TEXT = (
    "max-height:30em;overflow:auto;margin:10px 0 0;padding:10px 0 0;border:0;"
    "border-top:1px solid rgba(128,128,128,.25);"
    "white-space:pre-wrap;overflow-wrap:anywhere;background:none;color:inherit;font:13px/1.6 ui-monospace,monospace"
)
_MARK = "background:rgba(34,160,90,.22);color:inherit;border-radius:3px;padding:0 1px"
_REMOVED = "background:rgba(217,60,60,.18);color:inherit;border-radius:3px;padding:0 3px;font-size:11px"
_WARNING = "margin:8px 0 0;padding:6px 12px;border-left:3px solid #d97706;background:rgba(217,119,6,.1)"


@request
class TextRepairRequest:
    """A text, and what to repair."""

    file: File | None = None
    """A text file in any charset. Provide either `file` or `text`."""
    _: KW_ONLY
    text: Annotated[TextInput, TextRule("text"), Field(min_length=1, max_length=MAX_TEXT_CHARACTERS)] | None = None
    """Text that was decoded with the wrong charset, such as `CafÃ©`, up to 5,000,000 characters."""
    encoding: Annotated[str, Field(min_length=1, max_length=40), Synonyms("charset, codec")] = "auto"
    """Charset of the file: `auto` detects it; or a name such as `windows-1252`. Requires `file`."""
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")] | None = None
    """Language of the text (ISO 639-1, such as `pl`), to decide between charsets that are as likely."""
    fix: Fix = "auto"
    """Repair of text that was decoded with the wrong charset: `auto` only where it is certain, `always` also where it
    is merely possible, as with two charsets of the same script, `none`. With an `encoding`, `always` replaces bytes
    that are not valid in it."""
    newline: Annotated[
        Newline, Synonyms("line_ending, line_endings, eol", {"lf": "unix, linux", "crlf": "windows, dos"})
    ] = "lf"
    """Line breaks of the result."""
    bom: bool = False
    """Begin the file with a byte order mark, by which Excel recognizes UTF-8."""
    unicode: Unicode = "keep"
    """Unicode normalization: `nfc` composes letters and accents, `nfkc` replaces compatibility characters as well."""
    quotes: Literal["keep", "straight"] = "keep"
    """`straight` replaces typographic quotes by `"` and `'`."""
    controls: Literal["remove", "keep"] = "remove"
    """`remove` deletes control characters other than tabs and line breaks, zero-width characters and overrides of the
    writing direction."""
    trim: bool = False
    """Delete spaces and tabs at the ends of lines."""

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.file is None) == (self.text is None):
            raise ValueError("file, text: provide exactly one of the two.")
        if self.text is not None and self.encoding != "auto":
            raise ValueError("encoding: requires file; text is decoded already.")
        if self.text is not None and self.language is not None:
            raise ValueError("language: requires file; text is decoded already.")
        return self

    @property
    def field(self) -> str:
        """The field that has the text."""
        return "file" if self.text is None else "text"

    @property
    def filename(self) -> str:
        """Name of the repaired file."""
        name = file_of(self.file).name if self.file is not None else ""
        return name or "text.txt"

    @property
    def content(self) -> bytes | str:
        """The bytes of a file, or text that is decoded already."""
        return text_of(self.text or "") if self.file is None else file_of(self.file)


@dataclass(frozen=True)
class Repaired:
    """What a worker returns: a repaired text, and what is reported of it."""

    content: bytes
    """UTF-8."""
    fields: dict[str, Any]
    warnings: list[str]


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
        return counted(len(self.text), "character")

    def _bundle(self) -> Bundle:
        return {"text/html": _text_html(self)}, {}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        source = f"from {self.encoding}" if self.encoding else "from text"
        return f"<TextResult {self._facts()} {source}, {counted(len(self.changes), 'change')}>"


def _adapted(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a Python call: a text in place of the file is the text itself, unless it names a file."""
    file = values.get("file")
    if not isinstance(file, str) or values.get("text") is not None or file.startswith("data:"):
        return dict(values)
    is_name = not any(sign.isspace() for sign in file) and type_of(PurePath(file)) is not None
    if is_name or existing_path(file):
        return dict(values)
    return {**{name: value for name, value in values.items() if name != "file"}, "text": file}


@tool(
    TextRepairRequest,
    tag="Files",
    raw={"text/plain": "file", "text/*": "file", "application/octet-stream": "file"},
    produces=(MEDIA_TYPE,),
    meta=META,
    errors=[NotConvertible],
    adapt=_adapted,
    examples=[
        Example("A file in another charset", {"file": CITIES}),
        Example("Text that was decoded with the wrong charset", {"text": "CafÃ© MÃ¼ller â€“ crÃ¨me brÃ»lÃ©e"}),
        Example("For Excel on Windows", {"file": CITIES, "bom": True, "newline": "crlf"}),
        Example(
            "Plain quotes, no spaces at the ends", {"text": "“Hello”  \n‘World’\t", "quotes": "straight", "trim": True}
        ),
    ],
)
async def text_repair(request: TextRepairRequest) -> TextResult:
    """Convert text of any charset to clean UTF-8, and repair text that was decoded with the wrong one.

    The charset is that of the byte order mark; else UTF-8 where the bytes are valid; else UTF-16 and UTF-32 by their
    zero bytes, charsets with escape sequences, the charset that XML or HTML declares, and finally the likeliest by the
    letters of languages. Where lines are in UTF-8 and others in a second charset, each is read as such, and
    `meta.warnings` names the lines. `changes` lists what was repaired, with the line. Right text is not changed.

    Raises:
        InvalidInput: The file is not text, the charset is unknown, or a byte is not valid in it.
        NotConvertible: It took longer than 10 seconds.
    """
    work, guard = "mediakit.tools.files.text_repair.repair:repair", Guard("text", seconds=10)
    done = await run_guarded(work, request, returns=Repaired, guard=guard, field=request.field)
    meta = {"size_bytes": len(done.content), "warnings": done.warnings}
    made = FileResult(done.content, MEDIA_TYPE, request.filename, meta)
    return TextResult(made, text=made.text, meta=meta, **done.fields)


def _text_html(result: TextResult) -> str:
    """Return a text as HTML, with what was changed in green and what was removed in red.

    The two classes keep notebooks from typesetting dollar signs as TeX.
    """
    facts = " · ".join(escape(fact) for fact in _shown_facts(result))
    notes = "".join(f'<div style="{_WARNING}">{escape(note)}</div>' for note in result.meta.get("warnings", ()))
    others = "".join(
        f'<div><code style="background:none;color:inherit">{escape(one["encoding"])}</code>: '
        f"<bdi>{escape(one['sample'])}</bdi></div>"
        for one in result.alternatives
    )
    if others:
        notes += f'<details style="margin:8px 0 0"><summary style="{_SOFT}">Other charsets</summary>{others}</details>'
    return (
        f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}"><b>{escape(result.filename)}</b> '
        f'<span style="{_SOFT}">{facts}</span>{notes}'
        f'<pre tabindex="0" role="region" aria-label="Text" style="{_TEXT}" dir="auto">'
        f"{_marked(result.changes, result.text)}</pre></div>"
    )


def _shown_facts(result: TextResult) -> Iterator[str]:
    yield result._facts()
    if result.encoding:
        is_uncertain = result.confidence is not None and result.confidence < 1
        yield f"was {result.encoding}{f' ({result.confidence:.0%} certain)' if is_uncertain else ''}"
    if result.had_bom:
        yield "had a byte order mark"
    used = [f"{count:,} {name.upper()}" for name, count in result.newlines.items() if count]
    if len(used) > 1:
        yield f"mixed line breaks: {', '.join(used)}"
    count = len(result.changes)
    yield f"{count}{'+' if count == 100 else ''} {'change' if count == 1 else 'changes'}" if count else "no changes"


def _marked(changes: Iterable[Mapping[str, Any]], text: str) -> str:
    """Return the text with the changes of each line marked."""
    shown = text[:MAX_SHOWN_CHARACTERS]
    by_line: dict[int, list[Mapping[str, Any]]] = {}
    for change in changes:
        by_line.setdefault(change["line"], []).append(change)
    lines = shown.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    marked = "\n".join(_marked_line(line, by_line.get(number, [])) for number, line in enumerate(lines, 1))
    omitted = len(text) - len(shown)
    return marked + (f'\n<span style="{_SOFT}">… and {omitted:,} more characters in .text</span>' if omitted else "")


def _marked_line(line: str, changes: list[Mapping[str, Any]]) -> str:
    parts, position = [], 0
    for change in changes:
        after = change["after"]
        found = line.find(after, position) if after else -1
        if found >= 0:
            title = escape(f"was {change['before']}", quote=True)
            parts.append(f'{escape(line[position:found])}<mark style="{_MARK}" title="{title}">{escape(after)}</mark>')
            position = found + len(after)
    removed = (change["before"] for change in changes if change["kind"] == "control")
    notes = "".join(f' <del style="{_REMOVED}">{escape(name)}</del>' for name in removed)
    return "".join(parts) + escape(line[position:]) + notes
