"""Removes the glyphs that a PDF does not show from its embedded fonts."""

import hashlib
import re
import struct
from collections.abc import Sequence

import pikepdf
from pikepdf import Name, Stream

from mediakit.engines.pdf.objects import dictionary
from mediakit.engines.pdf.source import PageKey, Source
from mediakit.tools.pdf.pdf_compress.content.fonts import FontUse, descendant, differences, is_identity
from mediakit.tools.pdf.pdf_compress.content.usage import Usage
from mediakit.tools.pdf.pdf_compress.fonts import truetype
from mediakit.tools.pdf.pdf_compress.fonts.cmap import glyphs_of_codes
from mediakit.tools.pdf.pdf_compress.fonts.sfnt import read_tables
from mediakit.tools.pdf.pdf_compress.streams import Streams

_TAGGED = re.compile(r"/[A-Z]{6}\+")
"""The name of a subset (ISO 32000-2, 9.9.2)."""


class KeptWholeError(ValueError):
    """A font of a kind that stays whole."""


def subset_fonts(source: Source, usage: Usage, streams: Streams) -> None:
    """Replace font programs by subsets where that makes them smaller."""
    if not usage.readable:
        return
    for key, fonts in usage.fonts.items():
        if key in usage.whole_programs:
            continue
        try:
            _subset(source.pdf, key, fonts, streams)
        except (ValueError, IndexError, struct.error, pikepdf.PdfError):
            continue  # a damaged or unusual font stays unchanged


def _subset(pdf: pikepdf.Pdf, key: PageKey, fonts: Sequence[FontUse], streams: Streams) -> None:
    stream = pdf.get_object(key)
    program = streams.read(stream)
    descriptors = [dictionary(descendant(use.font).get(Name.FontDescriptor)) for use in fonts]
    if not all(Name.FontFile2 in descriptor for descriptor in descriptors):
        raise KeptWholeError
    smaller = _truetype(program, fonts, streams)
    if len(smaller) >= len(program):
        return
    streams.write(stream, smaller)
    stream.Length1 = len(smaller)
    for use in fonts:
        _mark(use, key)


def _truetype(program: bytes, fonts: Sequence[FontUse], streams: Streams) -> bytes:
    glyphs: set[int] = set()
    simple = False
    for use in fonts:
        if use.wide:
            glyphs |= _glyphs_of_cids(use, streams)
        else:
            simple = True
            glyphs |= glyphs_of_codes(read_tables(program), use.codes, differences(use.font))
    return truetype.subset(program, glyphs, names=simple)


def _glyphs_of_cids(use: FontUse, streams: Streams) -> set[int]:
    if not is_identity(use.font):
        raise KeptWholeError
    table = descendant(use.font).get(Name.CIDToGIDMap)
    if not isinstance(table, Stream):
        return set(use.codes)
    data = streams.read(table)
    return {int.from_bytes(data[cid * 2 : cid * 2 + 2]) for cid in use.codes}


def _mark(use: FontUse, key: PageKey) -> None:
    """Give a font the name of a subset, and remove the lists of its former glyphs."""
    inner = descendant(use.font)
    descriptor = dictionary(inner.get(Name.FontDescriptor))
    for list_of_glyphs in (Name.CIDSet, Name.CharSet):
        if list_of_glyphs in descriptor:
            del descriptor[list_of_glyphs]
    digest = hashlib.sha256(f"{key} {sorted(use.codes)}".encode()).digest()
    tag = "".join(chr(ord("A") + byte % 26) for byte in digest[:6])
    for holder, name in ((use.font, Name.BaseFont), (inner, Name.BaseFont), (descriptor, Name.FontName)):
        old = holder.get(name)
        if isinstance(old, Name) and not _TAGGED.match(str(old)):
            holder[name] = Name(f"/{tag}+{str(old)[1:]}")
