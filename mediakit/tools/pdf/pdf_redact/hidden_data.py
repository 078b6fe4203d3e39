"""Removes what no reader shows on a page: metadata of the document and of images, data of programs, comments, notices.

Attachments, thumbnails and private data of programs go as a whole, because they can hold copies of what is shown.
"""

import re
from collections.abc import Iterator

import pikepdf
from lxml import etree
from pikepdf import Array, Dictionary, Name, Object, Stream

from mediakit.engines.pdf.objects import dictionaries, dictionary, every_dictionary, items, stream_bytes
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.engines.pdf.page_content import content_streams
from mediakit.tools.pdf.pdf_redact.replacing import Replacer
from mediakit.tools.pdf.pdf_redact.searching import Finder
from mediakit.tools.pdf.pdf_redact.stream_text import texts_of

MAX_METADATA_BYTES = 10_000_000
"""XMP that is read; larger metadata go as a whole."""

_DATE_OR_ID = re.compile(r"\s*(?:\d{4}(?:-\d\d){0,2}(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?|(?:urn:)?[\w.:]*id:[\w-]+)\s*")
"""Values that programs write, which look like numbers of cards and phones."""


def metadata_streams(pdf: pikepdf.Pdf) -> Iterator[Stream]:
    """Yield the metadata streams of all objects, each once."""
    seen: set[tuple[int, int]] = set()
    for item in every_dictionary(pdf):
        stream = item.get(Name.Metadata)
        if isinstance(stream, Stream) and stream.objgen not in seen:
            seen.add(stream.objgen)
            yield stream


def scrub_metadata(pdf: pikepdf.Pdf, replacer: Replacer) -> bool:
    """Replace what is found in all metadata streams, and return whether one had to be removed."""
    unread = {stream.objgen for stream in metadata_streams(pdf) if not _scrub(stream, replacer)}
    for item in every_dictionary(pdf):
        stream = item.get(Name.Metadata)
        if isinstance(stream, Stream) and stream.objgen in unread:
            del item.Metadata
    return bool(unread)


def _scrub(stream: Stream, replacer: Replacer) -> bool:
    """Replace what is found in one stream; return False if it cannot be read."""
    content = stream_bytes(stream)
    if content is None or len(content) > MAX_METADATA_BYTES or b"<!ENTITY" in content:
        return False
    try:
        root = _parsed(content)
    except (etree.XMLSyntaxError, ValueError):
        return False
    changed = 0
    for element in list(root.iter()):
        changed += _scrub_element(element, replacer)
    if changed:
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
        if text and not _DATE_OR_ID.fullmatch(text) and (new := replacer.replaced(text)) is not None:
            setattr(holder, name, new)
            changed += 1
    for name, text in element.attrib.items():
        if not _DATE_OR_ID.fullmatch(str(text)) and (new := replacer.replaced(str(text))) is not None:
            element.attrib[name] = new
            changed += 1
    return changed


def _parsed(content: bytes) -> "etree._Element":
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    return etree.fromstring(content, parser)


def metadata_texts(stream: Stream) -> list[str]:
    """Return the texts of XMP metadata, without markup and namespaces; none if it cannot be decoded."""
    content = stream_bytes(stream) or b""
    try:
        root = _parsed(content)
    except (etree.XMLSyntaxError, ValueError):
        return [content.decode("utf-8", "replace")]
    found: list[str] = []
    for element in root.iter():
        found += [str(text) for text in (element.text, element.tail, *element.attrib.values()) if text]
    return [text for text in found if not _DATE_OR_ID.fullmatch(text)]


START, SCAN, MARKERS_WITHOUT_LENGTH = 0xD8, 0xDA, {0x01, *range(0xD0, 0xD9)}

KEPT_SEGMENTS = {0xE0, 0xE2, 0xEE}
"""JFIF, color profile and Adobe segments, which say how the pixels are drawn (ITU-T T.81, ICC.1, Adobe TN 5116)."""

TEXT_BOXES = (b"xml ", b"uuid", b"uinf", b"asoc", b"lbl ")
"""Boxes of JPEG 2000 files with texts (ITU-T T.800, annex I)."""


def image_texts(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Yield the metadata of all JPEG and JPEG 2000 images as text."""
    for _, _, parts in _images(pdf):
        yield from (text for part, is_needed in parts if not is_needed for text in _texts(part))


def scrub_images(pdf: pikepdf.Pdf, replacer: Replacer) -> None:
    """Remove the metadata of each JPEG and JPEG 2000 image whose metadata has a match."""
    for stream, kind, parts in _images(pdf):
        if any(not is_needed and any(map(replacer.find, _texts(part))) for part, is_needed in parts):
            parameters = stream.get(Name.DecodeParms)
            stream.write(b"".join(part for part, is_needed in parts if is_needed), filter=kind)
            if parameters is not None:
                stream.DecodeParms = parameters
            replacer.note("metadata of images")


def _images(pdf: pikepdf.Pdf) -> Iterator[tuple[Stream, Name, list[tuple[bytes, bool]]]]:
    """Yield the images, their filters, and their parts with whether each is needed."""
    for item in pdf.objects:
        if not isinstance(item, Stream) or item.get(Name.Subtype) != Name.Image:
            continue
        for kind, read in ((Name.DCTDecode, _segments), (Name.JPXDecode, _boxes)):
            if item.get(Name.Filter) in (kind, Array([kind])):
                yield item, kind, list(read(item.read_raw_bytes()))


def _segments(content: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the segments of a JPEG file up to the first scan, then the rest, and whether each is needed."""
    at = 0
    while content[at : at + 1] == b"\xff" and at + 4 <= len(content):
        marker = content[at + 1]
        if marker == SCAN:
            break
        length = 2 if marker in MARKERS_WITHOUT_LENGTH else 2 + int.from_bytes(content[at + 2 : at + 4])
        is_metadata = (0xE0 <= marker <= 0xEF and marker not in KEPT_SEGMENTS) or marker == 0xFE
        yield content[at : at + length], not is_metadata
        at += length
    yield content[at:], True


def _boxes(content: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the boxes of a JPEG 2000 file, and whether each is needed."""
    at = 0
    while content[4:8] == b"jP  " and at + 8 <= len(content):
        length = int.from_bytes(content[at : at + 4])
        if length == 1:
            length = int.from_bytes(content[at + 8 : at + 16])
        if length < 8:
            break
        yield content[at : at + length], content[at + 4 : at + 8] not in TEXT_BOXES
        at += length
    yield content[at:], True


def _texts(part: bytes) -> Iterator[str]:
    plain = part.replace(b"\0", b"")
    yield plain.decode("latin-1")
    yield plain.decode("utf-8", "replace")


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
