"""Limits what the streams of a PDF inflate to.

Streams with one filter are copied as they are. qpdf decodes those with several filters when it saves, and a few bytes
that are compressed twice can inflate to gigabytes.
"""

import binascii
import re
import zlib
from base64 import a85decode

import pikepdf
from pikepdf import Name, Stream

from mediakit.engines.pdf.objects import items
from mediakit.errors import InvalidInput

MAX_INFLATED_BYTES = 300_000_000
"""Bytes of all streams with several filters of a file."""

_SEVERAL_FILTERS = re.compile(rb"/Filter\s*\[\s*/\w+\s*/")
"""The dictionary of a stream is never compressed itself."""


def check_inflation(pdf: pikepdf.Pdf, content: bytes, label: str) -> None:
    """Refuse a PDF whose streams inflate to more than 300 MB.

    Raises:
        InvalidInput: They do.
    """
    if not _SEVERAL_FILTERS.search(content):
        return
    left = MAX_INFLATED_BYTES
    for item in pdf.objects:
        if isinstance(item, Stream) and len(items(item.get(Name.Filter))) > 1:
            left -= _inflated_size(item, left)
            if left <= 0:
                raise InvalidInput(f"{label}: unpacks to more than {MAX_INFLATED_BYTES // 1_000_000} MB.")


def _inflated_size(stream: pikepdf.Object, limit: int) -> int:
    """Return the bytes of a decoded stream, at most the limit; damaged data count as far as they can be read."""
    data = stream.read_raw_bytes()
    try:
        for name in items(stream.get(Name.Filter)):
            data = _decoded(str(name), data, limit)
    except (ValueError, zlib.error):
        pass
    return len(data)


def _decoded(name: str, data: bytes, limit: int) -> bytes:
    match name:
        case "/FlateDecode" | "/Fl":
            return zlib.decompressobj().decompress(data, limit)
        case "/ASCII85Decode" | "/A85":
            return a85decode(data.strip().removesuffix(b"~>"))
        case "/ASCIIHexDecode" | "/AHx":
            return binascii.unhexlify(b"".join(data.split()).removesuffix(b">"))
    raise ValueError(name)  # an image format, or one that cannot inflate much
