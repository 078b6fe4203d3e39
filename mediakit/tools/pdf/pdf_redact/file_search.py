"""Searches a whole file: each string in every encoding of a PDF string, and each decoded stream.

It knows nothing about how words are removed, and has no list of the places where they may be.
"""

import re
from collections.abc import Collection, Iterator

import pikepdf
from lxml import etree
from pikepdf import Array, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.objects import dictionary, items, stream_bytes
from mediakit.engines.pdf.source import PageKey
from mediakit.tools.pdf.pdf_redact.decoding import texts_of
from mediakit.tools.pdf.pdf_redact.names import names_in, names_of_content, standard_names, without_names
from mediakit.tools.pdf.pdf_redact.searching import Finder

MAX_TEXT_BYTES = 20_000_000
"""Streams that are searched as text; larger ones are searched as bytes."""

IMAGE_FILTERS = (Name.DCTDecode, Name.JPXDecode, Name.JBIG2Decode, Name.CCITTFaxDecode)
"""Filters of pixels. What such a stream holds besides pixels is searched as bytes."""

DATES = frozenset(("/CreationDate", "/ModDate", "/LastModified", "/M"))
IDENTIFIERS = frozenset(("/CheckSum", "/Lookup", "/Panose", "/Cert", "/ByteRange", "/U", "/O", "/OE", "/UE"))
"""Keys whose strings are bytes, not text: digests, colors, classes of fonts, certificates."""

TECHNICAL = frozenset(("/DA", "/CharSet", "/Registry", "/Ordering", "/FontFamily", "/RegistryName"))
"""Keys whose strings are names and numbers for programs; only longer words are searched there."""

CONTENT, IMAGE, METADATA, DATA = "page content", "image data", "metadata", "data streams"

_DATE = re.compile(rb"(?:D:)?\d{4}[\dZ+\-']*")

_DATE_OR_ID = re.compile(r"\s*(?:\d{4}(?:-\d\d){0,2}(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?|(?:urn:)?[\w.:]*id:[\w-]+)\s*")
"""Values in metadata that programs write, which look like numbers of cards and phones."""

_XMP_SPACE = re.compile(r"adobe:ns:|https?://(?:ns\.adobe\.com/(?!pdfx/)|(?:www\.)?(?:purl|w3|aiim|npes|iptc)\.org/)")
"""Namespaces of XMP whose names are given; those of `pdfx` are keys of the document information."""

_COMMENT = re.compile(rb"%[^\r\n]*")
_JPEG, _JPEG_SCAN = b"\xff\xd8", b"\xff\xda"
_RUN = re.compile(rb"[\t\n\r -~\x80-\xff]{4,}")


_FONT_KEYS = (Name.FontFile, Name.FontFile2, Name.FontFile3, Name.ToUnicode, Name.CIDToGIDMap, Name.CIDSet)


class FileSearch:
    """Where in a file something is still found.

    Args:
        pdf: The file.
        finder: Finds what must be gone.
        exempt: Objects of pages that were not searched.
    """

    def __init__(self, pdf: pikepdf.Pdf, finder: Finder, exempt: Collection[PageKey]) -> None:
        self._pdf, self._finder, self._exempt = pdf, finder, exempt
        self._raw = finder.raw_pattern
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
            texts = texts_of(content)
            names = (name for text in texts for name in (text.split("/") if key == "/CharSet" else [text]))
            is_found = any(self._finder.has_long_word(name) for name in names if name not in standard_names())
        elif key in IDENTIFIERS or (key in DATES and _DATE.fullmatch(content)):
            return
        else:
            is_found = any(map(self._finder.find, texts_of(content)))
        if is_found:
            self.places.add(f"strings ({key})" if key else "strings")

    def _search_stream(self, stream: Stream) -> None:
        place = self._place(stream)
        content = stream_bytes(stream)
        if content is None:
            filters = [*items(stream.get(Name.Filter)), stream.get(Name.Filter)]
            if not any(each in IMAGE_FILTERS for each in filters):
                self.undecoded.add(place)
            content = bytes(stream.read_raw_bytes())
        if self._is_in(content, place):
            self.places.add(place)

    def _is_in(self, content: bytes, place: str) -> bool:
        if place == METADATA and len(content) <= MAX_TEXT_BYTES:
            names = any(map(self._finder.has_long_word, xml_names(content)))
            return names or any(map(self._finder.find, xml_texts(content)))
        if self._raw and self._raw.search(without_names(content) if place == CONTENT else content):
            return True
        if place == CONTENT:
            comments = (text for each in _COMMENT.findall(content) for text in texts_of(each))
            names = any(map(self._finder.has_long_word, names_of_content(content)))
            return names or any(map(self._finder.find, comments))
        if len(content) > MAX_TEXT_BYTES:
            return False
        if place == IMAGE:
            head, _, _ = content.partition(_JPEG_SCAN) if content.startswith(_JPEG) else (b"", b"", b"")
            return any(self._finder.find(each.decode("latin-1")) for each in _RUN.findall(head.replace(b"\0", b"")))
        return place == DATA and any(map(self._finder.find, texts_of(content)))

    def _place(self, stream: Stream) -> str:
        """Return what a stream is, for people."""
        subtype = stream.get(Name.Subtype)
        if stream.objgen in self._fonts:
            return "font data"
        if subtype == Name.Image:
            return IMAGE
        if subtype == Name.XML or stream.get(Name.Type) == Name.Metadata:
            return METADATA
        if stream.objgen in self._contents or subtype == Name.Form or Name.PatternType in stream:
            return CONTENT
        if any(key in stream for key in (Name.FunctionType, Name.ShadingType, Name.HalftoneType, Name.CMapName)):
            return "functions"
        return "color profiles" if Name.N in stream and Name.Subtype not in stream else DATA


def xml_texts(content: bytes) -> Iterator[str]:
    """Yield the texts, comments and attributes of XML; all of it as text if it cannot be parsed."""
    root = _parsed(content)
    if root is None:
        yield from texts_of(content)
        return
    for element in (*root.itersiblings(preceding=True), *root.iter(), *root.itersiblings()):
        for text in (element.text, element.tail, *element.attrib.values()):
            if text and not _DATE_OR_ID.fullmatch(str(text)):
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
