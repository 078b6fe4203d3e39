"""Input texts: HTML, Markdown and plain text. Python callers can also pass a path, or the result of another tool.

Over HTTP a text is a text. Only calls of Python read files: see `bind_text`.
"""

import codecs
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any, Literal

from mediakit.core.inputs import FileSource, existing_path, expanded, read_path
from mediakit.core.media import NAMES, FileKind, check_kind, detect, type_of
from mediakit.core.messages import quote

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

TextInput = str | os.PathLike[str] | FileSource
"""What Python callers can pass as a text; a validated request holds a `str`."""

HtmlInput = str | bytes | bytearray | os.PathLike[str] | FileSource | IO[Any]
"""What Python callers can pass as HTML."""

TEXTS: tuple[FileKind, ...] = ("text", "markdown", "html", "svg", "table", "data")
"""Kinds of files that are text; of tables those in a text format."""

_TAKEN: dict[Literal["html", "markdown", "text"], tuple[FileKind, ...]] = {
    "html": ("html", "svg", "text"),
    "markdown": ("markdown", "text"),
    "text": TEXTS,
}


_URL = re.compile(r"\s*https?://\S+\s*", re.IGNORECASE)


@dataclass(frozen=True)
class TextRule:
    """Annotation of a field that takes a whole text, such as a document."""

    kind: Literal["html", "markdown", "text"]

    def __get_pydantic_core_schema__(self, _source: Any, _handler: "GetCoreSchemaHandler") -> "CoreSchema":
        from pydantic_core import core_schema

        return core_schema.str_schema(strict=True)

    def __get_pydantic_json_schema__(self, schema: "CoreSchema", handler: "GetJsonSchemaHandler") -> dict[str, Any]:
        kind = {"x-kind": "html"} if self.kind == "html" else {}
        return {**handler(schema), **kind, "x-takes": _TAKEN[self.kind]}


def text_of(text: HtmlInput) -> str:
    """Return the text in a validated request field."""
    return text if isinstance(text, str) else str(bind_text(text, TEXTS))


def bind_text(value: Any, taken: Sequence[FileKind]) -> Any:
    """Return the text of a path or of a result for a field that takes a whole text; any other value unchanged.

    HTML is also read from bytes and open files, such as the body of a response.

    Raises:
        ValueError: The file or the result has no text of these kinds; or a text of one line is the name of a file.
    """
    if isinstance(value, str):
        if existing_path(value):
            raise ValueError(f"{quote(value)} names a file; pass pathlib.Path({quote(value)}).")
        refuse_url(value, taken)
    if isinstance(value, os.PathLike | FileSource):
        return load_text(value, taken)
    if taken != _TAKEN["html"]:
        return value
    if callable(getattr(value, "read", None)):
        value = value.read()
    is_bytes = isinstance(value, bytes | bytearray | memoryview)
    return _decoded(bytes(value), "the HTML", "text/html") if is_bytes else value


def refuse_url(text: str, taken: Sequence[FileKind]) -> None:
    """Refuse the URL of a page where its HTML or Markdown is needed.

    Raises:
        ValueError: The text is a URL.
    """
    if taken[0] in ("html", "markdown") and _URL.fullmatch(text):
        what = NAMES[taken[0]]
        raise ValueError(
            f"must be {what}, got the URL {quote(text.strip())}. web_to_markdown and screenshot load pages."
        )


def media_of(source: os.PathLike[str] | FileSource) -> str:
    """Return the media type of a file by its name, or of a result; empty for a name without a known extension."""
    if isinstance(source, os.PathLike):
        return type_of(Path(source)) or ""
    return source._saved().mime_type.partition(";")[0]


def load_text(source: os.PathLike[str] | FileSource, taken: Sequence[FileKind]) -> str:
    """Return the text of a file (UTF-8, UTF-16 with a byte order mark, or the charset that HTML states) or of a result.

    Raises:
        ValueError: It has no text of these kinds.
    """
    media = media_of(source)
    if isinstance(source, os.PathLike):
        name, content = PurePath(source).name, bytes(read_path(expanded(source)))
        media = media or detect(content) or ""
    else:
        name, content = type(source).__name__, source._saved().content
    check_kind(media, taken, name, as_text=True)
    if media != "image/svg+xml" and isinstance(text := getattr(source, "text", None), str):
        return text  # decoded from its charset
    return _decoded(content, name, media)


_HTML_CHARSET = re.compile(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_WEB_CHARSETS = {
    **dict.fromkeys(("iso-8859-1", "latin1", "ascii", "us-ascii"), "windows-1252"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987"), "cp949"),
    **dict.fromkeys(("utf-16", "utf-16le", "utf-16be"), "utf-8"),
}
"""Charsets that browsers read as another one (WHATWG Encoding 4.2), by their name in HTML."""

_UNSAFE_CODECS = ("idna", "punycode", "raw-unicode-escape", "unicode-escape", "utf-7")
"""Codecs of Python that no browser has: their text is slow to decode, or has markup that a filter does not see."""

_SCANNED_BYTES = 1024
"""Bytes in which HTML states its charset (WHATWG HTML 4.2.5.4)."""


def _decoded(content: bytes, name: str, media: str) -> str:
    """Return text in UTF-8, in UTF-16 with a byte order mark, or else in the charset that HTML states.

    Saved pages are often in UTF-8, whatever charset their source had; other charsets are hardly ever valid UTF-8.
    """
    charsets = ["utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"]
    expected = "UTF-8"
    if media == "text/html" and (stated := _HTML_CHARSET.search(content[:_SCANNED_BYTES])):
        label = stated[1].decode("ascii").lower()
        expected = _WEB_CHARSETS.get(label, label)
        charsets.insert(0 if expected == "iso-2022-jp" else 1, expected)  # all its bytes are valid UTF-8
    for charset in charsets:
        with suppress(UnicodeError, LookupError):
            if codecs.lookup(charset).name not in _UNSAFE_CODECS:
                return content.decode(charset)
    hint = 'pass its text, such as path.read_text(encoding="windows-1252").'
    raise ValueError(f"{name} is not text in {expected}; {hint}")
