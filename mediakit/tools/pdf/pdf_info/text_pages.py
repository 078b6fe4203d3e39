"""Finds pages that show something but have no text, such as scans."""

import re
import zlib

import pikepdf
import pymupdf
from pikepdf import Name, Stream

from mediakit.engines.pdf.mupdf import open_pages
from mediakit.engines.pdf.objects import items
from mediakit.engines.pdf.source import Source

MAX_LAID_OUT_BYTES = 4_000_000
"""Size of a page's content up to which its text is laid out; in larger ones, operators that show text are searched."""

_SHOWS_TEXT = re.compile(rb"T[jJ]\s")


def pages_without_text(source: Source, content: bytes, password: str | None) -> list[int]:
    """Return the numbers of the pages; a page that cannot be read counts as one with text."""
    try:
        with open_pages(source, content, password) as document:
            return [index + 1 for index, page in enumerate(source.pages) if _lacks_text(document, index, page)]
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return []


def _lacks_text(document: pymupdf.Document, index: int, page: pikepdf.Object) -> bool:
    head = _head(page)
    if len(head) > MAX_LAID_OUT_BYTES:
        return not _SHOWS_TEXT.search(head)
    try:
        laid_out = document[index]
        return not laid_out.get_text("text", flags=0).strip() and bool(laid_out.get_bboxlog())  # type: ignore[no-untyped-call]
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
        return False


def _head(page: pikepdf.Object) -> bytes:
    """Return the first bytes of a page's content, a little more than are laid out."""
    contents = page.get(Name.Contents)
    streams = [contents] if isinstance(contents, Stream) else items(contents)
    head = b""
    for stream in streams:
        left = MAX_LAID_OUT_BYTES + 1 - len(head)
        if left > 0 and isinstance(stream, Stream):
            head += _inflated(stream, left)
    return head


def _inflated(stream: pikepdf.Object, limit: int) -> bytes:
    raw = stream.read_raw_bytes()
    if stream.get(Name.Filter) not in (Name.FlateDecode, pikepdf.Array([Name.FlateDecode])):
        return raw[:limit]
    try:
        return zlib.decompressobj().decompress(raw, limit)
    except zlib.error:
        return b""
