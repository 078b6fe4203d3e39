"""The request of `text_repair`."""

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from mediakit.core.inputs import File, file_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import TextInput, TextRule, text_of

Fix = Literal["auto", "none", "always"]
Newline = Literal["lf", "crlf", "keep"]
Unicode = Literal["keep", "nfc", "nfkc"]

MAX_TEXT_CHARACTERS = 5_000_000


@dataclass(frozen=True)
class Repaired:
    """What a worker returns: a repaired text, and what is reported of it."""

    content: bytes
    """UTF-8."""
    fields: dict[str, Any]
    warnings: list[str]


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
    is merely possible, `none`. With an `encoding`, `always` replaces bytes that are not valid in it."""
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
