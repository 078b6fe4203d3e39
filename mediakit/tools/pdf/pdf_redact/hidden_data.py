"""Removes what no reader shows on a page, and what could hold copies of it: attachments, thumbnails, private data."""

import re
from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream

from mediakit.engines.pdf.graphics_state import content_streams
from mediakit.engines.pdf.objects import dictionaries, dictionary, every_dictionary, items, stream_bytes
from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_redact.decoding import texts_of
from mediakit.tools.pdf.pdf_redact.searching import Finder

MEDIA = (Name.FileAttachment, Name.RichMedia, Name.Sound, Name.Movie, Name.Screen, Name("/3D"))
"""Annotations that hold a file, a sound or a film."""

PRIVATE = (Name.Thumb, Name.PieceInfo, Name.SpiderInfo, Name.AF, Name("/LastModified"))
"""Entries of pages, forms and the catalog with copies or private data of programs."""

PROFILE_KEYS = {"/N", "/Alternate", "/Range", "/Metadata", "/Length", "/Filter", "/DecodeParms"}
"""Keys of the streams of color profiles."""

SENTENCE_BYTES = 60

_SENTENCE = re.compile(rb"[\t\n\r -~]{24,}|(?:\0[\t\n\r -~]){24,}\0?")
"""A run of readable characters, of one byte or of two (UTF-16BE)."""

_COMMENT = re.compile(rb"%[^\r\n]*")

_MAP = re.compile(rb"\d+\s+begin(?:codespacerange|bfchar|bfrange).*?end(?:codespacerange|bfchar|bfrange)", re.DOTALL)
"""The parts of a ToUnicode map that are read."""


def remove_hidden_data(source: Source) -> None:
    """Remove attachments, thumbnails, data of programs and XFA, with warnings."""
    _remove_attachments(source)
    for item in every_dictionary(source.pdf):
        for key in PRIVATE:
            if key in item and not _is_struct_private(item, key):
                del item[key]
    names = dictionary(source.root.get(Name.Names))
    templates = [key for key in (Name.Templates, Name.Pages, Name.AP) if key in names]
    for key in templates:
        del names[key]
    if templates:
        source.warn("Templates of pages and annotations were removed: no page shows them.")
    form = source.root.get(Name.AcroForm)
    if isinstance(form, Dictionary) and Name.XFA in form:
        del form.XFA
        source.warn("The XFA form was removed, because it repeats the values of the fields; the fields stay.")


def _is_struct_private(item: Object, key: Name) -> bool:
    return key == Name.LastModified and item.get(Name.Type) not in (Name.Page, Name.XObject)


def _remove_attachments(source: Source) -> None:
    files = {stream.objgen for item in every_dictionary(source.pdf) for stream in _embedded(item)}
    for item in every_dictionary(source.pdf):
        if Name.EF in item:
            for key in (Name.EF, Name.RF, Name.F, Name.UF, Name.Desc):
                if key in item:
                    del item[key]
    names = dictionary(source.root.get(Name.Names))
    for holder, key in ((names, Name.EmbeddedFiles), (source.root, Name.Collection)):
        if key in holder:
            del holder[key]
    removed = sum(_remove_annotations(page) for page in source.pages)
    count = max(len(files), removed)
    if count:
        were = "attachments were" if count > 1 else "attachment was"
        source.warn(f"{count} {were} removed, because the content of attachments is not searched.")


def _embedded(item: Object) -> Iterator[Object]:
    if isinstance(item, Dictionary) and not isinstance(item, Stream):
        yield from (file for file in dictionary(item.get(Name.EF)).values() if isinstance(file, Stream))


def _remove_annotations(page: Object) -> int:
    found = dictionaries(page.get(Name.Annots))
    kept = [item for item in items(page.get(Name.Annots)) if not _is_media(item)]
    if len(kept) < len(items(page.get(Name.Annots))):
        page.Annots = Array(kept)
    return len(found) - len([item for item in kept if isinstance(item, Dictionary)])


def _is_media(item: object) -> bool:
    return isinstance(item, Dictionary) and item.get(Name.Subtype) in MEDIA


def shorten_maps(pdf: pikepdf.Pdf, finder: Finder) -> None:
    """Leave only codes and characters in ToUnicode maps whose other words have a match, such as `defineresource`.

    No reader needs the rest; a search of the raw file should not find a word either.
    """
    for item in pdf.objects:
        codes = item.get(Name.ToUnicode) if isinstance(item, Dictionary) else None
        if isinstance(codes, Stream) and finder.find((content := codes.read_bytes()).decode("latin-1")):
            codes.write(b"begincmap\n" + b"\n".join(_MAP.findall(content)) + b"\nendcmap")


def blank_notices(pdf: pikepdf.Pdf, finder: Finder) -> None:
    """Overwrite words with blanks where they are in a sentence inside a font or a color profile, such as its license.

    No reader shows it. Names of glyphs and of the font are not sentences, and stay.
    """
    if finder.raw_pattern is None:
        return
    keys = (Name.FontFile, Name.FontFile2, Name.FontFile3)
    streams = [each for item in every_dictionary(pdf) for key in keys if isinstance(each := item.get(key), Stream)]
    streams += [each for each in pdf.objects if isinstance(each, Stream) and {"/N"} <= set(each.keys()) <= PROFILE_KEYS]
    for stream in {each.objgen: each for each in streams}.values():
        content = stream_bytes(stream) or b""
        found = [match.span() for match in finder.raw_pattern.finditer(content) if _is_in_sentence(content, match)]
        if found:
            changed = bytearray(content)
            for start, end in found:
                changed[start:end] = bytes(each and ord(" ") for each in content[start:end])
            stream.write(bytes(changed))


def _is_in_sentence(content: bytes, match: re.Match[bytes]) -> bool:
    start, end = match.span()
    around = content[max(0, start - SENTENCE_BYTES) : end + SENTENCE_BYTES]
    at = min(start, SENTENCE_BYTES)
    runs = _SENTENCE.finditer(around)
    return any(run.start() <= at and at + end - start <= run.end() and b" " in run[0] for run in runs)


def comments(pdf: pikepdf.Pdf) -> Iterator[tuple[Object, str]]:
    """Yield the comments of the content of pages and forms."""
    contents = [each for page in pdf.pages for each in content_streams(page.obj)]
    forms = [each for each in pdf.objects if isinstance(each, Stream) and each.get(Name.Subtype) == Name.Form]
    for stream in (*contents, *forms):
        for comment in _COMMENT.findall(stream_bytes(stream) or b""):
            yield from ((stream, text) for text in texts_of(comment))


def drop_comments(pdf: pikepdf.Pdf, finder: Finder) -> None:
    """Remove the comments of content that have a match in one."""
    for stream in {stream.objgen: stream for stream, text in comments(pdf) if finder.find(text)}.values():
        stream.write(pikepdf.unparse_content_stream(pikepdf.parse_content_stream(stream)))


def drop_unused_resources(pdf: pikepdf.Pdf) -> None:
    """Remove resources that pages do not use: content of other pages can be among them."""
    for page in pdf.pages:
        page.remove_unreferenced_resources()
