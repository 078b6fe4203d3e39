"""Removes what no reader shows on a page: metadata of the document and of images, data of programs, comments, notices.

Attachments, thumbnails and private data of programs go as a whole, because they can hold copies of what is shown.
"""

import re
from collections.abc import Iterator
from contextlib import suppress

import pikepdf
from lxml import etree
from pikepdf import Array, Dictionary, Name, Stream

from mediakit.engines.pdf.objects import delete, dictionary, every_dictionary, items, one_or_more, stream_bytes
from mediakit.engines.pdf.opening import Source
from mediakit.engines.pdf.page_content import content_streams
from mediakit.engines.raster.metadata import copy_jpeg
from mediakit.engines.raster.structure import jpeg_segments
from mediakit.tools.pdf.pdf_redact.document_texts import Replacer
from mediakit.tools.pdf.pdf_redact.page_content import write_content
from mediakit.tools.pdf.pdf_redact.searching import DATE_OR_ID, Finder
from mediakit.tools.pdf.pdf_redact.stream_text import (
    content_bytes,
    content_holders,
    image_file,
    is_page_or_stream,
    texts_in,
    texts_of_comments,
    without_texts,
)

MAX_METADATA_BYTES = 10_000_000
"""XMP that is read; larger metadata go as a whole."""


def scrub_metadata(pdf: pikepdf.Pdf, replacer: Replacer) -> bool:
    """Replace what is found in all metadata streams, and return whether one had to be removed."""
    is_read: dict[tuple[int, int], bool] = {}
    for item in every_dictionary(pdf):
        stream = item.get(Name.Metadata)
        if not isinstance(stream, Stream):
            continue
        if stream.objgen not in is_read:
            is_read[stream.objgen] = _scrub(stream, replacer)
        if not is_read[stream.objgen]:
            del item.Metadata
    return not all(is_read.values())


def _scrub(stream: Stream, replacer: Replacer) -> bool:
    """Replace what is found in one stream; return False if it cannot be read."""
    content = stream_bytes(stream)
    if content is None or len(content) > MAX_METADATA_BYTES or b"<!ENTITY" in content:
        return False
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        replacer.find(content.decode("utf-8", "replace"))
        return False
    if changed := sum([_scrub_element(element, replacer) for element in root.iter()]):
        replacer.note("document information", changed)
        head, _, _ = content.partition(b"<x:xmpmeta")
        packet = head if b"<?xpacket" in head else b'<?xpacket begin="\xef\xbb\xbf" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        stream.write(packet + etree.tostring(root, encoding="utf-8") + b'\n<?xpacket end="w"?>')
    return True


def _scrub_element(element: "etree._Element", replacer: Replacer) -> int:
    if isinstance(element, etree._Comment | etree._ProcessingInstruction):  # noqa: SLF001  # lxml names its classes so
        if not replacer.find(element.text or ""):
            return 0
        element.text = ""
        return 1
    changed = 0
    for holder, name in ((element, "text"), (element, "tail")):
        text = getattr(holder, name)
        if text and not DATE_OR_ID.fullmatch(text) and (new := replacer.replaced(text)) is not None:
            setattr(holder, name, new)
            changed += 1
    for name, text in element.attrib.items():
        if not DATE_OR_ID.fullmatch(str(text)) and (new := replacer.replaced(str(text))) is not None:
            element.attrib[name] = new
            changed += 1
    return changed


METADATA_SEGMENTS = (*range(0xE1, 0xF0), 0xFE)
"""Segments of a JPEG that may hold metadata: of applications, and comments (ITU-T T.81, table B.1)."""

_END_OF_JPEG = b"\xff\xd9"
"""The end marker, for images that are cut off; what follows the first one is not copied."""

TEXT_BOXES = (b"xml ", b"uuid", b"uinf", b"asoc", b"lbl ")
"""Boxes of JPEG 2000 files with texts (ITU-T T.800, annex I)."""


def scrub_images(pdf: pikepdf.Pdf, replacer: Replacer) -> None:
    """Remove the metadata of each JPEG and JPEG 2000 image whose metadata has a match, and what follows the image."""
    for stream in pdf.objects:
        if not isinstance(stream, Stream):
            continue
        kind, content = image_file(stream)
        if kind is None or kind not in (Name.DCTDecode, Name.JPXDecode):
            continue
        is_jpeg = kind == Name.DCTDecode
        is_found = replacer.finds(_texts_of_image(content, is_jpeg=is_jpeg))
        if is_found or replacer.finder.has_bytes_in(content):
            with suppress(ValueError):  # the proof names an image that cannot be copied
                plain = b"".join(box for name, box in _boxes(content) if name not in TEXT_BOXES)
                new = copy_jpeg(content + _END_OF_JPEG, keep_metadata=False) if is_jpeg else plain
                _write_image(stream, kind, new)
                replacer.note("metadata of images")


def _write_image(stream: Stream, kind: Name, content: bytes) -> None:
    parameters = one_or_more(stream.get(Name.DecodeParms))[-1:]
    stream.write(content, filter=kind)
    if parameters:
        stream.DecodeParms = parameters[0]


def drop_rests(pdf: pikepdf.Pdf, finder: Finder) -> None:
    """Store streams with a match as they are decoded: what follows the end of compressed data goes."""
    for stream in pdf.objects:
        if not isinstance(stream, Stream) or Name.Filter not in stream:
            continue
        if not finder.has_bytes_in(stream.read_raw_bytes()):
            continue
        if (decoded := stream_bytes(stream)) is not None:
            stream.write(decoded)
            continue
        kind, content = image_file(stream)
        if kind is not None:
            _write_image(stream, kind, content)


def _texts_of_image(content: bytes, *, is_jpeg: bool) -> Iterator[str]:
    """Yield the metadata of a JPEG or a JPEG 2000 image as text, in two encodings."""
    if is_jpeg:
        segments = jpeg_segments(content)
        parts = [content[start:end] for code, start, end in segments if code in METADATA_SEGMENTS]
    else:
        parts = [box for name, box in _boxes(content) if name in TEXT_BOXES]
    for part in parts:
        plain = part.replace(b"\0", b"")
        yield plain.decode("latin-1")
        yield plain.decode("utf-8", "replace")


def _boxes(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the names and bytes of the boxes of a JPEG 2000 file, then the rest without a name."""
    at = 0
    while content[4:8] == b"jP  " and at + 8 <= len(content):
        length = int.from_bytes(content[at : at + 4])
        if length == 1:
            length = int.from_bytes(content[at + 8 : at + 16])
        if length < 8:
            length = len(content) - at  # to the end
        yield content[at + 4 : at + 8], content[at : at + length]
        at += length
    yield b"", content[at:]


PLAIN_KEYS = {"/Length", "/Filter", "/DecodeParms", "/DL"}
MAX_BYTES = 20_000_000


PARTS = (
    *(Name.FontFile, Name.FontFile2, Name.FontFile3, Name.ToUnicode, Name.CIDToGIDMap, Name.CIDSet),
    *(Name.DestOutputProfile, Name.HalftoneName, Name.TR, Name.BG, Name.UCR),
)
"""Keys of streams for fonts, colors and halftones."""


def empty_private_streams(pdf: pikepdf.Pdf, replacer: Replacer) -> None:
    """Empty the streams with a match that are neither content nor fonts, images and maps of codes."""
    known = {stream.objgen for page in pdf.pages for stream in content_streams(page.obj)}
    for item in every_dictionary(pdf):
        parts = [item.get(key) for key in PARTS] + list(dictionary(item.get(Name.CharProcs)).values())
        known |= {part.objgen for part in parts if isinstance(part, Stream)}
    for stream in pdf.objects:
        if isinstance(stream, Stream) and set(stream.keys()) <= PLAIN_KEYS and stream.objgen not in known:
            content = stream_bytes(stream) or b""
            is_text = len(content) <= MAX_BYTES and b"begincmap" not in content
            if is_text and replacer.finds(texts_in(stream)):
                stream.write(b"")
                replacer.note("other texts")


MEDIA = (Name.FileAttachment, Name.RichMedia, Name.Sound, Name.Movie, Name.Screen, Name("/3D"))
"""Annotations that hold a file, a sound or a film."""

PRIVATE = ("/Thumb", "/PieceInfo", "/SpiderInfo", "/AF")
"""Entries of pages, forms and the catalog with copies or private data of programs."""

TEMPLATES = ("/Templates", "/Pages", "/AP")
"""Name trees of pages and annotations that scripts add to the document."""

PROFILE_KEYS = {"/N", "/Alternate", "/Range", "/Metadata", "/Length", "/Filter", "/DecodeParms"}
"""Keys of the streams of color profiles."""

SENTENCE_BYTES = 60

_SENTENCE = re.compile(rb"[\t\n\r -~]{24,}|(?:\0[\t\n\r -~]){24,}\0?")
"""A run of readable characters, of one byte or of two (UTF-16BE)."""

_MAP = re.compile(rb"\d+\s+begin(?:codespacerange|bfchar|bfrange).*?end(?:codespacerange|bfchar|bfrange)", re.DOTALL)
"""The parts of a ToUnicode map that are read."""


def remove_hidden_data(source: Source) -> None:
    """Remove attachments, thumbnails, data of programs and XFA, with warnings."""
    _remove_attachments(source)
    for item in every_dictionary(source.pdf):
        delete(item, *PRIVATE)
    names = dictionary(source.root.get(Name.Names))
    if any(key in names for key in TEMPLATES):
        delete(names, *TEMPLATES)
        source.warn("Templates of pages and annotations were removed: no page shows them.")
    form = source.root.get(Name.AcroForm)
    if isinstance(form, Dictionary) and Name.XFA in form:
        del form.XFA
        source.warn("The XFA form was removed, because it repeats the values of the fields; the fields stay.")


def _remove_attachments(source: Source) -> None:
    files: set[tuple[int, int]] = set()
    for item in every_dictionary(source.pdf):
        if Name.EF in item:
            files |= {file.objgen for file in dictionary(item.EF).values() if isinstance(file, Stream)}
            delete(item, "/EF", "/RF", "/F", "/UF", "/Desc")
    delete(dictionary(source.root.get(Name.Names)), "/EmbeddedFiles")
    delete(source.root, "/Collection")
    removed = 0
    for page in source.pages:
        found = items(page.get(Name.Annots))
        kept = [each for each in found if dictionary(each).get(Name.Subtype) not in MEDIA]
        if len(kept) < len(found):
            page.Annots = Array(kept)
            removed += len(found) - len(kept)
    if count := max(len(files), removed):
        were = "attachments were" if count > 1 else "attachment was"
        source.warn(f"{count} {were} removed, because the content of attachments is not searched.")


def shorten_maps(pdf: pikepdf.Pdf, finder: Finder) -> None:
    """Leave only codes and characters in ToUnicode maps that have a match: in a text of one code, or another word.

    No reader needs the rest; a search of the raw file should not find a word either.
    """
    for item in every_dictionary(pdf):
        codes = item.get(Name.ToUnicode)
        content = (stream_bytes(codes) or b"") if isinstance(codes, Stream) else b""
        kept = without_texts(content, finder)
        if isinstance(codes, Stream) and (kept != content or finder.find(content.decode("latin-1"))):
            codes.write(b"begincmap\n" + b"\n".join(_MAP.findall(kept)) + b"\nendcmap")


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


def drop_comments(pdf: pikepdf.Pdf, replacer: Replacer) -> None:
    """Remove the comments of content that has a match in one. Streams of a page go together: operands may be in two."""
    for holder in content_holders(pdf):
        if is_page_or_stream(holder) and replacer.finds(texts_of_comments(content_bytes(holder))):
            write_content(pdf, holder, pikepdf.unparse_content_stream(pikepdf.parse_content_stream(holder)))
