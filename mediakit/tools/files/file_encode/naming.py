"""Names of encoded and decoded files."""

from pathlib import PurePosixPath

from mediakit.engines.file_types import FileType
from mediakit.tools.files.file_encode.job import Encoding

EXTENSIONS: dict[Encoding, str] = {
    "base64": "b64", "base64url": "b64", "base32": "b32", "base85": "a85", "hex": "hex", "data-uri": "uri",
    "url": "url", "html": "txt", "quoted-printable": "qp", "gzip": "gz", "zlib": "zz",
    "deflate": "deflate", "brotli": "br",
}  # fmt: skip
"""Extension that is added to the name of an encoded file."""

MEDIA_TYPES: dict[Encoding, str] = {"gzip": "application/gzip", "zlib": "application/zlib"}
"""Media types of compressed results; others are `application/octet-stream`."""

BINARY, TEXT = "application/octet-stream", "text/plain"


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
