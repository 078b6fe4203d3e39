"""The request of `file_encode`."""

import re
from dataclasses import KW_ONLY
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core.inputs import File, file_of
from mediakit.core.request import request
from mediakit.core.texts import TextInput, TextRule, text_of
from mediakit.tools.files.file_encode.job import WRAPPED, Action, EncodeJob, Encoding

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
    encoding: Encoding = "base64"
    """`base64`, `base64url`, `base32`, `base85` (ASCII85), `hex`, `data-uri`, `url` (percent-encoding), `html`
    (entities), `quoted-printable`, or the compressions `gzip`, `zlib`, `deflate` (raw) and `brotli`."""
    action: Action = "encode"
    """`encode`, or `decode` back."""
    wrap: Annotated[int, Field(ge=0, le=1000)] = 0
    """Characters per line of encoded base64, base64url, base32 and hex; 0 writes one line."""
    mime_type: Annotated[str, Field(min_length=3, max_length=200), AfterValidator(_check_mime_type)] | None = None
    """Media type in a data-uri; detected by default."""

    @property
    def filename(self) -> str:
        """The name of the file; empty for text."""
        return "" if self.file is None else file_of(self.file).name

    @property
    def job(self) -> EncodeJob:
        """The work that the request describes."""
        content = text_of(self.text).encode() if self.text is not None else bytes(file_of(self.file or b""))
        return EncodeJob(
            content,
            self.encoding,
            self.action,
            wrap=self.wrap,
            mime_type=self.mime_type or "",
            filename=self.filename,
            field="file" if self.text is None else "text",
        )

    @model_validator(mode="after")
    def _check_fields(self) -> Self:
        if (self.file is None) == (self.text is None):
            raise ValueError("file or text: exactly one of them is required.")
        if self.wrap and (self.encoding not in WRAPPED or self.action == "decode"):
            raise ValueError(f"wrap: requires action encode and encoding {', '.join(WRAPPED)}; got {self.encoding}.")
        if self.mime_type and (self.encoding != "data-uri" or self.action == "decode"):
            raise ValueError(f"mime_type: requires action encode and encoding data-uri, got {self.encoding}.")
        return self
