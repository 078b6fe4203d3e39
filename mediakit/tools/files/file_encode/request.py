"""The request of `file_encode`."""

import re
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, Field, model_validator

from mediakit.core.inputs import File, file_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import TextInput, TextRule, text_of

Encoding = Literal[
    "base64", "base64url", "base32", "base85", "hex", "data-uri", "url", "html", "quoted-printable",
    "gzip", "zlib", "deflate", "brotli",
]  # fmt: skip
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)

COMPRESSIONS: tuple[Encoding, ...] = ("gzip", "zlib", "deflate", "brotli")
"""Encodings whose result is not text."""

WRAPPED: tuple[Encoding, ...] = ("base64", "base64url", "base32", "hex")
"""Encodings whose lines can be wrapped."""

Action = Literal["encode", "decode"]

MAX_DECODED_BYTES = 20 * 1024 * 1024
"""Size of the largest decoded result: that of the largest file that another tool takes."""

EXTENSIONS: dict[Encoding, str] = {
    "base64": "b64", "base64url": "b64", "base32": "b32", "base85": "a85", "hex": "hex", "data-uri": "uri",
    "url": "url", "html": "txt", "quoted-printable": "qp", "gzip": "gz", "zlib": "zz",
    "deflate": "deflate", "brotli": "br",
}  # fmt: skip
"""Extension that is added to the name of an encoded file."""

MEDIA_TYPES: dict[Encoding, str] = {"gzip": "application/gzip", "zlib": "application/zlib"}
"""Media types of compressed results; others are `application/octet-stream`."""

BINARY, TEXT = "application/octet-stream", "text/plain"

MAX_TEXT_LENGTH = 5_000_000

_MIME = re.compile(r"[\w.+-]+/[\w.+-]+(;[\w.+-]+=[\w.+-]+)*", re.ASCII)


def _check_mime_type(value: str) -> str:
    if not _MIME.fullmatch(value):
        raise ValueError(f'must be a media type such as "image/png", got "{value[:40]}".')
    return value.lower() if ";" not in value else value


@request
class FileEncodeRequest:
    """Content, and how to encode or decode it."""

    file: File | None = None
    """File to encode or decode. Exactly one of file and text."""
    _: KW_ONLY
    text: Annotated[TextInput, TextRule("text"), Field(min_length=1, max_length=MAX_TEXT_LENGTH)] | None = None
    """Text to encode (as UTF-8) or decode."""
    encoding: Annotated[
        Encoding,
        Synonyms("format, codec, to", {"gzip": "gz", "data-uri": "data url", "url": "percent", "base64": "b64"}),
    ] = "base64"
    """`base64`, `base64url`, `base32`, `base85` (ASCII85), `hex`, `data-uri`, `url` (percent-encoding), `html`
    (entities), `quoted-printable`, or the compressions `gzip`, `zlib`, `deflate` (raw) and `brotli`."""
    action: Annotated[Action, Synonyms("mode, operation", {"decode": "decompress, unpack", "encode": "compress"})] = (
        "encode"
    )
    """`encode`, or `decode` back."""
    wrap: Annotated[int, Field(ge=0, le=1000)] = 0
    """Characters per line of encoded base64, base64url, base32 and hex; 0 writes one line."""
    mime_type: Annotated[str, Field(min_length=3, max_length=200), AfterValidator(_check_mime_type)] | None = None
    """Media type in a data-uri; detected by default."""

    @property
    def filename(self) -> str:
        """The name of the file; empty for text."""
        return "" if self.file is None else file_of(self.file).name

    @cached_property
    def content(self) -> bytes:
        """The content to encode or decode."""
        return text_of(self.text).encode() if self.text is not None else file_of(self.file or b"")

    @property
    def field(self) -> str:
        """The field that has the content."""
        return "file" if self.text is None else "text"

    @model_validator(mode="after")
    def _check_fields(self) -> Self:
        if (self.file is None) == (self.text is None):
            raise ValueError("file or text: exactly one of them is required.")
        if self.wrap and (self.encoding not in WRAPPED or self.action == "decode"):
            raise ValueError(f"wrap: requires action encode and encoding {', '.join(WRAPPED)}; got {self.encoding}.")
        if self.mime_type and (self.encoding != "data-uri" or self.action == "decode"):
            raise ValueError(f"mime_type: requires action encode and encoding data-uri, got {self.encoding}.")
        return self


@dataclass(frozen=True)
class Encoded:
    """What a worker returns."""

    content: bytes = field(repr=False)
    mime_type: str = ""
    """Media type, where the encoding says one; else empty."""
    warnings: tuple[str, ...] = ()
    filename: str = ""
