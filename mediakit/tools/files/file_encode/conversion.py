"""Encodes and decodes content; runs in a worker."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from mediakit.engines.file_types import FileType, identify
from mediakit.errors import InvalidInput
from mediakit.tools.files.file_encode import binary_texts, compression, markup_texts
from mediakit.tools.files.file_encode.job import Encoded, EncodeJob, Encoding
from mediakit.tools.files.file_encode.naming import BINARY, bare_name, decoded_name, encoded_name
from mediakit.tools.files.file_encode.wrong_input import WrongInput

ENCODERS: Mapping[Encoding, Callable[[EncodeJob], bytes]] = {
    "base64": binary_texts.base64,
    "base64url": binary_texts.base64url,
    "base32": binary_texts.base32,
    "base85": binary_texts.base85,
    "hex": binary_texts.hexadecimal,
    "data-uri": binary_texts.data_uri,
    "url": markup_texts.percent,
    "html": markup_texts.entities,
    "quoted-printable": markup_texts.quoted_printable,
    "gzip": compression.gzip,
    "zlib": compression.zlib,
    "deflate": compression.deflate,
    "brotli": compression.brotli,
}

DECODERS: Mapping[Encoding, Callable[[EncodeJob], Encoded]] = {
    "base64": binary_texts.from_base64,
    "base64url": binary_texts.from_base64url,
    "base32": binary_texts.from_base32,
    "base85": binary_texts.from_base85,
    "hex": binary_texts.from_hexadecimal,
    "data-uri": binary_texts.from_data_uri,
    "url": markup_texts.from_percent,
    "html": markup_texts.from_entities,
    "quoted-printable": markup_texts.from_quoted_printable,
    "gzip": compression.from_gzip,
    "zlib": compression.from_zlib,
    "deflate": compression.from_deflate,
    "brotli": compression.from_brotli,
}

EMPTY = FileType(BINARY, (), "an empty file", "data")
"""The type of a result without any bytes."""


def convert(job: EncodeJob) -> Encoded:
    """Return encoded or decoded content.

    Raises:
        InvalidInput: The content is not of this encoding, or unpacks to more than 20 MB.
    """
    try:
        if job.action == "encode":
            return Encoded(ENCODERS[job.encoding](job), filename=encoded_name(job.filename, job.encoding))
        decoded = DECODERS[job.encoding](job)
    except WrongInput as error:
        raise InvalidInput(f"{job.field}: {error}") from error
    found = identify(decoded.content, bare_name(job.filename, job.encoding)) if decoded.content else EMPTY
    filename = decoded_name(job.filename, job.encoding, found)
    return replace(decoded, mime_type=decoded.mime_type or found.mime_type, filename=filename)
