"""What travels to the worker and back."""

from dataclasses import dataclass, field
from typing import Literal, get_args

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


@dataclass(frozen=True)
class EncodeJob:
    """Content, and how to encode or decode it."""

    content: bytes = field(repr=False)
    encoding: Encoding
    action: Action
    wrap: int = 0
    mime_type: str = ""
    """Media type of a data URI; empty to detect it."""
    filename: str = ""
    field: str = "file"
    """Name of the request's field that holds the content, for errors."""


@dataclass(frozen=True)
class Encoded:
    """The result."""

    content: bytes = field(repr=False)
    mime_type: str = ""
    """Media type, where the encoding says one; else empty."""
    warnings: tuple[str, ...] = ()
    filename: str = ""
