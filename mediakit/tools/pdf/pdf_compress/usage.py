"""Which images a PDF draws and how large, and which fonts it uses: pages, forms, patterns, annotations."""

import math
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Name, Object, Stream

from mediakit.engines.pdf.flattening import placement
from mediakit.engines.pdf.geometry import form_matrix, user_unit
from mediakit.engines.pdf.objects import appearances, dictionaries, dictionary, items
from mediakit.engines.pdf.opening import MAX_INFLATED_BYTES, PageKey, Source
from mediakit.engines.pdf.page_content import content_streams
from mediakit.errors import InvalidInput

OPERATORS = "q Q cm Do gs Tf"

MAX_DEPTH = 30
"""Forms inside forms that are followed."""

MAX_PLACEMENTS = 200_000
"""Forms that are placed, each as often as it is drawn; with more, images keep their resolution."""

SAME_SIZE = 1.001


@dataclass
class Drawing:
    """What one content stream draws, in its own coordinates."""

    resources: Object = field(default_factory=Dictionary)
    matrix: Matrix = field(default_factory=Matrix)
    """The matrix of what is drawn next, while the content is scanned."""
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
    programs: dict[PageKey, list[Object]] = field(default_factory=dict)
    """The fonts that are shown, by their font program."""
    whole_programs: set[PageKey] = field(default_factory=set)
    """Font programs that must stay whole, such as those of form fields."""
    readable: bool = True
    """False if a content stream could not be read: every glyph may be needed."""

    def size(self, image: PageKey) -> tuple[float, float] | None:
        """Return the largest width and height in points at which an image is drawn, or None if unknown."""
        return None if image in self.unsized else self.sizes.get(image)


def usage_of(source: Source, objects: Sequence[Object]) -> Usage:
    """Return what a PDF with these objects uses.

    Raises:
        InvalidInput: Its content inflates to more than 300 MB.
    """
    return _Survey(source).run(objects)


class _Survey:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._left = MAX_INFLATED_BYTES
        self._counted: set[PageKey] = set()
        self._usage = Usage()
        self._shown_fonts: set[PageKey] = set()
        self._drawings: dict[PageKey, Drawing] = {}
        self._scales: dict[PageKey, tuple[float, float]] = {}
        self._placements = 0
        self._depth = 0

    def run(self, objects: Sequence[Object]) -> Usage:
        for page in self._source.pdf.pages:
            unit = user_unit(page.obj)
            self._place(self._scan(page.obj, dictionary(page.resources)), Matrix(unit, 0, 0, unit, 0, 0), 0)
            for annotation in dictionaries(page.obj.get(Name.Annots)):
                for form in appearances(annotation):
                    self._appearance(form, annotation)
        for item in objects:
            self._unsize([self._form(part, item.get(Name.Resources)) for part in self._other_content(item)])
        self._keep_whole(dictionary(self._source.root.get(Name.AcroForm)).get(Name.DR))
        if self._placements > MAX_PLACEMENTS:
            self._usage.unsized |= {key for drawing in self._drawings.values() for key, _ in drawing.images}
        return self._usage

    def _appearance(self, form: Object, annotation: Object) -> None:
        key = self._form(form, Dictionary())
        if placed := placement(form, annotation.get(Name.Rect)):
            self._place_form(key, form_matrix(form) @ Matrix(*placed), 0)
        else:
            self._unsize([key])
        if annotation.get(Name.Subtype) == Name.Widget:
            self._keep_whole(form.get(Name.Resources))

    def _other_content(self, item: Object) -> Iterator[Object]:
        """Yield forms and patterns, and the content of templates, that no page leads to."""
        if isinstance(item, Stream):
            is_drawn = item.get(Name.Subtype) == Name.Form or item.get(Name.PatternType) == 1
            if is_drawn and item.objgen not in self._drawings:
                yield item
        elif isinstance(item, Dictionary) and item.objgen not in self._source.page_numbers:
            yield from content_streams(item) if item.get(Name.Type) in (Name.Page, Name.Template) else ()

    def _keep_whole(self, resources: object) -> None:
        """Note that all glyphs of the fonts in resources are needed: readers write the values of fields in them."""
        fonts = dictionary(dictionary(resources).get(Name.Font)).values()
        programs = (program_of(font) for font in fonts if isinstance(font, Dictionary))
        self._usage.whole_programs |= {program.objgen for program in programs if program is not None}

    # --- what is scanned ----------------------------------------------------------------------------------------------

    def _form(self, form: Object, inherited: object) -> PageKey:
        """Scan a form or pattern once, and return its key."""
        key: PageKey = form.objgen
        if key not in self._drawings:
            self._drawings[key] = Drawing()
            if self._depth > MAX_DEPTH:
                self._usage.readable = False
                return key
            self._depth += 1
            own = form.get(Name.Resources)
            self._drawings[key] = self._scan(form, dictionary(own if isinstance(own, Dictionary) else inherited))
            self._depth -= 1
        return key

    def _scan(self, content: Object, resources: Object) -> Drawing:
        """Return what a page or a form draws."""
        drawing = Drawing(resources)
        stack: list[Matrix] = []
        for operator, operand in self._instructions(content):
            match operator:
                case "q":
                    stack.append(drawing.matrix)
                case "Q":
                    drawing.matrix = stack.pop() if stack else drawing.matrix
                case "cm":
                    drawing.matrix = operand @ drawing.matrix
                case "Do":
                    self._draw(dictionary(resources.get(Name.XObject)).get(operand), drawing)
                case "Tf":
                    self._show(dictionary(resources.get(Name.Font)).get(operand), drawing)
                case "gs":
                    state = dictionary(dictionary(resources.get(Name.ExtGState)).get(operand))
                    self._draw(dictionary(state.get(Name.SMask)).get(Name.G), drawing)
                    self._show(next(iter(items(state.get(Name.Font))), None), drawing)
        for pattern in dictionary(resources.get(Name.Pattern)).values():
            if isinstance(pattern, Stream) and pattern.is_indirect:
                drawing.forms.append((self._form(pattern, resources), form_matrix(pattern)))
        return drawing

    def _instructions(self, content: Object) -> list[tuple[str, Any]]:
        """Return operators, each with its matrix or name; none if the content cannot be read."""
        try:
            for stream in [content] if isinstance(content, Stream) else content_streams(content):
                self._count(stream)
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # such as for an inline image without an end
                parsed = pikepdf.parse_content_stream(content, OPERATORS)
            return [(str(each.operator), _operand(each)) for each in parsed]
        except InvalidInput:
            raise
        except (pikepdf.PdfError, zlib.error, UserWarning, ValueError, TypeError):
            self._usage.readable = False
            return []

    def _count(self, stream: Object) -> None:
        """Count what a stream inflates to, once."""
        if stream.objgen in self._counted:
            return
        self._counted.add(stream.objgen)
        if stream.get(Name.Filter) in (Name.FlateDecode, Array([Name.FlateDecode])):
            self._left -= len(zlib.decompressobj().decompress(stream.read_raw_bytes(), self._left + 1))
        else:
            self._left -= len(stream.read_bytes())
        if self._left < 0:
            raise InvalidInput(f"{self._source.label}: unpacks to more than {MAX_INFLATED_BYTES // 1_000_000} MB.")

    def _draw(self, item: object, drawing: Drawing) -> None:
        """Note an image or a form that is drawn."""
        if not isinstance(item, Stream) or not item.is_indirect:
            return
        if item.get(Name.Subtype) == Name.Image:
            drawing.images.append((item.objgen, drawing.matrix))
        elif item.get(Name.Subtype) == Name.Form:
            drawing.forms.append((self._form(item, drawing.resources), form_matrix(item) @ drawing.matrix))

    def _show(self, item: object, drawing: Drawing) -> None:
        """Note a font that is used, and scan the glyphs of a Type 3 font."""
        if not isinstance(item, Dictionary) or item.objgen in self._shown_fonts:
            return
        if item.is_indirect:
            self._shown_fonts.add(item.objgen)
        program = program_of(item)
        if program is not None:
            with suppress(pikepdf.PdfError, zlib.error):  # a damaged font stays unchanged
                self._count(program)
            self._usage.programs.setdefault(program.objgen, []).append(item)
        if item.get(Name.Subtype) == Name.Type3:
            inherited = item.get(Name.Resources, drawing.resources)
            glyphs = dictionary(item.get(Name.CharProcs)).values()
            drawing.unsized += [self._form(glyph, inherited) for glyph in glyphs if isinstance(glyph, Stream)]

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
            across, up = _scale(inner @ matrix)
            widest, tallest = self._usage.sizes.get(key, (0.0, 0.0))
            self._usage.sizes[key] = max(across, widest), max(up, tallest)
        for key, inner in drawing.forms:
            self._place_form(key, inner @ matrix, depth)
        self._unsize(drawing.unsized)

    def _unsize(self, forms: Sequence[PageKey]) -> None:
        """Let all images that forms lead to keep their resolution."""
        waiting, met = list(forms), set(forms)
        while waiting:
            drawing = self._drawings[waiting.pop()]
            self._usage.unsized |= {key for key, _ in drawing.images}
            new = {*(key for key, _ in drawing.forms), *drawing.unsized} - met
            met |= new
            waiting += new


def _operand(instruction: Any) -> Matrix | str:
    operands = list(instruction.operands)
    return Matrix(*map(float, operands)) if str(instruction.operator) == "cm" else "".join(map(str, operands[:1]))


def descendant(font: Object) -> Object:
    """Return the CID font of a composite font, or a simple font itself."""
    if font.get(Name.Subtype) != Name.Type0:
        return font
    return dictionary(next(iter(items(font.get(Name.DescendantFonts))), None))


def program_of(font: Object) -> Object | None:
    """Return the stream with the program of a font."""
    descriptor = dictionary(descendant(font).get(Name.FontDescriptor))
    streams = (descriptor.get(key) for key in (Name.FontFile, Name.FontFile2, Name.FontFile3))
    return next((each for each in streams if isinstance(each, Stream) and each.is_indirect), None)


def _scale(matrix: Matrix) -> tuple[float, float]:
    """Return the lengths of the sides of the unit square."""
    return math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
