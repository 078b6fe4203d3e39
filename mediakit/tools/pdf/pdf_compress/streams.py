"""Reads and recompresses the streams of a PDF, within a limit of what they inflate to."""

import zlib
from collections.abc import Sequence
from typing import Final

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from mediakit.engines.pdf.objects import dictionary, items, stream_bytes
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

    def recompress(self, objects: Sequence[pikepdf.Object]) -> None:
        """Compress all streams better, except images and the metadata of PDF/A documents."""
        plain_metadata = _plain_metadata(self._source)
        for item in objects:
            if isinstance(item, Stream) and item.objgen != plain_metadata and _is_general(item):
                self._recompress(item)

    def _recompress(self, stream: pikepdf.Object) -> None:
        raw = stream.read_raw_bytes()
        try:
            data = self.read(stream)
        except UndecodableError:
            return
        smaller = deflate(data)
        if len(smaller) + (0 if Name.Filter in stream else len("/Filter/FlateDecode")) < len(raw):
            stream.write(smaller, filter=Name.FlateDecode)

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


def _is_general(stream: pikepdf.Object) -> bool:
    """Return whether a stream is not an image, and its data is in the file."""
    if stream.get(Name.Subtype) == Name.Image or Name.F in stream:
        return False
    return not _names(stream) - GENERAL_FILTERS


def _names(stream: pikepdf.Object) -> set[str]:
    filters = stream.get(Name.Filter)
    return {str(name) for name in (items(filters) if isinstance(filters, Array) else [filters]) if name is not None}


def _has_predictor(stream: pikepdf.Object) -> bool:
    """Return whether decoded data must be filtered; other parameters do not matter."""
    parameters = stream.get(Name.DecodeParms)
    first = items(parameters)[0] if isinstance(parameters, Array) and len(parameters) else parameters
    predictor = dictionary(first).get(Name.Predictor, 1) if isinstance(first, Dictionary) else 1
    return predictor != 1


def _plain_metadata(source: Source) -> tuple[int, int] | None:
    """Return the XMP of a PDF/A document, which must not be compressed (ISO 19005-1, 6.7.2)."""
    metadata = source.root.get(Name.Metadata)
    if isinstance(metadata, Stream) and b"pdfaid" in (stream_bytes(metadata) or b""):
        return metadata.objgen
    return None
