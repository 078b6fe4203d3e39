"""Extracts the content of a PDF; runs in a worker."""

import re
from collections.abc import Sequence
from html import unescape

import pikepdf
from pikepdf import Name

from mediakit.engines.pdf.dates import iso_of
from mediakit.engines.pdf.document import open_to_read, refuse_dynamic_xfa
from mediakit.engines.pdf.mupdf import open_pages
from mediakit.engines.pdf.opening import damage, warn_of_lost_protection
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.pdf.reading.contents import CONTENTS
from mediakit.engines.pdf.reading.options import Extracted, ExtractOptions
from mediakit.engines.pdf.reading.pdf_file import PdfFile
from mediakit.engines.pdf.source import Source

_TITLE = re.compile(r"<dc:title>\s*<rdf:Alt>\s*<rdf:li[^>]*>([^<]*)</rdf:li>")
"""The title in XMP (ISO 16684-1)."""


def extract(content: bytes, options: ExtractOptions) -> Extracted:
    """Extract text, Markdown, tables, words, links or images.

    Raises:
        InvalidInput: The file is not a PDF that can be read, or a page does not exist.
    """
    source = open_to_read(content, options.password)
    refuse_dynamic_xfa(source)
    selected = indices(options.pages, len(source.pages))
    if source.pdf.is_encrypted:
        warn_of_lost_protection(source)
    document = open_pages(source, content, options.password)
    file = PdfFile(source, document, selected)
    extracted = CONTENTS[options.what](options, file)
    extracted.pages = len(source.pages)
    extracted.title = _title(source)
    extracted.author = _entry(source, Name.Author)
    extracted.created = _date(source, Name.CreationDate)
    extracted.modified = _date(source, Name.ModDate)
    extracted.pages_without_text = file.pages_without_text
    extracted.unmapped = file.unmapped
    extracted.warnings = [*_warnings(source), *file.warnings, *extracted.warnings]
    return extracted


def _title(source: Source) -> str | None:
    """Return the title of the document, that of its metadata stream where the older dictionary has none."""
    title = _entry(source, Name.Title)
    if title:
        return title
    metadata = source.root.get(Name.Metadata)
    if not isinstance(metadata, pikepdf.Stream):
        return None
    try:
        found = _TITLE.search(metadata.read_bytes().decode("utf-8", "replace"))
    except pikepdf.PdfError:
        return None
    return unescape(found[1]).strip() or None if found else None


def _entry(source: Source, name: Name) -> str | None:
    """Return a text of the document information dictionary. None if it is missing or blank."""
    info = source.pdf.trailer.get(Name.Info)
    text = info.get(name) if isinstance(info, pikepdf.Dictionary) else None
    return str(text).strip() or None if isinstance(text, pikepdf.String) else None


def _date(source: Source, name: Name) -> str | None:
    text = _entry(source, name)
    return iso_of(text) if text else None


def _warnings(source: Source) -> Sequence[str]:
    """Return the warnings of the file, also of damage that was found while it was read."""
    late = "" if source.repaired else damage(source.pdf)
    if late:
        source.warn(f"The file was damaged and has been repaired: {late}.")
    return source.warnings
