"""Streams that belong to nothing that a reader knows: scripts, values of fields, data of programs."""

from collections.abc import Iterator

import pikepdf
from pikepdf import Name, Object, Stream

from mediakit.engines.pdf.graphics_state import content_streams
from mediakit.engines.pdf.objects import dictionary, every_dictionary, stream_bytes
from mediakit.engines.pdf.source import PageKey

PLAIN_KEYS = {"/Length", "/Filter", "/DecodeParms", "/DL"}
MAX_BYTES = 20_000_000


def private_streams(pdf: pikepdf.Pdf) -> Iterator[Stream]:
    """Return the streams that are neither content nor fonts, images and maps of codes, as far as they are texts."""
    known = _known(pdf)
    for item in pdf.objects:
        if isinstance(item, Stream) and set(item.keys()) <= PLAIN_KEYS and item.objgen not in known:
            content = stream_bytes(item)
            if content is not None and len(content) <= MAX_BYTES and b"begincmap" not in content:
                yield item


def _known(pdf: pikepdf.Pdf) -> set[PageKey]:
    """Return the streams of pages, fonts and glyphs."""
    known = {stream.objgen for page in pdf.pages for stream in content_streams(page.obj)}
    for item in every_dictionary(pdf):
        known |= {value.objgen for value in _parts(item) if isinstance(value, Stream)}
    return known


def _parts(holder: Object) -> Iterator[object]:
    for key in (Name.FontFile, Name.FontFile2, Name.FontFile3, Name.ToUnicode, Name.CIDToGIDMap, Name.CIDSet):
        yield holder.get(key)
    yield from dictionary(holder.get(Name.CharProcs)).values()
    halftones_and_colors = (Name.DestOutputProfile, Name.HalftoneName, Name.TR, Name.BG, Name.UCR)
    yield from (holder.get(key) for key in halftones_and_colors)
