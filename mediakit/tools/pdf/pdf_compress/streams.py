"""Reads the streams of a PDF, within a limit of what they inflate to."""

import zlib
from typing import Final

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.objects import dictionary, items
from mediakit.engines.pdf.opening import MAX_INFLATED_BYTES, Source
from mediakit.errors import InvalidInput

BEST_LEVEL: Final = 9


def deflate(data: bytes) -> bytes:
    """Return data as a zlib stream."""
    return zlib.compress(data, BEST_LEVEL)


def inflate(data: bytes, limit: int) -> bytes:
    """Return the data of a zlib stream, which may be cut off or damaged at its end.

    Raises:
        ValueError: It has more than `limit` bytes.
        zlib.error: It is not a zlib stream.
    """
    decoder = zlib.decompressobj()
    inflated = decoder.decompress(data, limit + 1)
    if len(inflated) > limit:
        raise ValueError(f"more than {limit} bytes")
    return inflated


GENERAL_FILTERS = frozenset(
    (
        "/FlateDecode",
        "/Fl",
        "/LZWDecode",
        "/LZW",
        "/ASCII85Decode",
        "/A85",
        "/ASCIIHexDecode",
        "/AHx",
        "/RunLengthDecode",
        "/RL",
    )
)
"""Filters for any data, in contrast to those for images."""


class UndecodableError(ValueError):
    """A stream is damaged, or has a filter that is not for general data."""


class Streams:
    """The streams of a PDF other than images, which are decoded once and counted."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._left = MAX_INFLATED_BYTES
        self._counted: set[tuple[int, int]] = set()

    def read(self, stream: pikepdf.Object) -> bytes:
        """Return the decoded data of a stream.

        Raises:
            UndecodableError: It cannot be decoded.
            InvalidInput: The streams of the file inflate to more than 300 MB.
        """
        try:
            data = self._decoded(stream)
        except (pikepdf.PdfError, zlib.error) as error:
            raise UndecodableError(str(error)) from error
        if stream.objgen not in self._counted:
            self._counted.add(stream.objgen)
            self._left -= len(data)
        if self._left < 0:
            raise self._too_large()
        return data

    def write(self, stream: pikepdf.Object, data: bytes) -> None:
        """Replace the data of a stream, compressed."""
        stream.write(deflate(data), filter=Name.FlateDecode)

    def _decoded(self, stream: pikepdf.Object) -> bytes:
        filters = stream.get(Name.Filter)
        names = items(filters) if isinstance(filters, Array) else [filters]
        if names == [Name.FlateDecode]:
            try:
                data = inflate(stream.read_raw_bytes(), MAX_INFLATED_BYTES)
            except ValueError:
                raise self._too_large() from None
            if not _has_predictor(stream):
                return data
        return stream.read_bytes()

    def _too_large(self) -> InvalidInput:
        return InvalidInput(f"{self._source.label}: unpacks to more than {MAX_INFLATED_BYTES // 1_000_000} MB.")


def _has_predictor(stream: pikepdf.Object) -> bool:
    """Return whether decoded data must be filtered; other parameters do not matter."""
    parameters = stream.get(Name.DecodeParms)
    first = items(parameters)[0] if isinstance(parameters, Array) and len(parameters) else parameters
    predictor = dictionary(first).get(Name.Predictor, 1) if isinstance(first, Dictionary) else 1
    return predictor != 1
