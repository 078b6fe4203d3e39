"""Input texts: HTML, Markdown and plain text. Python callers can also pass a path, or the result of another tool.

Over HTTP a text is a text. Only calls of Python read files: see `bind_text`.
"""

import os
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal

from mediakit.core.inputs import FileSource, existing_path, read_path
from mediakit.core.media import detect, media_type, type_of
from mediakit.core.messages import quote

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

TextKind = Literal["html", "markdown", "text"]
TextInput = str | os.PathLike[str] | FileSource
"""What Python callers can pass as a text; a validated request holds a `str`."""

HTML, MARKDOWN, PLAIN, SVG = "text/html", "text/markdown", "text/plain", "image/svg+xml"

NAMES: dict[TextKind, str] = {"html": "HTML", "markdown": "Markdown", "text": "text"}

_ACCEPTED: dict[TextKind, tuple[str, ...]] = {
    "html": (HTML, "application/xhtml+xml", SVG, PLAIN),
    "markdown": (MARKDOWN, PLAIN),
}
"""Media types of results and files that fit; a `text` takes all that are text."""

_TABLES = ("csv", "tab-separated", "json", "yaml", "toml", "sheet", "excel", "parquet")

_TO_HTML = {MARKDOWN: "mediakit.markdown_convert", "table": 'mediakit.table_image(..., format="html")'}
_TO_MARKDOWN = {HTML: "mediakit.web_to_markdown(html=...)", "table": 'mediakit.data_convert(..., to="markdown")'}


@dataclass(frozen=True)
class TextRule:
    """Annotation of a field that takes a whole text, such as a document."""

    kind: TextKind

    def __get_pydantic_core_schema__(self, _source: Any, _handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from pydantic_core import core_schema

        return core_schema.str_schema(strict=True)

    def __get_pydantic_json_schema__(self, schema: "CoreSchema", handler: "GetJsonSchemaHandler") -> dict[str, Any]:
        kind = {"x-kind": "html"} if self.kind == "html" else {}
        return {**handler(schema), **kind, "x-text": self.kind}


def text_of(text: TextInput) -> str:
    """Return the text in a validated request field."""
    return text if isinstance(text, str) else load_text(text, "text")


def bind_text(value: Any, kind: TextKind) -> Any:
    """Return the text of a path or of a result; any other value unchanged.

    Raises:
        ValueError: The file or the result has no text of this kind; or a text of one line is the name of a file.
    """
    if isinstance(value, str) and existing_path(value):
        raise ValueError(f"{quote(value)} names a file; pass pathlib.Path({quote(value)}).")
    return load_text(value, kind) if isinstance(value, os.PathLike | FileSource) else value


def media_of(source: os.PathLike[str] | FileSource) -> str:
    """Return the media type of a file by its name, or of a result; empty for a name without a known extension."""
    if isinstance(source, os.PathLike):
        return type_of(Path(source)) or ""
    return source._saved().mime_type.partition(";")[0]


def load_text(source: os.PathLike[str] | FileSource, kind: TextKind) -> str:
    """Return the text of a file (UTF-8, or UTF-16 with a byte order mark) or of a result.

    Raises:
        ValueError: It has no text of this kind.
    """
    media = media_of(source)
    if not isinstance(source, os.PathLike):
        _check_media(media, kind, f"{type(source).__name__} ({_label(media)})")
        text = None if media == SVG else getattr(source, "text", None)  # decodes files in other charsets
        return text if isinstance(text, str) else source._saved().content.decode("utf-8-sig")
    name = PurePath(source).name
    content = read_path(Path(source))
    if media := media or detect(content) or "":
        _check_media(media, kind, name)
    try:
        return content.decode("utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError:
        hint = 'pass its text, such as path.read_text(encoding="windows-1252").'
        raise ValueError(f"{name} is not text in UTF-8; {hint}") from None


def _check_media(media: str, kind: TextKind, got: str) -> None:
    known = media_type(media)
    is_text = media.startswith("text/") or media in _ACCEPTED["html"] or bool(known and known.is_text)
    if media in _ACCEPTED.get(kind, (media,)) and is_text:
        return
    raise ValueError(f"must be {NAMES[kind]}, got {got}. {_way(media, kind)}".rstrip())


def _way(media: str, kind: TextKind) -> str:
    """Return how a file of another kind becomes a text of this kind, or where else it fits."""
    found = "table" if any(each in media for each in _TABLES) else media
    tool = {"html": _TO_HTML, "markdown": _TO_MARKDOWN, "text": {"table": "mediakit.data_convert"}}[kind].get(found)
    if tool:
        return f"{tool} converts it."
    if media.startswith("image/"):
        return "mediakit.pdf_merge makes a PDF of images."
    if media == "application/zip":
        return "Pass one of its files."
    return f"mediakit.document_to_markdown reads {_label(media)}."


def _label(media: str) -> str:
    known = media_type(media)
    return known.label if known else media
