"""Which images a PDF draws and how large, and which glyphs it shows: pages, forms, patterns, annotations."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

from mediakit.engines.pdf.geometry import read_numbers, user_unit
from mediakit.engines.pdf.objects import dictionaries, dictionary
from mediakit.engines.pdf.source import PageKey, Source
from mediakit.engines.pdf.widget_appearance import placement
from mediakit.tools.pdf.pdf_compress.content.fonts import (
    FontUse,
    appearance_fonts,
    descendant,
    font_use,
    form_fonts,
    program_of,
)
from mediakit.tools.pdf.pdf_compress.content.scanner import ContentSyntaxError, Event, events
from mediakit.tools.pdf.pdf_compress.streams import Streams, UndecodableError

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
    fonts: dict[PageKey, list[FontUse]] = field(default_factory=dict)
    """The fonts that are shown, by their font program."""
    whole_programs: set[PageKey] = field(default_factory=set)
    """Font programs that must stay whole, such as those of form fields."""
    shown_fonts: set[PageKey] = field(default_factory=set)
    """All fonts that are shown."""
    drawn_forms: set[PageKey] = field(default_factory=set)
    """Forms that a page or an annotation draws."""
    readable: bool = True
    """False if a content stream could not be read: every glyph may be needed."""

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
        self._fonts: dict[PageKey, FontUse] = {}
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
        self._usage.shown_fonts |= self._fonts.keys()
        for font in form_fonts(self._source.root):
            self._keep_whole(font)
        if self._placements > MAX_PLACEMENTS:
            self._usage.unsized |= {key for drawing in self._drawings.values() for key, _ in drawing.images}
        return self._usage

    # --- what is scanned ----------------------------------------------------------------------------------------------

    def _page(self, page: pikepdf.Page) -> Drawing:
        contents = page.obj.get(Name.Contents)
        streams = contents if isinstance(contents, Array) else [contents]
        data = b"\n".join(self._data(stream) for stream in streams if isinstance(stream, Stream))
        return self._scan(data, dictionary(page.resources))

    def _form(self, form: pikepdf.Object, inherited: pikepdf.Object, font: FontUse | None = None) -> PageKey:
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
            self._drawings[key] = self._scan(self._data(form), resources, font)
            self._depth -= 1
        return key

    def _annotation(self, annotation: pikepdf.Object) -> None:
        for form in _appearances(annotation):
            key = self._form(form, Dictionary())
            placed = placement(form, annotation.get(Name.Rect))
            if placed:
                self._place_form(key, _times(_form_matrix(form), _as_matrix(placed)), 0)
            else:
                self._unsize(key)
            if annotation.get(Name.Subtype) == Name.Widget:
                for font in appearance_fonts(form):
                    self._keep_whole(font)

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

    def _keep_whole(self, font: pikepdf.Object) -> None:
        stream = program_of(descendant(font))
        if stream is not None:
            self._usage.whole_programs.add(stream.objgen)

    # --- one content stream -------------------------------------------------------------------------------------------

    def _scan(self, data: bytes, resources: pikepdf.Object, font: FontUse | None = None) -> Drawing:
        scan = _Scan(self, resources, font)
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
            key = self._form(item, scan.resources, scan.font)
            scan.drawing.forms.append((key, _times(_form_matrix(item), scan.matrix)))

    def font(self, item: object, scan: "_Scan") -> FontUse | None:
        """Return the record of a font, and scan the glyphs of a Type 3 font."""
        if not isinstance(item, Dictionary):
            return None
        key = item.objgen
        known = self._fonts.get(key) if item.is_indirect else None
        if known:
            return known
        use = font_use(item)
        if item.is_indirect:
            self._fonts[key] = use
        if use.program is not None:
            self._usage.fonts.setdefault(use.program, []).append(use)
        if item.get(Name.Subtype) == Name.Type3:
            resources = item.get(Name.Resources)
            inherited = resources if isinstance(resources, Dictionary) else scan.resources
            glyphs = [glyph for _, glyph in dictionary(item.get(Name.CharProcs)).items()]
            scan.drawing.unsized += [self._form(glyph, inherited) for glyph in glyphs if isinstance(glyph, Stream)]
        return use

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

    def __init__(self, survey: _Survey, resources: pikepdf.Object, font: FontUse | None) -> None:
        self._survey = survey
        self.resources = resources
        self.drawing = Drawing()
        self.matrix = IDENTITY
        self.font = font
        self._stack: list[tuple[Matrix, FontUse | None]] = []
        self._named: dict[tuple[str, str], pikepdf.Object | None] = {}
        self._used: dict[str, FontUse | None] = {}

    def take(self, event: Event) -> None:  # noqa: C901  # one case for each operator
        """Follow one operator."""
        match event.operator:
            case "text" if self.font is not None:
                for text in event.strings:
                    self.font.show(text)
            case "q":
                self._stack.append((self.matrix, self.font))
            case "Q" if self._stack:
                self.matrix, self.font = self._stack.pop()
            case "cm":
                self.matrix = _times(_as_matrix(event.values), self.matrix)
            case "Tf":
                self._set_font(event.name)
            case "Do":
                self._survey.xobject(self._resource("/XObject", event.name), self)
            case "gs":
                self._set_state(dictionary(self._resource("/ExtGState", event.name)))

    def _set_font(self, name: str) -> None:
        if name not in self._used:
            self._used[name] = self._survey.font(self._resource("/Font", name), self)
        self.font = self._used[name]

    def _set_state(self, state: pikepdf.Object) -> None:
        """Follow the entries of a graphics state that draw, or set a font."""
        self._survey.xobject(dictionary(state.get(Name.SMask)).get(Name.G), self)
        font = state.get(Name.Font)
        if isinstance(font, Array) and len(font):
            self.font = self._survey.font(font[0], self)

    def _resource(self, category: str, name: str) -> pikepdf.Object | None:
        key = category, name
        if key not in self._named:
            self._named[key] = dictionary(self.resources.get(category)).get(name)
        return self._named[key]


def _appearances(annotation: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """Yield all appearance streams of an annotation, in all states."""
    for look in dictionary(annotation.get(Name.AP)).values():
        for form in [look] if isinstance(look, Stream) else list(dictionary(look).values()):
            if isinstance(form, Stream) and form.is_indirect:
                yield form


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
