"""Field types that several tools share, each with its rule."""

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import can_ada
import pybase64
from pydantic import AfterValidator, Field, GetJsonSchemaHandler, PlainValidator
from pydantic_core import CoreSchema

from mediakit.results.result import Result

MEGABYTE = 1024 * 1024
FILE_BYTES = 20 * MEGABYTE
HTML_BYTES = 5 * MEGABYTE
URL_LENGTH = 2048

FileInput = bytes | bytearray | memoryview | os.PathLike[str] | Result | str

_DATA_URI = re.compile(r"data:[^,]{0,200};base64,", re.ASCII)
_WEB_URL = re.compile(r"https?://[^/]", re.ASCII | re.IGNORECASE)
_AUTHORITY_END = re.compile("[/?#]")
_NOT_IN_A_URL = re.compile(r"[\x00-\x20\x7f-\xa0\\\s]")
"""Control characters, spaces and backslashes: browsers drop or change them, and go elsewhere than people read."""
_HEX_COLOR = re.compile(r"#?[0-9a-fA-F]{6}", re.ASCII)


class _FileSchema:
    """Describes a file in JSON Schema as the base64 text that JSON carries."""

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "contentEncoding": "base64", "maxLength": -(-FILE_BYTES // 3) * 4}


class FileBytes(bytes):
    """The bytes of a file that was given by its path, and the path, for those who write the call down."""

    path: Path


def _read_file(value: Any) -> bytes:
    if isinstance(value, Result):
        return value.content
    if isinstance(value, str):
        return _from_base64(value)
    if isinstance(value, os.PathLike):
        return _from_path(Path(value))
    if isinstance(value, bytes | bytearray | memoryview):
        return value if isinstance(value, FileBytes) else bytes(value)
    raise ValueError("must be bytes, a pathlib.Path, a result or base64 text.")


def _from_base64(text: str) -> bytes:
    start = _DATA_URI.match(text)
    try:
        return pybase64.b64decode("".join(text[start.end() if start else 0 :].split()), validate=True)
    except ValueError:
        raise ValueError(
            "is not base64 (standard alphabet, with padding). In Python give a path as pathlib.Path(...)."
        ) from None


def _from_path(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = FileBytes(file.read(FILE_BYTES + 1))
    except OSError as error:
        raise ValueError(f"cannot read {str(path)!r}: {error.strerror or error}.") from None
    content.path = path
    return content


def _check_size(content: bytes) -> bytes:
    if not content:
        raise ValueError("is empty.")
    if len(content) > FILE_BYTES:
        raise ValueError(f"must have at most {FILE_BYTES // MEGABYTE} MB.")
    return content


def _check_color(value: str) -> str:
    if not _HEX_COLOR.fullmatch(value):
        raise ValueError(f'must be six hexadecimal digits such as "#1a2b3c", got {value[:20]!r}.')
    return f"#{value.removeprefix('#').lower()}"


def _check_html_bytes(value: str) -> str:
    if len(value) * 4 > HTML_BYTES and len(value.encode()) > HTML_BYTES:
        raise ValueError("must have at most 5 MB.")
    return value


def _check_url(value: str) -> str:
    text = value.strip()
    if not _WEB_URL.match(text):
        raise ValueError("must begin with http:// or https:// and a host.")
    if _NOT_IN_A_URL.search(text):
        raise ValueError("must have no spaces, control characters or backslashes; percent-encode them.")
    if "@" in _AUTHORITY_END.split(text.partition("//")[2], maxsplit=1)[0]:
        raise ValueError("must have no user name and no password.")
    try:
        return can_ada.parse(text).href
    except ValueError:
        raise ValueError("is not a valid URL; check its host and its port.") from None


File = Annotated[FileInput, PlainValidator(lambda value: _check_size(_read_file(value))), _FileSchema()]
"""A file: bytes, a path or an earlier result in Python; a `str` is always base64, as in JSON. At most 20 MB."""

HexColor = Annotated[
    str, AfterValidator(_check_color), Field(json_schema_extra={"pattern": "^#?[0-9a-fA-F]{6}$", "format": "color"})
]
"""Six hexadecimal digits, with or without `#`; kept with it, in lower case."""

Html = Annotated[str, Field(min_length=1, max_length=HTML_BYTES), AfterValidator(_check_html_bytes)]
"""An HTML document or fragment of at most 5 MB (5,242,880 bytes of UTF-8)."""

Quality = Annotated[int, Field(ge=1, le=100)]
WaitMs = Annotated[int, Field(ge=0, le=5000)]
CssSelector = Annotated[str, Field(min_length=1, max_length=500)]

PublicUrl = Annotated[
    str, Field(max_length=URL_LENGTH), AfterValidator(_check_url), Field(json_schema_extra={"format": "uri"})
]
"""Address of a page on the web, at most 2048 characters; kept as a browser would write it."""

Language = Literal["en", "es"]


def content_of(file: FileInput) -> bytes:
    """Give the bytes of a request's file; validation has read it already."""
    return file if isinstance(file, bytes) else _read_file(file)
