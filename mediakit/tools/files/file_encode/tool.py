"""`file_encode`: encodes files and text as base64 and other text, or compresses them, and back."""

import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core import meta_schemas
from mediakit.core.inputs import File, file_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.texts import TextInput, TextRule, text_of
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import ServerBusy
from mediakit.results.files import FileResult
from mediakit.samples import LOGO

Encoding = Literal[
    "base64", "base64url", "base32", "base85", "hex", "data-uri", "url", "html", "quoted-printable",
    "gzip", "zlib", "deflate", "brotli",
]  # fmt: skip

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

MAX_INLINE_CHARACTERS = 1_000_000
"""Characters of a text that the JSON response has as `text` besides the file."""

NOT_TEXT = (BINARY, *MEDIA_TYPES.values())
"""Media types of compressed and unknown results, which may look like text by chance."""

_MIME = re.compile(r"[\w.+-]+/[\w.+-]+(;[\w.+-]+=[\w.+-]+)*", re.ASCII)

ENCODING = Guard("file", seconds=50, took_too_long=(ServerBusy, "The file could not be converted in time. Try again."))
"""20 MB take a few seconds, so only a machine that is overloaded needs longer."""

META = {
    "original_bytes": meta_schemas.integer("Size of the input.", 5),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


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
        Synonyms(
            "format, codec, algorithm, method, to",
            {"gzip": "gz", "data-uri": "data url", "url": "percent", "base64": "b64"},
        ),
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


class EncodedFile(FileResult):
    """An encoded or decoded file. `text` and `str(result)` are its text, where it is UTF-8 text."""

    def _text(self, errors: str = "strict") -> str | None:  # noqa: ARG002  # text that is not valid is not text
        if b"\0" in self.content or self.mime_type in NOT_TEXT:
            return None
        try:
            return self.content.decode()
        except UnicodeDecodeError:
            return None

    def _extra(self) -> dict[str, Any]:
        text = self._text()
        return {"text": text} if text is not None and len(text) <= MAX_INLINE_CHARACTERS else {}

    @classmethod
    def _extra_schema(cls) -> dict[str, Any]:
        return {
            "filename": {"type": "string", "examples": ["text.b64"]},
            "text": {
                "type": "string",
                "description": "The result, if it is text of at most 1,000,000 characters.",
                "examples": ["SGVsbG8="],
                "x-optional": True,
            },
        }

    def __str__(self) -> str:
        text = self._text()
        return repr(self) if text is None else text


def _media_type(values: Mapping[str, Any]) -> str:
    """Return the media type of an encoded result; that of a decoded one is known afterwards."""
    encoding = values.get("encoding", "base64")
    if values.get("action") == "decode":
        return BINARY
    return MEDIA_TYPES.get(encoding, BINARY) if encoding in ("gzip", "zlib", "deflate", "brotli") else TEXT


@tool(
    FileEncodeRequest,
    tag="Files",
    raw={"application/octet-stream": "file", "text/plain": "text", "*/*": "file"},
    produces=(TEXT, "application/gzip", "application/zlib", BINARY),
    media_type_of=_media_type,
    meta=META,
    examples=[
        Example("A file as base64", {"file": LOGO}),
        Example("An image as a data URI for HTML or CSS", {"file": LOGO, "encoding": "data-uri"}),
        Example("Base64 as text", {"text": "SGVsbG8sIHdvcmxkIQ==", "action": "decode"}),
        Example("Text for a URL", {"text": "blue lake & café", "encoding": "url"}),
    ],
)
async def file_encode(request: FileEncodeRequest) -> EncodedFile:
    """Encode a file or text as base64, hex, a data URI and other text, compress it, or decode it.

    Decoding ignores white space, and base64 needs no padding and may be base64url. Errors name the character and its
    position, counted from 0. Compressed files contain no time and no name, so that equal input is equal bytes. At most
    20 MB are unpacked.

    Raises:
        InvalidInput: The content is not of this encoding, or unpacks to more than 20 MB.
    """
    work = "mediakit.tools.files.file_encode.encodings:convert"
    encoded = await run_guarded(work, request, returns=Encoded, guard=ENCODING, field=request.field)
    mime_type = encoded.mime_type or _media_type(vars(request))
    meta = {"original_bytes": len(request.content), "warnings": list(encoded.warnings)}
    return EncodedFile(encoded.content, mime_type, encoded.filename, meta)
