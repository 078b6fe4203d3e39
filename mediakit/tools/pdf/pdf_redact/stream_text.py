"""The texts that strings, names and content streams hold, decoded without positions.

Strings are read in all encodings that programs write. Names are those that people or programs chose; a word can be in
them, too. Content is read with all that it draws: forms, patterns, masks and glyphs.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache
from html import unescape
from urllib.parse import unquote

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Stream, String

from mediakit.engines.pdf.mupdf import character, glyph_names
from mediakit.engines.pdf.objects import (
    appearances,
    dictionaries,
    dictionary,
    every_dictionary,
    key_text,
    name_of,
    name_text,
    one_or_more,
    stream_bytes,
)
from mediakit.engines.pdf.opening import PageKey
from mediakit.engines.pdf.page_content import content_streams
from mediakit.engines.pdf.shaped_text import to_unicode
from mediakit.tools.pdf.pdf_redact.searching import ENCODINGS, Finder, Hit, Search

MAX_GUESSED_BYTES = 1_000_000
"""Longer strings are read only as their marks say."""


_PLAIN = re.compile(rb"[\t\n\f\r -~]*")


_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))")
"""Escaped characters of scripts."""


def texts_of(content: bytes) -> Iterator[str]:
    """Yield the readings of a string: first as its marks say, then unescaped, and in other encodings."""
    text = str(String(content))
    yield text
    if len(content) > MAX_GUESSED_BYTES:
        return
    if "<" in text or "&" in text:
        yield unescape("".join(part.partition(">")[2] if ">" in part else part for part in text.split("<")))
    if "%" in text:
        yield unquote(text)
    if "\\" in text:
        yield _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
    for encoding in () if _PLAIN.fullmatch(content) else ENCODINGS:
        if encoding.startswith("utf-16") or b"\0" not in content:
            try:
                yield content.decode(encoding)
            except UnicodeDecodeError:
                continue


def texts_in(value: object) -> Iterator[str]:
    """Yield the readings of a string or a stream; none of anything else, and of a stream that cannot be decoded."""
    if isinstance(value, String):
        yield from texts_of(bytes(value))
    elif isinstance(value, Stream) and (content := stream_bytes(value)):
        yield from texts_of(content)


_COMMENT = re.compile(rb"%[^\r\n]*")


def texts_of_comments(content: bytes) -> Iterator[str]:
    """Yield the readings of the comments in a content stream, and of what looks like one in its strings."""
    return (text for comment in _COMMENT.findall(content) for text in texts_of(comment))


_HEXADECIMAL = re.compile(rb"<([0-9A-Fa-f\s]{10,})>")


def texts_of_map(content: bytes) -> Iterator[str]:
    """Yield the readings of the longer hexadecimal strings in a map of characters: texts of one code, and others."""
    for digits in _HEXADECIMAL.findall(content):
        yield from texts_of(_bytes_of(digits))


def without_texts(content: bytes, finder: Finder) -> bytes:
    """Return a map of characters with U+FFFD instead of texts with a match."""
    return _HEXADECIMAL.sub(
        lambda match: b"<fffd>" if any(map(finder.has_long_word, texts_of(_bytes_of(match[1])))) else match[0], content
    )


def _bytes_of(digits: bytes) -> bytes:
    plain = b"".join(digits.split())
    return bytes.fromhex(plain[: len(plain) // 2 * 2].decode())


IMAGE_FILTERS = (Name.DCTDecode, Name.JPXDecode, Name.JBIG2Decode, Name.CCITTFaxDecode)
"""Filters of pixels. What such a stream holds besides pixels is searched as bytes."""


def image_file(stream: Stream) -> tuple[Name | None, bytes]:
    """Return the last filter of a stream if it is one of images, and the file that it decodes; or None and all bytes.

    The file can be compressed once more.
    """
    filters, parameters = one_or_more(stream.get(Name.Filter)), one_or_more(stream.get(Name.DecodeParms))
    content = bytes(stream.read_raw_bytes())
    kind = next((each for each in IMAGE_FILTERS if each in filters[-1:]), None)
    if kind is None or len(filters) == 1:
        return kind, content
    with pikepdf.new() as other:
        packed = other.make_stream(b"")
        packed.write(content)
        packed.Filter = Object.parse(Array(filters[:-1]).unparse())
        packed.DecodeParms = Object.parse(Array(parameters[: len(filters) - 1]).unparse())
        unpacked = stream_bytes(packed)
    return (None, content) if unpacked is None else (kind, unpacked)


_NAME = re.compile(rb"/([^\s()<>\[\]{}/%]+)")
_ESCAPED = re.compile(rb"#([0-9A-Fa-f]{2})")

_MORE = """
    ActualText Adobe AdobePSL All Annotation Artifact ArtBox AuthEvent AvgWidth Background BaseVersion BleedBox
    Block Bold CalGray CalRGB CapHeight Caption Chart CharSet CIDSet ClassMap Comments Company Condensed
    Contact ContactInfo Courier Courier-Bold Courier-BoldOblique Courier-Oblique CropBox Data Diagram Direction
    DisplayDocTitle DocOpen Endnote Expanded Export ExtensionLevel Extensions ExtraCondensed ExtraExpanded False
    FontFamily FontStretch FontWeight Footer Footnote FullScreen GTS_PDFA1 GTS_PDFX GTS_PDFXVersion Header Heading
    Heading1 Heading2 Heading3 HideMenubar HideToolbar HideWindowUI Helvetica Helvetica-Bold Helvetica-BoldOblique
    Helvetica-Oblique Identity-H Identity-V IDTree Inline InlineShape Italic Keywords L2R Layout Leading LineHeight
    LineThrough ListNumbering MacExpertEncoding MacRomanEncoding Manager Marked MarkInfo MaxWidth MediaBox Namespaces
    NeedsRendering NonFullScreenPageMode Normal NumCopies OneColumn OpenAction Outline PageLayout PageMode
    ParentTreeNextKey PDFDocEncoding PickTrayByPDFSize Placement PrintArea PrintClip PrintPageRange PrintScaling R2L
    RegistryName RoleMap RowSpan SemiCondensed SemiExpanded SinglePage Slide Slides SourceModified SpaceAfter
    SpaceBefore SpiderInfo Standard StemH SubmitForm Suspects Symbol Textbox TextAlign TextIndent Times-Bold
    Times-BoldItalic Times-Italic Times-Roman Trapped TrimBox True TwoColumnLeft TwoColumnRight TwoPageLeft
    TwoPageRight UltraCondensed UltraExpanded Underline Unknown UseAttachments UseNone UseOC UseOutlines UserProperties
    UseThumbs ViewArea ViewClip ViewerPreferences Workbook Worksheet WritingMode ZapfDingbats
"""
"""Names of ISO 32000-2 and of office programs that MuPDF does not know."""


@cache
def standard_names() -> frozenset[str]:
    """Return the names that have a meaning in every PDF, such as `Title`: those of the format, and of glyphs."""
    import pymupdf
    from fontTools import agl

    prefix = "PDF_ENUM_NAME_"
    known = (each.removeprefix(prefix) for each in dir(pymupdf.mupdf) if each.startswith(prefix))
    return frozenset((*known, *agl.AGL2UV, *_MORE.split()))


def names_in(holder: Object) -> Iterator[str]:
    """Yield the keys and values of a dictionary, or the items of an array, that are names and not standard ones."""
    keys, values = ((), list(holder)) if isinstance(holder, Array) else (holder.keys(), list(holder.values()))
    for name in (*map(key_text, keys), *map(name_of, values)):
        if name[1:] and name[1:] not in standard_names():
            yield name[1:]


def names_of_content(content: bytes) -> set[str]:
    """Return the names in a content stream that are not standard ones. Bytes of inline images can look like some."""
    names = {_ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), each) for each in _NAME.findall(content)}
    return set(map(name_text, names)) - standard_names()


def without_names(content: bytes) -> bytes:
    """Return a content stream without its names."""
    return _NAME.sub(b"/", content)


def containers(objects: Iterable[object]) -> Iterator[tuple[str, Object]]:
    """Yield the dictionaries, streams and arrays among objects, and all inside them, each with the key that has it."""
    waiting = [("", item) for item in objects]
    while waiting:
        key, item = waiting.pop()
        if not isinstance(item, Dictionary | Stream | Array):
            continue
        yield key, item
        values = [(key, each) for each in item] if isinstance(item, Array) else list(item.items())
        waiting += [each for each in values if isinstance(each[1], Array | Dictionary) and not each[1].is_indirect]


MAX_FORM_DEPTH = 12
"""Forms inside forms that are followed."""

SHOWING = {"Tj", "TJ", "'", '"'}
OPERATORS = "Tj TJ ' \" Tf Td TD T* Tm Do gs BDC DP scn SCN"
SPACE = -180
"""Adjustment in a `TJ` array, in thousandths of the font size, that leaves a space."""

_CODES = re.compile(rb"begincodespacerange(.*?)endcodespacerange", re.DOTALL)
_CODECS = {
    "UTF16": "utf-16-be", "UCS2": "utf-16-be", "UTF32": "utf-32-be", "UTF8": "utf-8", "RKSJ": "cp932", "GBK": "gb18030",
    "GB-EUC": "gb18030", "GBpc-EUC": "gb18030", "B5": "big5hkscs", "KSC": "cp949", "EUC-": "euc_jp",
}  # fmt: skip
"""Codecs of the character maps that every reader knows, by a part of their names; the first that fits counts."""


class ShownStream:
    """What one content stream, of a page or a form, shows."""

    def __init__(self, content: Object) -> None:
        self.content = content
        self.inner: list[tuple[Stream, Object]] = []
        """Streams that it draws, with the resources that they use unless they have their own."""
        self.properties: list[str] = []
        """Texts of its marked content."""
        self.parts: list[tuple[int, str]] = []
        """Place of each instruction that shows something, among all of `OPERATORS`, and its text."""
        self.drawn: list[tuple[int, str]] = []
        """The same with the letters that fonts draw, whatever their ToUnicode maps say."""

    @property
    def text(self) -> str:
        """All that it shows."""
        return "".join(text for _, text in self.parts)

    def add(self, place: int, text: str, drawn: str | None = None) -> None:
        """Add the text of an instruction, and what it draws if that may be another text."""
        self.parts.append((place, text))
        self.drawn.append((place, text if drawn is None else drawn))

    @property
    def drawn_text(self) -> str:
        """All that fonts draw; empty if it is what their maps say."""
        return "".join(text for _, text in self.drawn) if self.drawn != self.parts else ""

    def has_match(self, search: Finder | Search) -> bool:
        """Return whether something is found; all is searched, so that each word that is found is noted."""
        texts = (self.text, *self.properties)
        return any([*search.long_words(self.drawn_text), *(hit for text in texts for hit in search.find(text))])

    def matches(self, finder: Finder) -> set[int]:
        """Return the places of the instructions that have a part of a match."""
        hits, drawn = finder.find(self.text), finder.long_words(self.drawn_text)
        return _places_of(self.parts, hits) | (_places_of(self.drawn, drawn) if drawn else set())


def _places_of(parts: Iterable[tuple[int, str]], hits: Sequence[Hit]) -> set[int]:
    """Return the places of the parts of a text that a hit touches."""
    found: set[int] = set()
    start = 0
    for place, text in parts:
        end = start + len(text)
        if any(hit.start < end and start < hit.end for hit in hits):
            found.add(place)
        start = end
    return found


class ShownText:
    """Reads the content of pages, with what their forms, patterns, masks and Type 3 fonts show."""

    def __init__(self) -> None:
        self._known: dict[PageKey, ShownStream] = {}
        self._fonts: dict[PageKey, _Font] = {}

    def of_page(self, page: Object) -> list[ShownStream]:
        """Return what a page and its annotations show, in all states."""
        looks = [look for each in dictionaries(page.get(Name.Annots)) for look in appearances(each)]
        return [shown for each in (page, *looks) for shown in self.streams(each, dictionary(each.get(Name.Resources)))]

    def unshown(self, pdf: pikepdf.Pdf, others: Collection[PageKey]) -> Iterator[ShownStream]:
        """Return what forms, patterns and templates of pages hold that nothing drew which was read before.

        `others` are not read: pages that were not searched, and their content.
        """
        for holder in content_holders(pdf):
            if holder.objgen not in self._known and holder.objgen not in others:
                yield self._shown(holder, dictionary(holder.get(Name.Resources)))

    def streams(self, content: Object, resources: Object) -> Iterator[ShownStream]:
        """Return what a page or a form shows, and what each stream that it draws shows; each stream once."""
        waiting = [(content, resources, 0)]
        seen: set[PageKey] = set()
        while waiting:
            content, resources, depth = waiting.pop()
            if content.objgen in seen or depth > MAX_FORM_DEPTH:
                continue
            seen.add(content.objgen)
            shown = self._shown(content, resources)
            yield shown
            for form, inherited in shown.inner:
                own = form.get(Name.Resources)
                waiting.append((form, own if isinstance(own, Dictionary) else inherited, depth + 1))

    def _shown(self, content: Object, resources: Object) -> ShownStream:
        key = content.objgen
        if key == (0, 0):
            return self._read(content, resources)
        if key not in self._known:
            self._known[key] = self._read(content, resources)
        return self._known[key]

    def _read(self, content: Object, resources: Object) -> ShownStream:
        shown = ShownStream(content)
        inner = {glyph.objgen: (glyph, used) for glyph, used in _glyphs(resources)}
        font: _Font | None = None
        for place, (operands, name) in enumerate(_instructions(content)):
            if name == "Tf" and operands:
                font = self._font(resources, operands[0])
            elif name in ("BDC", "DP"):
                shown.properties += inner_texts(operands[1:2])
            elif name in ("Td", "TD", "T*", "Tm"):
                shown.add(place, "\n")
            elif name in SHOWING:
                line = "\n" if name in ("'", '"') else ""
                drawn = line + _shown(operands, font.drawn) if font and font.drawn is not font else None
                shown.add(place, line + _shown(operands, font), drawn)
            elif operands:
                inner |= {each.objgen: (each, resources) for each in _streams(resources, name, operands[-1])}
        shown.inner = list(inner.values())
        return shown

    def _font(self, resources: Object, name: Object) -> "_Font | None":
        font = dictionary(resources.get(Name.Font)).get(name) if isinstance(name, Name) else None
        if not isinstance(font, Dictionary):
            return None
        if font.objgen == (0, 0):
            return _Font(font)
        if font.objgen not in self._fonts:
            self._fonts[font.objgen] = _Font(font)
        return self._fonts[font.objgen]


class _Font:
    """Which characters the codes of a font are."""

    def __init__(self, font: Object) -> None:
        is_composite = font.get(Name.Subtype) == Name.Type0
        encoding, mapping = font.get(Name.Encoding), font.get(Name.ToUnicode)
        self._code_bytes = _code_bytes(encoding) if is_composite else 1
        self._characters: Mapping[int, str] = {} if is_composite else _encoding(font)
        name = name_of(encoding) if is_composite else ""  # such as `/90ms-RKSJ-H` (ISO 32000-2, table 116)
        self._codec = next((codec for part, codec in _CODECS.items() if part in name), "")
        self.drawn = self
        """The font without its ToUnicode map."""
        if isinstance(mapping, Stream):
            if not is_composite:
                self.drawn = copy(self)
            self._characters = {**self._characters, **to_unicode(mapping)}

    def text(self, codes: bytes) -> str:
        """Return the characters of a string."""
        if self._codec and not self._characters:
            return codes.decode(self._codec, "replace")
        if self._code_bytes == 1:
            return "".join(self._characters.get(code, chr(code)) for code in codes)
        numbers = (int.from_bytes(codes[place : place + 2], "big") for place in range(0, len(codes), 2))
        return "".join(self._characters.get(number, "\ufffd") for number in numbers)


def _code_bytes(character_map: object) -> int:
    """Return how many bytes a code has in a composite font: 1 if all ranges of an own map have one, or 2."""
    content = (stream_bytes(character_map) or b"") if isinstance(character_map, Stream) else b""
    ranges = [code for section in _CODES.findall(content) for code in re.findall(rb"<\s*(\w+)\s*>", section)]
    return 1 if ranges and all(len(code) <= 2 for code in ranges) else 2


def content_holders(pdf: pikepdf.Pdf) -> Iterator[Object]:
    """Yield all pages, templates of pages, forms, patterns and glyphs, whether anything draws them or not."""
    for item in every_dictionary(pdf):
        if isinstance(item, Stream):
            if item.get(Name.Subtype) == Name.Form or item.get(Name.PatternType) == 1:
                yield item
            continue
        if content_streams(item):
            yield item
        glyphs = dictionary(item.get(Name.CharProcs)).values()
        yield from (glyph for glyph in glyphs if isinstance(glyph, Stream))


def is_page_or_stream(holder: Object) -> bool:
    """Return whether pikepdf can parse the content of a holder; it does not parse templates of pages."""
    return isinstance(holder, Stream) or holder.get(Name.Type) == Name.Page


def content_bytes(holder: Object) -> bytes:
    """Return the decoded content of a page, a form, a pattern or a glyph; empty if it cannot be decoded."""
    streams = [holder] if isinstance(holder, Stream) else content_streams(holder)
    return b"\n".join(stream_bytes(stream) or b"" for stream in streams)


def _encoding(font: Object) -> Mapping[int, str]:
    encoding = font.get(Name.Encoding)
    base = encoding if isinstance(encoding, Name) else dictionary(encoding).get(Name.BaseEncoding)
    codec = "mac_roman" if base == Name.MacRomanEncoding else "cp1252"
    found = {code: bytes([code]).decode(codec, "replace") for code in range(32, 256)}
    named = {code: character(name) for code, name in glyph_names(font).items()}
    return found | {code: text or found.get(code, "\ufffd") for code, text in named.items()}


def _instructions(content: Object) -> Iterator[tuple[list[Object], str]]:
    for part in [content] if is_page_or_stream(content) else content_streams(content):
        try:
            instructions = pikepdf.parse_content_stream(part, OPERATORS)
        except pikepdf.PdfError:
            return
        for instruction in instructions:
            yield list(instruction.operands), str(instruction.operator)


def _shown(operands: list[Object], font: _Font | None) -> str:
    last = operands[-1] if operands else None
    parts: list[str] = []
    for item in last if isinstance(last, Array) else (last,):
        if isinstance(item, String):
            parts.append(font.text(bytes(item)) if font else bytes(item).decode("latin-1"))
        elif item is not None and not isinstance(item, Object) and float(item) < SPACE:
            parts.append(" ")
    return "".join(parts)


def inner_texts(values: Iterable[object]) -> Iterator[str]:
    """Yield the readings of all strings among values, and in the arrays and dictionaries among them."""
    waiting = list(values)
    while waiting:
        item = waiting.pop()
        yield from texts_in(item) if isinstance(item, String) else ()
        waiting += list(item) if isinstance(item, Array) else item.values() if isinstance(item, Dictionary) else ()


def _streams(resources: Object, operator: str, name: object) -> Iterator[Stream]:
    """Return the streams that an operator draws: forms, patterns, and the groups of soft masks."""
    category = {"Do": Name.XObject, "gs": Name.ExtGState}.get(operator, Name.Pattern)
    value = dictionary(resources.get(category)).get(name) if isinstance(name, Name) else None
    if operator == "gs" and isinstance(value, Dictionary):
        value = dictionary(value.get(Name.SMask)).get(Name.G)
    if isinstance(value, Stream) and value.get(Name.Subtype) != Name.Image:
        yield value


def _glyphs(resources: Object) -> Iterator[tuple[Stream, Object]]:
    """Return the streams of the glyphs of Type 3 fonts, and the resources of each font."""
    for font in map(dictionary, dictionary(resources.get(Name.Font)).values()):
        own = font.get(Name.Resources)
        for glyph in dictionary(font.get(Name.CharProcs)).values():
            if isinstance(glyph, Stream):
                yield glyph, own if isinstance(own, Dictionary) else resources
