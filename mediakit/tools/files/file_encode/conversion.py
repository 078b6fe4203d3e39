"""Encodes and decodes content; runs in a worker."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from mediakit.engines.file_types import FileType, identify
from mediakit.errors import InvalidInput
from mediakit.tools.files.file_encode import compression, texts
from mediakit.tools.files.file_encode.request import BINARY, EXTENSIONS, Encoded, Encoding, FileEncodeRequest
from mediakit.tools.files.file_encode.texts import WrongInput


def encoded_name(name: str, encoding: Encoding) -> str:
    """Return the name of an encoded file: `logo.png.b64`."""
    return f"{name or 'text'}.{EXTENSIONS[encoding]}"


def decoded_name(name: str, encoding: Encoding, found: FileType) -> str:
    """Return the name of a decoded file: without the encoding's extension, and with one that fits its type."""
    bare = bare_name(name, encoding) or "file"
    suffix = PurePosixPath(bare).suffix.lower()
    return bare if suffix and suffix in (found.extensions or (suffix,)) else f"{bare}{found.extension or '.bin'}"


def bare_name(name: str, encoding: Encoding) -> str:
    """Return the name of a file without the extension of its encoding."""
    path = PurePosixPath(name)
    return path.stem if path.suffix.lower() in (f".{EXTENSIONS[encoding]}", ".txt") else path.name


ENCODERS: Mapping[Encoding, Callable[[FileEncodeRequest], bytes]] = {
    "base64": texts.base64,
    "base64url": texts.base64url,
    "base32": texts.base32,
    "base85": texts.base85,
    "hex": texts.hexadecimal,
    "data-uri": texts.data_uri,
    "url": texts.percent,
    "html": texts.entities,
    "quoted-printable": texts.quoted_printable,
    "gzip": compression.gzip,
    "zlib": compression.zlib,
    "deflate": compression.deflate,
    "brotli": compression.brotli,
}

DECODERS: Mapping[Encoding, Callable[[FileEncodeRequest], Encoded]] = {
    "base64": texts.from_base64,
    "base64url": texts.from_base64url,
    "base32": texts.from_base32,
    "base85": texts.from_base85,
    "hex": texts.from_hexadecimal,
    "data-uri": texts.from_data_uri,
    "url": texts.from_percent,
    "html": texts.from_entities,
    "quoted-printable": texts.from_quoted_printable,
    "gzip": compression.from_gzip,
    "zlib": compression.from_zlib,
    "deflate": compression.from_deflate,
    "brotli": compression.from_brotli,
}

EMPTY = FileType(BINARY, (), "an empty file", "data")
"""The type of a result without any bytes."""


def convert(request: FileEncodeRequest) -> Encoded:
    """Return encoded or decoded content.

    Raises:
        InvalidInput: The content is not of this encoding, or unpacks to more than 20 MB.
    """
    try:
        if request.action == "encode":
            return Encoded(
                ENCODERS[request.encoding](request), filename=encoded_name(request.filename, request.encoding)
            )
        decoded = DECODERS[request.encoding](request)
    except WrongInput as error:
        raise InvalidInput(f"{request.field}: {error}") from error
    found = identify(decoded.content, bare_name(request.filename, request.encoding)) if decoded.content else EMPTY
    filename = decoded_name(request.filename, request.encoding, found)
    return replace(decoded, mime_type=decoded.mime_type or found.mime_type, filename=filename)
