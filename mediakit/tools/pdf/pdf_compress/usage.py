"""Which images a PDF draws and how large, and which fonts it uses: pages, forms, patterns, annotations.

Operators are found with one regular expression that skips everything else (ISO 32000-2, 7.8.2 and annex A), so a page
of paths costs little more than a search in its bytes.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from mediakit.engines.pdf.flattening import placement
from mediakit.engines.pdf.geometry import read_numbers, user_unit
from mediakit.engines.pdf.objects import appearances, dictionaries, dictionary, items
from mediakit.engines.pdf.opening import PageKey, Source
from mediakit.tools.pdf.pdf_compress.streams import Streams, UndecodableError

END = rb"(?=[\s/\[(<%)\]>]|$)"
START = rb"(?<![^\s\])>])"

STRING = rb"\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.|\((?:[^()\\]++|\\.)*+\))*+\))*+\)"
"""A literal string, with parentheses nested at most three deep."""

_TOKEN = re.compile(
    STRING + rb"|%[^\r\n]*+"
    rb"|(?P<unclosed>\()"
    rb"|" + START + rb"(?P<operator>q|Q|cm|Do|gs|Tf|BI)" + END,
    re.DOTALL,
)
_NUMBER = rb"[-+.\d]+"
_NAME_OPERAND = re.compile(rb"/([^\s/\[\](){}<>%]*+)\s*$")
_FONT_OPERANDS = re.compile(rb"/([^\s/\[\](){}<>%]*+)\s*" + _NUMBER + rb"\s*$")
LOOK_BACK = 300
"""Bytes before an operator that hold its operands."""

_IMAGE_DATA = re.compile(rb"\sID[\s]")
_IMAGE_END = re.compile(rb"[\s>]EI(?=[\s/\[(<%Qq]|$)(?=[\s\x20-\x7e]{0,12}(?:$|[\s\x20-\x7e]))")


class ContentSyntaxError(ValueError):
    """A content stream does not follow the syntax."""


class Event(NamedTuple):
    """An operator of interest."""

    operator: str
    """`q`, `Q`, `cm`, `Do`, `gs` or `Tf`."""
    name: str = ""
    """The resource, for `Do`, `gs` and `Tf`."""
    values: tuple[float, ...] = ()
    """The matrix, for `cm`."""


def events(data: bytes) -> Iterator[Event]:
    """Yield the operators of interest of a content stream.

    Raises:
        ContentSyntaxError: A string has no end, or operands are missing.
    """
    position, search = 0, _TOKEN.search
    while token := search(data, position):
        position = token.end()
        operator = token["operator"]
        if token.lastgroup == "unclosed":
            raise ContentSyntaxError("a string has no end")
        if operator == b"BI":
            position = _end_of_inline_image(data, position)
        elif operator:
            yield _event(operator, data[max(0, token.start() - LOOK_BACK) : token.start()])


def _end_of_inline_image(data: bytes, position: int) -> int:
    """Return where an inline image ends.

    Args:
        data: The content stream.
        position: Where its dictionary begins.

    Raises:
        ContentSyntaxError: It has no end.
    """
    start = _IMAGE_DATA.search(data, position)
    end = _IMAGE_END.search(data, start.end() - 1) if start else None
    if end is None:
        raise ContentSyntaxError("an inline image has no end")
    return end.end()


def _event(operator: bytes, before: bytes) -> Event:
    match operator:
        case b"q" | b"Q":
            return Event(operator.decode())
        case b"cm":
            return Event("cm", values=_matrix(before))
    found = (_FONT_OPERANDS if operator == b"Tf" else _NAME_OPERAND).search(before)
    if not found:
        raise ContentSyntaxError(f"{operator.decode()} has no name")
    return Event(operator.decode(), _resource_name(found[1]))


def _matrix(before: bytes) -> tuple[float, ...]:
    try:
        values = tuple(float(number) for number in before.split()[-6:])
    except ValueError:
        values = ()
    if len(values) != 6:
        raise ContentSyntaxError("cm has no matrix")
    return values


def _resource_name(name: bytes) -> str:
    """Return the key of a resource for a name as it is written."""
    if b"#" in name:
        name = re.sub(rb"#([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), name)
    return "/" + name.decode("utf-8", "surrogateescape")


Matrix = tuple[float, float, float, float, float, float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
MAX_DEPTH = 30
"""Forms inside forms that are followed."""

MAX_PLACEMENTS = 200_000
"""Forms that are placed, each as often as it is drawn; with more, images keep their resolution."""

SAME_SIZE = 1.001


@dataclass
class Drawing:
    """What one content stream draws, in its own coordinates."""

    images: list[tuple[PageKey, Matrix]] = field(default_factory=list)
    forms: list[tuple[PageKey, Matrix]] = field(default_factory=list)
    unsized: list[PageKey] = field(default_factory=list)
    """Forms whose size is unknown: the glyphs of Type 3 fonts."""


@dataclass
class Usage:
    """What a PDF uses."""

    sizes: dict[PageKey, tuple[float, float]] = field(default_factory=dict)
    """Largest width and height in points at which each image is drawn. Images without a size keep their resolution."""
    unsized: set[PageKey] = field(default_factory=set)
    """Images that are drawn at an unknown size too."""
    programs: dict[PageKey, list[pikepdf.Object]] = field(default_factory=dict)
    """The fonts that are shown, by their font program."""
    whole_programs: set[PageKey] = field(default_factory=set)
    """Font programs that must stay whole, such as those of form fields."""
    shown_fonts: set[PageKey] = field(default_factory=set)
    """All fonts that are shown."""
    drawn_forms: set[PageKey] = field(default_factory=set)
    """Forms that a page or an annotation draws."""
    readable: bool = True
    """False if a content stream could not be read: every resource may be needed."""

    def size(self, image: PageKey) -> tuple[float, float] | None:
        """Return the largest width and height in points at which an image is drawn, or None if unknown."""
        return None if image in self.unsized else self.sizes.get(image)

    def draws(self, item: PageKey) -> bool:
        """Return whether anything draws an image or a form."""
        return item in self.sizes or item in self.unsized or item in self.drawn_forms


def usage_of(source: Source, streams: Streams, objects: Sequence[pikepdf.Object]) -> Usage:
    """Return what a PDF uses.

    Args:
        source: The PDF.
        streams: Reads its streams.
        objects: Its objects.
    """
    return _Survey(source, streams, objects).run()


class _Survey:
    def __init__(self, source: Source, streams: Streams, objects: Sequence[pikepdf.Object]) -> None:
        self._source = source
        self._streams = streams
        self._objects = objects
        self._usage = Usage()
        self._drawings: dict[PageKey, Drawing] = {}
        self._scales: dict[PageKey, tuple[float, float]] = {}
        self._placements = 0
        self._depth = 0

    def run(self) -> Usage:
        for page in self._source.pdf.pages:
            unit = user_unit(page.obj)
            self._place(self._page(page), (unit, 0.0, 0.0, unit, 0.0, 0.0), 0)
            for annotation in dictionaries(page.obj.get(Name.Annots)):
                self._annotation(annotation)
        self._usage.drawn_forms |= self._drawings.keys()
        self._rest()
        self._keep_whole(dictionary(self._source.root.get(Name.AcroForm)).get(Name.DR))
        if self._placements > MAX_PLACEMENTS:
            self._usage.unsized |= {key for drawing in self._drawings.values() for key, _ in drawing.images}
        return self._usage

    # --- what is scanned ----------------------------------------------------------------------------------------------

    def _page(self, page: pikepdf.Page) -> Drawing:
        contents = page.obj.get(Name.Contents)
        streams = contents if isinstance(contents, Array) else [contents]
        data = b"\n".join(self._data(stream) for stream in streams if isinstance(stream, Stream))
        return self._scan(data, dictionary(page.resources))

    def _form(self, form: pikepdf.Object, inherited: pikepdf.Object) -> PageKey:
        """Scan a form or pattern once, and return its key."""
        key: PageKey = form.objgen
        if key not in self._drawings:
            self._drawings[key] = Drawing()
            if self._depth > MAX_DEPTH:
                self._usage.readable = False
                return key
            self._depth += 1
            own = form.get(Name.Resources)
            resources = own if isinstance(own, Dictionary) else inherited
            self._drawings[key] = self._scan(self._data(form), resources)
            self._depth -= 1
        return key

    def _annotation(self, annotation: pikepdf.Object) -> None:
        for form in appearances(annotation):
            key = self._form(form, Dictionary())
            placed = placement(form, annotation.get(Name.Rect))
            if placed:
                self._place_form(key, _times(_form_matrix(form), _as_matrix(placed)), 0)
            else:
                self._unsize(key)
            if annotation.get(Name.Subtype) == Name.Widget:
                self._keep_whole(form.get(Name.Resources))

    def _rest(self) -> None:
        """Scan forms, patterns and pages that no page leads to: templates, or what the search missed."""
        for item in self._objects:
            if isinstance(item, Stream):
                drawn = item.get(Name.Subtype) == Name.Form or item.get(Name.PatternType) == 1
                if drawn and item.objgen not in self._drawings:
                    self._unsize(self._form(item, Dictionary()))
            elif self._is_other_page(item):
                self._unsize_all(self._page(pikepdf.Page(item)))

    def _is_other_page(self, item: pikepdf.Object) -> bool:
        """Return whether an object is a page outside of the page tree."""
        if not isinstance(item, Dictionary) or item.get(Name.Type) not in (Name.Page, Name.Template):
            return False
        return item.objgen not in self._source.page_numbers and Name.Contents in item

    def _data(self, stream: pikepdf.Object) -> bytes:
        try:
            return self._streams.read(stream)
        except UndecodableError:
            self._usage.readable = False
            return b""

    def _keep_whole(self, resources: object) -> None:
        """Note that all glyphs of the fonts in resources are needed: readers write the values of fields in them."""
        fonts = dictionary(dictionary(resources).get(Name.Font)).values()
        programs = (program_of(font) for font in fonts if isinstance(font, Dictionary))
        self._usage.whole_programs |= {program.objgen for program in programs if program is not None}

    # --- one content stream -------------------------------------------------------------------------------------------

    def _scan(self, data: bytes, resources: pikepdf.Object) -> Drawing:
        scan = _Scan(self, resources)
        try:
            for event in events(data):
                scan.take(event)
        except ContentSyntaxError:
            self._usage.readable = False
        for pattern in dictionary(resources.get(Name.Pattern)).values():
            if isinstance(pattern, Stream) and pattern.is_indirect:
                scan.drawing.forms.append((self._form(pattern, resources), _form_matrix(pattern)))
        return scan.drawing

    def xobject(self, item: object, scan: "_Scan") -> None:
        """Note an image or a form that is drawn."""
        if not isinstance(item, Stream) or not item.is_indirect:
            return
        if item.get(Name.Subtype) == Name.Image:
            scan.drawing.images.append((item.objgen, scan.matrix))
        elif item.get(Name.Subtype) == Name.Form:
            key = self._form(item, scan.resources)
            scan.drawing.forms.append((key, _times(_form_matrix(item), scan.matrix)))

    def font(self, item: object, scan: "_Scan") -> None:
        """Note a font that is used, and scan the glyphs of a Type 3 font."""
        if not isinstance(item, Dictionary) or item.objgen in self._usage.shown_fonts:
            return
        if item.is_indirect:
            self._usage.shown_fonts.add(item.objgen)
        program = program_of(item)
        if program is not None:
            self._usage.programs.setdefault(program.objgen, []).append(item)
        if item.get(Name.Subtype) == Name.Type3:
            resources = item.get(Name.Resources)
            inherited = resources if isinstance(resources, Dictionary) else scan.resources
            glyphs = [glyph for _, glyph in dictionary(item.get(Name.CharProcs)).items()]
            scan.drawing.unsized += [self._form(glyph, inherited) for glyph in glyphs if isinstance(glyph, Stream)]

    # --- sizes --------------------------------------------------------------------------------------------------------

    def _place_form(self, key: PageKey, matrix: Matrix, depth: int) -> None:
        """Place a form, unless it was placed at least as large before."""
        across, up = _scale(matrix)
        widest, tallest = self._scales.get(key, (0.0, 0.0))
        if across <= widest * SAME_SIZE and up <= tallest * SAME_SIZE:
            return
        self._scales[key] = max(across, widest), max(up, tallest)
        self._place(self._drawings[key], matrix, depth + 1)

    def _place(self, drawing: Drawing, matrix: Matrix, depth: int) -> None:
        self._placements += 1
        if depth > MAX_DEPTH or self._placements > MAX_PLACEMENTS:
            return
        for key, inner in drawing.images:
            across, up = _scale(_times(inner, matrix))
            widest, tallest = self._usage.sizes.get(key, (0.0, 0.0))
            self._usage.sizes[key] = max(across, widest), max(up, tallest)
        for key, inner in drawing.forms:
            self._place_form(key, _times(inner, matrix), depth)
        for key in drawing.unsized:
            self._unsize(key)

    def _unsize(self, key: PageKey) -> None:
        self._unsize_all(self._drawings[key])

    def _unsize_all(self, drawing: Drawing) -> None:
        """Let all images that a drawing leads to keep their resolution."""
        waiting = [drawing]
        met: set[PageKey] = set()
        while waiting:
            current = waiting.pop()
            self._usage.unsized |= {key for key, _ in current.images}
            for key in (*(key for key, _ in current.forms), *current.unsized):
                if key not in met:
                    met.add(key)
                    waiting.append(self._drawings[key])


class _Scan:
    """The graphics state of a content stream that is being read."""

    def __init__(self, survey: _Survey, resources: pikepdf.Object) -> None:
        self._survey = survey
        self.resources = resources
        self.drawing = Drawing()
        self.matrix = IDENTITY
        self._stack: list[Matrix] = []
        self._named: dict[tuple[str, str], pikepdf.Object | None] = {}

    def take(self, event: Event) -> None:
        """Follow one operator."""
        match event.operator:
            case "q":
                self._stack.append(self.matrix)
            case "Q" if self._stack:
                self.matrix = self._stack.pop()
            case "cm":
                self.matrix = _times(_as_matrix(event.values), self.matrix)
            case "Tf":
                self._survey.font(self._resource("/Font", event.name), self)
            case "Do":
                self._survey.xobject(self._resource("/XObject", event.name), self)
            case "gs":
                self._set_state(dictionary(self._resource("/ExtGState", event.name)))

    def _set_state(self, state: pikepdf.Object) -> None:
        """Follow the entries of a graphics state that draw, or set a font."""
        self._survey.xobject(dictionary(state.get(Name.SMask)).get(Name.G), self)
        font = state.get(Name.Font)
        if isinstance(font, Array) and len(font):
            self._survey.font(font[0], self)

    def _resource(self, category: str, name: str) -> pikepdf.Object | None:
        key = category, name
        if key not in self._named:
            self._named[key] = dictionary(self.resources.get(category)).get(name)
        return self._named[key]


def descendant(font: pikepdf.Object) -> pikepdf.Object:
    """Return the CID font of a composite font, or a simple font itself."""
    if font.get(Name.Subtype) != Name.Type0:
        return font
    inner = items(font.get(Name.DescendantFonts))
    return dictionary(inner[0]) if inner else Dictionary()


def program_of(font: pikepdf.Object) -> pikepdf.Object | None:
    """Return the stream with the program of a font."""
    descriptor = dictionary(descendant(font).get(Name.FontDescriptor))
    streams = (descriptor.get(key) for key in (Name.FontFile, Name.FontFile2, Name.FontFile3))
    return next((each for each in streams if isinstance(each, Stream) and each.is_indirect), None)


def _as_matrix(values: tuple[float, ...]) -> Matrix:
    a, b, c, d, e, f = values
    return a, b, c, d, e, f


def _form_matrix(form: pikepdf.Object) -> Matrix:
    numbers = read_numbers(form.get(Name.Matrix))
    return _as_matrix(tuple(numbers)) if len(numbers) == 6 else IDENTITY


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _scale(matrix: Matrix) -> tuple[float, float]:
    """Return the lengths of the sides of the unit square."""
    return math.hypot(matrix[0], matrix[1]), math.hypot(matrix[2], matrix[3])
