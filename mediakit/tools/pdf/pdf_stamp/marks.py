"""Marks: lines of text, images, and pages of another PDF."""

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO

import pikepdf
from pikepdf import Dictionary, Name

from mediakit.engines.file_types.identify import identify
from mediakit.engines.pdf import is_pdf
from mediakit.engines.pdf.destinations import Part, annotations
from mediakit.engines.pdf.document import open_to_read, refuse_dynamic_xfa
from mediakit.engines.pdf.drawn_lines import INK_MARGIN, LINE_HEIGHT, Align, Line, LineStyle, Mark, draw_lines
from mediakit.engines.pdf.forms.joining import Layers
from mediakit.engines.pdf.geometry import seen_size
from mediakit.engines.pdf.images import image_format, load_image
from mediakit.engines.pdf.opening import Source, warn_of_lost_protection
from mediakit.engines.pdf.page_content import make_form, page_form
from mediakit.engines.raster.source import read_header
from mediakit.engines.xml import clean_svg, damaged_svg, is_svg
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_stamp.geometry import text_room, text_scale
from mediakit.tools.pdf.pdf_stamp.tool import PdfStampRequest

Size = tuple[float, float]


class TextMarks:
    """Marks of the texts of a stamp."""

    def __init__(self, pdf: pikepdf.Pdf, request: PdfStampRequest) -> None:
        self._pdf = pdf
        self._request = request
        self._style = LineStyle(request.font, request.color)
        self._align: Align = (
            "left" if "left" in request.position else "right" if "right" in request.position else "center"
        )
        self._drawn: dict[Line, Mark] = {}

    def marks(self, texts: Mapping[int, str], sizes: Mapping[int, Size]) -> dict[int, Mark]:
        """Return the mark of each page, by its index; pages whose text is blank have none.

        Raises:
            InvalidInput: No font has a character.
        """
        shown = {
            index: [Line(row, self._style) for row in text.split("\n")] for index, text in texts.items() if text.strip()
        }
        self._draw(line for lines in shown.values() for line in lines)
        if not self._request.tile and not self._request.rotate:
            for index, lines in shown.items():  # those that are too long for their page are wrapped
                width = round(text_room(self._request, sizes[index])[0] / text_scale(self._request), 3)
                long = {line for line in lines if line in self._drawn and self._drawn[line].width > width}
                shown[index] = [
                    Line(line.text, self._style, width, self._align) if line in long else line for line in lines
                ]
            self._draw(line for lines in shown.values() for line in lines)
        made = {
            lines: self._drawn[lines[0]] if len(lines) == 1 else self._stacked(lines)
            for lines in dict.fromkeys(map(tuple, shown.values()))
        }
        return {index: made[tuple(lines)] for index, lines in shown.items()}

    def _draw(self, lines: Iterable[Line]) -> None:
        new = [line for line in dict.fromkeys(lines) if line.text.strip() and line not in self._drawn]
        if new:
            self._drawn |= dict(zip(new, draw_lines(self._pdf, new), strict=True))

    def _stacked(self, lines: Sequence[Line]) -> Mark:
        """Put lines below each other."""
        drawn = [self._drawn.get(line) for line in lines]
        width = max(mark.width for mark in drawn if mark is not None)
        height = sum(LINE_HEIGHT if mark is None else mark.height for mark in drawn)
        parts, y = [], height
        for number, mark in enumerate(drawn):
            y -= LINE_HEIGHT if mark is None else mark.height
            if mark is not None:
                x = {"left": 0.0, "center": 0.5, "right": 1.0}[self._align] * (width - mark.width)
                parts.append(f"q 1 0 0 1 {x:.4f} {y:.4f} cm /Line{number} Do Q")
        forms = {f"/Line{number}": mark.form for number, mark in enumerate(drawn) if mark is not None}
        box = (-INK_MARGIN, -INK_MARGIN, width + INK_MARGIN, height + INK_MARGIN)
        form = make_form(self._pdf, "\n".join(parts).encode(), box, Dictionary(XObject=Dictionary(forms)))
        return Mark(form, width, height)


def svg_mark(pdf: pikepdf.Pdf, content: bytes, warnings: list[str]) -> Mark:
    """Return the mark of an SVG image, which stays vector. Scripts never run, and other files are never opened.

    Raises:
        InvalidInput: The image is damaged.
    """
    import vl_convert

    source_text = clean_svg(content, warnings)
    try:
        source = pikepdf.open(BytesIO(vl_convert.svg_to_pdf(source_text)))
    except (ValueError, RuntimeError, pikepdf.PdfError) as error:
        raise damaged_svg() from error
    page = source.pages[0]
    width, height = seen_size(page)
    return Mark(pdf.copy_foreign(page_form(page)), width, height)


def image_mark(pdf: pikepdf.Pdf, content: bytes, warnings: list[str]) -> Mark:
    """Return the mark of an image, one point for each pixel.

    Raises:
        InvalidInput: The file is not such an image, is damaged or too large.
    """
    if is_svg(content):
        return svg_mark(pdf, content, warnings)
    kind = image_format(content)
    if kind not in ("png", "jpeg", "webp", "avif"):
        hint = " Send a PDF as pdf." if is_pdf(content) else ""
        raise InvalidInput(
            f"image: must be a PNG, JPEG, WebP, AVIF or SVG image, got {identify(content).description}.{hint}"
        )
    try:
        loaded = load_image(content, kind)
    except InvalidInput as error:
        raise InvalidInput(error.message.replace("file:", "image:", 1)) from error
    if read_header(content).animated:
        warnings.append("image: is animated; only its first frame is shown.")
    width, height = loaded.seen_size
    resources = Dictionary(XObject=Dictionary(Image=loaded.write(pdf)))
    drawing = f"{loaded.matrix(width, height)} cm /Image Do".encode()
    return Mark(make_form(pdf, drawing, (0, 0, width, height), resources), width, height)


class Overlay:
    """A PDF whose pages are marks on the pages of another, the target.

    Raises:
        InvalidInput: It is not a PDF, no password opens it, or it is damaged or a dynamic XFA form.
    """

    def __init__(self, target: Source, content: bytes, password: str | None) -> None:
        self._target = target
        self._source = open_to_read(content, password, "pdf")
        refuse_dynamic_xfa(self._source)
        warn_of_lost_protection(self._source)
        self._marks: dict[int, Mark] = {}
        _draw_annotations(self._source.pdf)
        _join_layers(target, self._source)

    def mark(self, index: int) -> Mark:
        """Return the mark of a page: the page of the overlay with the same number if it has enough, else its first."""
        number = index if len(self._source.pages) >= len(self._target.pages) else 0
        if number not in self._marks:
            page = self._source.pdf.pages[number]
            if annotations(page.obj):
                self._source.warn("Links and other interactive parts of its pages are not copied.")
            width, height = seen_size(page)
            self._marks[number] = Mark(self._target.pdf.copy_foreign(page_form(page)), width, height)
        return self._marks[number]

    def warnings(self) -> list[str]:
        """Return what the user should know about the overlay."""
        return [f"pdf: {sentence}" for sentence in self._source.warnings]


def _draw_annotations(pdf: pikepdf.Pdf) -> None:
    """Draw form fields, comments and stamps into their pages."""
    form = pdf.Root.get(Name.AcroForm)
    try:
        widgets = (
            item for page in pdf.pages for item in annotations(page.obj) if item.get(Name.Subtype) == Name.Widget
        )
        if isinstance(form, Dictionary) and any(Name.AP not in widget for widget in widgets):
            form.NeedAppearances = True
            pdf.generate_appearance_streams()
        pdf.flatten_annotations("screen")
    except pikepdf.PdfError:  # damaged annotations are not drawn
        return


def _join_layers(target: Source, source: Source) -> None:
    """Let the layers of the overlay stay shown or hidden."""
    layers = Layers()
    added = layers.prepare(Part(source, list(range(len(source.pages))), 0))
    if added is None:
        return
    part = Part(target, list(range(len(target.pages))), 0)
    own = layers.prepare(part)
    if own is not None:
        layers.attach(part, own)
    indirect = added if added.is_indirect else source.pdf.make_indirect(added)
    copied = target.pdf.copy_foreign(indirect)
    layers.attach(part, copied)
    if own is None:
        target.root[Name.OCProperties] = copied
