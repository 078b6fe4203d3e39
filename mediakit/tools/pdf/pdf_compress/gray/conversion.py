"""Converts the colors of a PDF to gray: content, gradients, annotations, palettes."""

from collections.abc import Iterator, Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.geometry import read_numbers
from mediakit.engines.pdf.objects import dictionaries, dictionary
from mediakit.engines.pdf.source import PageKey, Source
from mediakit.tools.pdf.pdf_compress.gray.content import Colors, gray_array, gray_content
from mediakit.tools.pdf.pdf_compress.gray.images import converts_with_pixels, make_matte_gray, make_palette_gray
from mediakit.tools.pdf.pdf_compress.gray.shadings import make_shading_gray
from mediakit.tools.pdf.pdf_compress.images.image import PdfImage
from mediakit.tools.pdf.pdf_compress.streams import Streams

_ANNOTATION_COLORS = (Name.C, Name.IC)
_WIDGET_COLORS = (Name.BC, Name.BG)


def convert_to_gray(source: Source, streams: Streams, objects: Sequence[pikepdf.Object]) -> None:
    """Convert everything but the pixels of images, with a warning about what keeps its color."""
    _Conversion(source, streams).run(objects)


def prepare_images(source: Source, images: Sequence[PdfImage]) -> set[PageKey]:
    """Convert palettes, and return the images whose pixels must be converted."""
    waiting: set[PageKey] = set()
    failed = 0
    for image in images:
        if image.is_stencil or image.is_soft_mask or image.space.family == "gray":
            continue
        try:
            if image.space.family in ("indexed", "ink") or _is_single_ink(image):
                make_palette_gray(image)
            elif converts_with_pixels(image):
                mask = image.stream.get(Name.SMask)
                if isinstance(mask, Stream):
                    make_matte_gray(image, mask)
                waiting.add(image.key)
            else:
                failed += 1
        except (ValueError, ArithmeticError, IndexError, pikepdf.PdfError):
            failed += 1
    if failed:
        source.warn(colored_images(failed))
    return waiting


def colored_images(count: int) -> str:
    """Return the warning for images that keep their color."""
    return f"{count} image{' keeps its' if count == 1 else 's keep their'} color."


def _is_single_ink(image: PdfImage) -> bool:
    space = image.stream.get(Name.ColorSpace)
    return isinstance(space, Array) and len(space) > 1 and space[0] == Name.DeviceN and len(space[1]) == 1


class _Conversion:
    def __init__(self, source: Source, streams: Streams) -> None:
        self._source = source
        self._streams = streams
        self._ends: dict[PageKey, Colors] = {}
        self._seen: set[PageKey] = set()
        self._failed = False

    def run(self, objects: Sequence[pikepdf.Object]) -> None:
        for page in self._source.pdf.pages:
            self._page(page)
            for annotation in dictionaries(page.obj.get(Name.Annots)):
                self._annotation(annotation)
        for item in objects:
            if isinstance(item, Stream | Dictionary):
                self._object(item)
        if self._failed:
            self._source.warn("Some colors could not be converted to gray, and were kept.")

    def _page(self, page: pikepdf.Page) -> None:
        contents = page.obj.get(Name.Contents)
        colors = Colors()
        for stream in list(contents) if isinstance(contents, Array) else [contents]:
            if isinstance(stream, Stream):
                colors = self._content(stream, dictionary(page.resources), colors)

    def _object(self, item: pikepdf.Object) -> None:
        resources = dictionary(item.get(Name.Resources))
        if isinstance(item, Stream) and (item.get(Name.Subtype) == Name.Form or item.get(Name.PatternType) == 1):
            self._content(item, resources, Colors())
        if item.get(Name.Subtype) == Name.Type3:
            for glyph in dictionary(item.get(Name.CharProcs)).values():
                if isinstance(glyph, Stream):
                    self._content(glyph, resources, Colors())
        for shading in _shadings(item, resources):
            self._shading(shading)
        if Name.FT in item or Name.Fields in item:
            self._appearance_text(item)

    def _content(self, stream: pikepdf.Object, resources: pikepdf.Object, colors: Colors) -> Colors:
        """Convert a stream once, and return the color spaces at its end."""
        if stream.objgen in self._ends:
            return self._ends[stream.objgen]
        try:
            data = self._streams.read(stream)
            gray = gray_content(data, resources, colors)
            if gray != data:
                self._streams.write(stream, gray)
        except (ValueError, ArithmeticError, IndexError, pikepdf.PdfError):
            self._failed = True
        self._ends[stream.objgen] = colors
        return colors

    def _shading(self, shading: pikepdf.Object) -> None:
        if shading.is_indirect:
            if shading.objgen in self._seen:
                return
            self._seen.add(shading.objgen)
        try:
            make_shading_gray(self._source.pdf, shading)
        except (ValueError, ArithmeticError, IndexError, AttributeError, TypeError, pikepdf.PdfError):
            self._failed = True

    def _annotation(self, annotation: pikepdf.Object) -> None:
        look = dictionary(annotation.get(Name.MK))
        for holder, keys in ((annotation, _ANNOTATION_COLORS), (look, _WIDGET_COLORS)):
            for key in keys:
                values = read_numbers(holder.get(key))
                if len(values) > 1:
                    holder[key] = Array(gray_array(values))
        self._appearance_text(annotation)

    def _appearance_text(self, holder: pikepdf.Object) -> None:
        """Convert the color in which readers write the value of a field."""
        text = holder.get(Name.DA)
        if isinstance(text, String):
            try:
                holder.DA = String(gray_content(bytes(text), Dictionary()))
            except ValueError:
                self._failed = True


def _shadings(item: pikepdf.Object, resources: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """Yield the shadings of a pattern and of resources."""
    found = [item.get(Name.Shading)] if item.get(Name.PatternType) == 2 else []
    found += list(dictionary(resources.get(Name.Shading)).values())
    for pattern in dictionary(resources.get(Name.Pattern)).values():
        if isinstance(pattern, Dictionary):
            found.append(pattern.get(Name.Shading))
    for shading in found:
        if isinstance(shading, Dictionary | Stream) and Name.ShadingType in shading:
            yield shading
