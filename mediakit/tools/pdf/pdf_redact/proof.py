"""Proves that what was to be removed is gone: code that removed nothing reads the result again, in three ways.

PDFium and MuPDF read the pages, our own reader the text that content streams show, also where nothing is visible, and
`FileSearch` each string in every encoding of a PDF string, and each decoded stream. It knows nothing about how words
are removed, and has no list of the places where they may be.
"""

import ctypes
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from lxml import etree
from pikepdf import Array, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.mupdf import opened
from mediakit.engines.pdf.objects import dictionary, items, stream_bytes
from mediakit.engines.pdf.opening import PageKey, Source, open_unlimited
from mediakit.engines.raster.structure import jpeg_segments
from mediakit.tools.pdf.pdf_redact.page_text import Box, read_page
from mediakit.tools.pdf.pdf_redact.scope import content_of_other_pages, exempt_objects
from mediakit.tools.pdf.pdf_redact.searching import DATE_OR_ID, Finder
from mediakit.tools.pdf.pdf_redact.stream_text import (
    ShownText,
    image_file,
    names_in,
    names_of_content,
    standard_names,
    texts_of,
    texts_of_comments,
    texts_of_map,
    without_names,
)


@dataclass(frozen=True)
class Claim:
    """What must not be in a result any more."""

    finder: Finder
    """Finds what was to be removed."""
    selected: Sequence[int]
    """Indexes of the pages that were searched."""
    areas: Mapping[int, Sequence[Box]]
    """Areas that must be empty, in user space, by index of the page."""
    label: str = ""
    """Text that was drawn in the areas."""
    password: str | None = None
    """Password of the result."""


MAX_CHARACTERS = 2_000_000
"""Characters of a page that are read."""

COVERED = 0.5
"""Part of a letter within an area that is a leak. Libraries differ in the boxes of letters, so it is more than the part
that makes a letter go."""

HYPHEN = "\x02"
"""What pdfium writes for a hyphen at the end of a line."""


def letters_left(content: bytes, claim: Claim) -> dict[int, list[Box]]:
    """Return the boxes of letters that are still there, by index of the page."""
    found: dict[int, list[Box]] = {}
    with pypdfium2.PdfDocument(content, password=claim.password) as document:
        for index in sorted({*claim.selected, *claim.areas}):
            page = document[index]
            text_page = page.get_textpage()
            boxes = _letters_in(text_page, claim.areas.get(index, ()), claim.label)
            if index in claim.selected:
                text = _text(text_page)
                places = (place for hit in claim.finder.find(text) for place in range(hit.start, hit.end))
                boxes += [box for place in places if not text[place].isspace() and (box := _box(text_page, place))]
            text_page.close()
            page.close()
            if boxes:
                found[index] = boxes
    return found


def _text(text_page: Any) -> str:
    """Return the text of a page, one character for each of pdfium's."""
    count = min(text_page.count_chars(), MAX_CHARACTERS)
    codes = (pdfium.FPDFText_GetUnicode(text_page.raw, place) for place in range(count))
    text = "".join(map(_character, codes))
    return text.replace("\r\n", " \n").replace(HYPHEN, "\u00ad").replace("\r", "\n")


def _character(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _letters_in(text_page: Any, areas: Sequence[Box], label: str) -> list[Box]:
    """Return the letters in areas, without those of the label that was drawn there."""
    found: list[tuple[str, Box]] = []
    for place in range(min(text_page.count_chars(), MAX_CHARACTERS) if areas else 0):
        text = _character(pdfium.FPDFText_GetUnicode(text_page.raw, place))
        box = None if text.isspace() else _box(text_page, place)
        if box and any(_part(box, area) > COVERED for area in areas):
            found.append((text, box))
    shown, drawn = "".join(text for text, _ in found), "".join(label.split())
    return [] if drawn and not shown.replace(drawn, "") else [box for _, box in found]


def _part(box: Box, area: Box) -> float:
    across = min(box[2], area[2]) - max(box[0], area[0])
    up = min(box[3], area[3]) - max(box[1], area[1])
    size = (box[2] - box[0]) * (box[3] - box[1])
    return across * up / size if across > 0 and up > 0 and size else 0.0


def _box(text_page: Any, place: int) -> Box | None:
    rectangle = pdfium.FS_RECTF()
    if not pdfium.FPDFText_GetLooseCharBox(text_page.raw, place, ctypes.byref(rectangle)):
        return None
    box = rectangle.left, rectangle.bottom, rectangle.right, rectangle.top
    return box if box[2] > box[0] and box[3] > box[1] else None


MAX_TEXT_BYTES = 20_000_000
"""Streams that are searched as text; larger ones are searched as bytes."""

DATES = frozenset(("/CreationDate", "/ModDate", "/LastModified", "/M"))
IDENTIFIERS = frozenset(("/CheckSum", "/Lookup", "/Panose", "/Cert", "/ByteRange", "/U", "/O", "/OE", "/UE"))
"""Keys whose strings are bytes, not text: digests, colors, classes of fonts, certificates."""

TECHNICAL = frozenset(("/DA", "/CharSet", "/Registry", "/Ordering", "/FontFamily", "/RegistryName"))
"""Keys whose strings are names and numbers for programs; only longer words are searched there."""

CONTENT, FONT, IMAGE, METADATA, DATA = "page content", "font data", "image data", "metadata", "data streams"

_DATE = re.compile(rb"(?:D:)?\d{4}[\dZ+\-']*")

_XMP_SPACE = re.compile(r"adobe:ns:|https?://(?:ns\.adobe\.com/(?!pdfx/)|(?:www\.)?(?:purl|w3|aiim|npes|iptc)\.org/)")
"""Namespaces of XMP whose names are given; those of `pdfx` are keys of the document information."""

_JPEG = b"\xff\xd8"
_JPEG_TABLES = frozenset((0xC4, 0xDA, 0xDB))
"""Segments of codes and numbers, which look like digits (ITU-T T.81, table B.1): DHT, SOS and DQT."""
_JPEG_2000, _CODESTREAM = b"jP  ", b"jp2c"
_RUN = re.compile(rb"[\t\n\r -~\x80-\xff]{4,}")


_FONT_KEYS = (Name.FontFile, Name.FontFile2, Name.FontFile3, Name.ToUnicode, Name.CIDToGIDMap, Name.CIDSet)


class FileSearch:
    """Where in a file something is still found, except in exempt objects: those of pages that were not searched."""

    def __init__(self, pdf: pikepdf.Pdf, finder: Finder, exempt: Collection[PageKey]) -> None:
        self._pdf, self._finder, self._exempt = pdf, finder, exempt
        self._fonts: set[PageKey] = set()
        self._contents: set[PageKey] = set()
        self.places: set[str] = set()
        """Names of the places where it is found, such as `strings (/Title)`."""
        self.undecoded: set[str] = set()
        """Names of the places that cannot be decoded."""

    def run(self) -> None:
        """Search everything that can be reached from the trailer."""
        streams: list[Stream] = []
        seen: set[PageKey] = set()
        waiting: list[object] = [self._pdf.trailer]
        while waiting:
            item = waiting.pop()
            if not isinstance(item, Dictionary | Stream | Array):
                continue
            if item.is_indirect:
                if item.objgen in seen or item.objgen in self._exempt:
                    continue
                seen.add(item.objgen)
            if isinstance(item, Stream):
                streams.append(item)
            waiting += self._search_array(item) if isinstance(item, Array) else self._search_dictionary(item)
        for stream in streams:
            self._search_stream(stream)

    def _search_array(self, array: Array) -> list[object]:
        values: list[object] = list(array)
        if len(values) == 4 and values[0] in (Name.Indexed, Name.I):
            values = values[:2]  # the colors of a palette
        for value in values:
            self._search_string("", value)
        self._search_names(array)
        return values

    def _search_dictionary(self, holder: Object) -> list[object]:
        for key, value in holder.items():
            self._search_string(key, value)
        self._search_names(holder)
        parts = holder.get(Name.Contents)
        self._contents |= {each.objgen for each in (*items(parts), parts) if isinstance(each, Stream)}
        glyphs = dictionary(holder.get(Name.CharProcs)).values()
        self._contents |= {each.objgen for each in glyphs if isinstance(each, Stream)}
        self._fonts |= {each.objgen for key in _FONT_KEYS if isinstance(each := holder.get(key), Stream)}
        return list(holder.values())

    def _search_names(self, holder: Object) -> None:
        self.places |= {"names" for name in names_in(holder) if self._finder.has_long_word(name)}

    def _search_string(self, key: str, value: object) -> None:
        if not isinstance(value, String):
            return
        content = bytes(value)
        if key in TECHNICAL:
            names = (name for text in texts_of(content) for name in (text.split("/") if key == "/CharSet" else [text]))
            is_found = any(self._finder.has_long_word(name) for name in names if name not in standard_names())
        elif key in DATES and _DATE.fullmatch(content):
            return
        else:
            texts = () if key in IDENTIFIERS else texts_of(content)
            is_found = self._finder.has_bytes_in(content) or any(map(self._finder.find, texts))
        if is_found:
            self.places.add(f"strings ({key})" if key else "strings")

    def _search_stream(self, stream: Stream) -> None:
        place = self._place(stream)
        stored = bytes(stream.read_raw_bytes())
        content = stream_bytes(stream)
        if content is None:
            kind, content = image_file(stream)
            if kind is None:
                self.undecoded.add(place)
        has_rest = Name.Filter in stream and self._finder.has_bytes_in(stored)  # after the end of the data
        if has_rest or self._is_in(content, place):
            self.places.add(place)

    def _is_in(self, content: bytes, place: str) -> bool:
        is_text = len(content) <= MAX_TEXT_BYTES
        if place == METADATA and is_text:
            names = any(map(self._finder.has_long_word, xml_names(content)))
            return names or any(map(self._finder.find, xml_texts(content)))
        texts: Iterable[str] = ()
        names_of_place: Iterable[str] = ()
        if place == CONTENT:
            texts = texts_of_comments(content)
            names_of_place = names_of_content(content)
            content = without_names(content)
        elif place == FONT:
            names_of_place = texts_of_map(content) if b"begincmap" in content else ()
        elif place == IMAGE and is_text:
            texts = (each.decode("latin-1") for each in _RUN.findall(_besides_pixels(content)))
        elif place == DATA and is_text:
            texts = texts_of(content)
        find = self._finder
        return find.has_bytes_in(content) or any(map(find.has_long_word, names_of_place)) or any(map(find.find, texts))

    def _place(self, stream: Stream) -> str:
        """Return what a stream is, for people."""
        subtype = stream.get(Name.Subtype)
        if stream.objgen in self._fonts:
            return FONT
        if subtype == Name.Image:
            return IMAGE
        if subtype == Name.XML or stream.get(Name.Type) == Name.Metadata:
            return METADATA
        if stream.objgen in self._contents or subtype == Name.Form or Name.PatternType in stream:
            return CONTENT
        if any(key in stream for key in (Name.FunctionType, Name.ShadingType, Name.HalftoneType, Name.CMapName)):
            return "functions"
        return "color profiles" if Name.N in stream and Name.Subtype not in stream else DATA


def _besides_pixels(content: bytes) -> bytes:
    """Return what the file of an image holds besides pixels, without zeros."""
    if content.startswith(_JPEG):
        parts = (content[start:end] for code, start, end in jpeg_segments(content) if code not in _JPEG_TABLES)
        return b"\n".join(parts).replace(b"\0", b"")
    if content[4:8] != _JPEG_2000:
        return b""
    head, _, rest = content.partition(_CODESTREAM)
    length = int.from_bytes(head[-4:])
    length = int.from_bytes(rest[:8]) if length == 1 else length
    return (head + (rest[length - 8 :] if length else b"")).replace(b"\0", b"")


def xml_texts(content: bytes) -> Iterator[str]:
    """Yield the texts, comments and attributes of XML; all of it as text if it cannot be parsed."""
    root = _parsed(content)
    if root is None:
        yield from texts_of(content)
        return
    for element in (*root.itersiblings(preceding=True), *root.iter(), *root.itersiblings()):
        for text in (element.text, element.tail, *element.attrib.values()):
            if text and not DATE_OR_ID.fullmatch(str(text)):
                yield str(text)


def xml_names(content: bytes) -> Iterator[str]:
    """Yield the names in XML that are none of the usual ones of XMP: those of own properties, and namespaces."""
    root = _parsed(content)
    if root is None:
        return
    yield root.getroottree().docinfo.doctype
    names = {str(name) for each in root.iter("*") for name in (each.tag, *each.attrib)}
    spaces = {(prefix or "", address) for each in root.iter("*") for prefix, address in each.nsmap.items()}
    yield from (text for pair in spaces for text in pair if not _XMP_SPACE.match(pair[1]))
    for name in names:
        space, _, local = name.rpartition("}")
        if not _XMP_SPACE.match(space[1:]):
            yield local


def _parsed(content: bytes) -> "etree._Element | None":
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


@dataclass
class Leaks:
    """What is still there."""

    letters: dict[int, list[Box]] = field(default_factory=dict)
    """Boxes of letters that PDFium reads, by index of the page."""
    streams: set[int] = field(default_factory=set)
    """Indexes of the pages whose content or annotations show a match somewhere."""
    places: set[str] = field(default_factory=set)
    """Where a match is outside the text of pages, for people."""
    undecoded: set[str] = field(default_factory=set)
    """What cannot be decoded, and so not be searched, for people."""

    @property
    def pages(self) -> list[int]:
        """Indexes of the pages with leaks."""
        return sorted({*self.letters, *self.streams})


def prove(content: bytes, claim: Claim) -> Leaks:
    """Return what can still be found in a result."""
    leaks = Leaks()
    with open_unlimited(content, passwords=[claim.password] if claim.password else []).pdf as pdf:
        shown = ShownText()
        for index in claim.selected:
            if any(each.has_match(claim.finder) for each in shown.of_page(pdf.pages[index].obj)):
                leaks.streams.add(index)
        if claim.finder:
            source = Source(pdf)
            search = FileSearch(pdf, claim.finder, exempt_objects(source, claim.selected))
            search.run()
            leaks.places |= search.places
            unshown = shown.unshown(pdf, content_of_other_pages(source, claim.selected))
            leaks.places |= {"content that no page shows" for each in unshown if each.has_match(claim.finder)}
            leaks.undecoded = search.undecoded
        visible = content
        if Name.OCProperties in pdf.Root:  # without it, all layers are visible
            del pdf.Root.OCProperties
            target = BytesIO()
            pdf.save(target, stream_decode_level=pikepdf.StreamDecodeLevel.none, encryption=pdf.is_encrypted)
            visible = target.getvalue()
    leaks.letters = letters_left(visible, claim)
    leaks.streams |= _pages_by_mupdf(visible, claim)
    return leaks


def _pages_by_mupdf(content: bytes, claim: Claim) -> set[int]:
    """Return the indexes of the pages whose text, as MuPDF reads it, has a match."""
    with opened(content, claim.password) as document:
        return {
            index
            for index in claim.selected
            if any(claim.finder.find(reading.text) for reading in read_page(document[index]).readings)
        }
