"""`TextResult`: a repaired text."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import pybase64

from mediakit.core.media import media_type, type_of
from mediakit.results.file import FileResult
from mediakit.results.result import without_usage
from mediakit.tools.files.text_repair.response_schema import FIELDS, TEXT

MAX_INLINE_CHARACTERS = 1_000_000
"""Characters of a text up to which the JSON response has it as `text`."""

MEDIA_TYPE = "text/plain; charset=utf-8"


class TextResult(FileResult):
    """A repaired text as a UTF-8 file. `str(result)` is the text."""

    encoding: str | None
    """Registered name of the input's charset in lower case; None if the input was text."""
    confidence: float | None
    """How certain the charset is, 0 to 1; None if the input was text."""
    language: str | None
    """ISO 639-1, where it was detected."""
    alternatives: list[dict[str, str]]
    """At most three further charsets whose text differs, each with `encoding` and `sample`."""
    had_bom: bool
    """Whether the input began with a byte order mark."""
    newlines: dict[str, int]
    """Number of `lf`, `crlf` and `cr` line breaks of the input."""
    changes: list[dict[str, Any]]
    """The first 100 changes, each with `kind`, `before`, `after` and `line`."""
    replaced: int
    """Number of bytes that are not valid in the given encoding."""
    bidi_controls: int
    """Number of controls of the writing direction in the input."""

    def __init__(
        self,
        content: bytes,
        filename: str,
        fields: Mapping[str, Any],
        meta: Mapping[str, Any] | None = None,
        *,
        alt: str = "",
    ) -> None:
        super().__init__(content, MEDIA_TYPE, filename, meta, alt=alt)
        for name in FIELDS:
            setattr(self, name, fields[name])

    @property
    def extent(self) -> str:
        """Number of characters, such as `1,200 characters`."""
        count = len(self.text)
        return f"{count:,} {'character' if count == 1 else 'characters'}"

    @property
    def extension(self) -> str:
        """The usual file name extension, without the dot."""
        return "txt"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the text and return its path. The extension can be that of any text file.

        Raises:
            InvalidInput: The path is a folder, or the extension belongs to a format that is not text.
        """
        named = media_type(type_of(Path(path)) or "")
        target = named.name if named and named.is_text else "text/plain"
        return FileResult(self.content, target, self.filename).save(path)

    def extra_fields(self) -> dict[str, Any]:
        """Return the name of the file, what was found, and the text up to 1,000,000 characters."""
        text = self.text
        inline = {"text": text} if len(text) <= MAX_INLINE_CHARACTERS else {}
        return {"filename": self.filename, **inline, **{name: getattr(self, name) for name in FIELDS}}

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of `extra_fields`, by name."""
        return {"filename": {"type": "string", "examples": ["cities.txt"]}, "text": TEXT, **FIELDS}

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        return cls(pybase64.b64decode(body[cls.member]), body["filename"], body, without_usage(body["meta"]))

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.tools.files.text_repair import notebook_view

        return {
            "text/plain": repr(self),
            "text/html": notebook_view.html(self.extra_fields(), self.text, self.meta.get("warnings", ())),
        }, {}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        source = f"from {self.encoding}" if self.encoding else "from text"
        count = len(self.changes)
        return f"<TextResult {self.extent} {source}, {count} {'change' if count == 1 else 'changes'}>"
