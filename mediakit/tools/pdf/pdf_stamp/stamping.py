"""Stamps the pages of a PDF; runs in a worker."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime

import pikepdf
from pikepdf import Dictionary, Name, String

from mediakit.core.inputs import file_of
from mediakit.engines.pdf import MadePdf
from mediakit.engines.pdf.document import open_to_change
from mediakit.engines.pdf.drawn_lines import Mark
from mediakit.engines.pdf.geometry import seen_matrix, seen_size
from mediakit.engines.pdf.opening import Source
from mediakit.engines.pdf.outlines import page_labels
from mediakit.engines.pdf.page_content import PageContent, add_resource, make_group, operands
from mediakit.engines.pdf.page_ranges import format_number, indices
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.scaling import POINTS_PER_MM
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_stamp.geometry import Placed, mark_matrix, place, placed_box, tiled
from mediakit.tools.pdf.pdf_stamp.marks import Overlay, TextMarks, image_mark
from mediakit.tools.pdf.pdf_stamp.qr_marks import PlacedCode, qr_mark, require_readable, unreadable_pages
from mediakit.tools.pdf.pdf_stamp.tool import PdfStampRequest, expand, uses


def page_texts(text: str, source: Source, indices: Sequence[int], request: PdfStampRequest) -> dict[int, str]:
    """Return a text with placeholders as it is on each page that gets the stamp, by its index."""
    fixed = {
        "pages": format_number(len(source.pages), request.number_format),
        "filename": file_of(request.file).name,
        "date": datetime.now(UTC).date().isoformat(),
        "title": document_title(source) if uses(text, "title") else "",
    }
    for name, words in (("title", "title"), ("filename", "file name")):
        if uses(text, name) and not fixed[name].strip():
            source.warn(f"{{{name}}} is empty, because the PDF has no {words}.")
    labels = [label.text for label in page_labels(source)] if uses(text, "label") else [""] * len(source.pages)
    texts = {}
    for count, index in enumerate(indices):
        page = format_number(request.start + index - indices[0], request.number_format)
        texts[index] = expand(text, {**fixed, "page": page, "label": labels[index]}, request.start + count)
    return texts


def document_title(source: Source) -> str:
    """Return the title of a PDF on one line, or nothing if it has none."""
    info = source.pdf.trailer.get(Name.Info)
    title = info.get(Name.Title) if isinstance(info, Dictionary) else None
    found = str(title).strip() if isinstance(title, String) else ""
    if not found:
        with suppress(pikepdf.PdfError, ValueError, RuntimeError, TypeError):  # damaged metadata
            metadata = source.pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False)
            found = str(metadata.get("dc:title", ""))
    return " ".join(found.split())


def stamp(request: PdfStampRequest) -> MadePdf:
    """Return the PDF with its stamp.

    Raises:
        InvalidInput: A file, a page range, a character or a QR code is not valid.
    """
    return _Stamping(request).run()


class _Stamping:
    def __init__(self, request: PdfStampRequest) -> None:
        self._request = request
        self._source = open_to_change(file_of(request.file), request.password)
        self._pdf = self._source.pdf
        self._pages = list(self._pdf.pages)
        self._indices = indices(request.pages, len(self._pages))
        self._sizes = {index: seen_size(self._pages[index]) for index in self._indices}
        self._content = PageContent(self._pdf)
        self._state: pikepdf.Object | None = None
        self._tiles: dict[tuple[object, ...], pikepdf.Object] = {}
        self._payloads: dict[int, str] = {}
        self._warnings: list[str] = []

    def run(self) -> MadePdf:
        """Stamp the pages."""
        marks = self._marks()
        placed = {index: place(self._request, mark, self._sizes[index]) for index, mark in marks.items()}
        for index, where in placed.items():
            self._draw(index, where)
        if shrunk := [index + 1 for index, where in placed.items() if where.shrunk]:
            self._warnings.append(f"The stamp was made smaller to fit {_listed(shrunk)}.")
        if blank := [index + 1 for index in self._indices if index not in marks]:
            self._warnings.append(f"The text is empty on {_listed(blank)}, which got no stamp.")
        content = save(self._pdf, min_version=max("1.5", self._pdf.pdf_version))
        self._read_codes(content, placed)
        warnings = [*self._source.warnings, *self._warnings]
        return MadePdf(content, {"pages": len(self._pages), "stamped": len(marks), "warnings": warnings})

    def _marks(self) -> Mapping[int, Mark]:
        request = self._request
        if request.text is not None:
            texts = page_texts(request.text, self._source, self._indices, request)
            return TextMarks(self._pdf, request).marks(texts, self._sizes)
        if request.qr is not None:
            return self._qr_marks(request.qr)
        if request.image is not None:
            return dict.fromkeys(self._indices, image_mark(self._pdf, file_of(request.image), self._warnings))
        overlay = Overlay(self._source, file_of(request.pdf or b""), request.password)
        marks = {index: overlay.mark(index) for index in self._indices}
        self._warnings += overlay.warnings()
        return marks

    def _qr_marks(self, qr: str) -> Mapping[int, Mark]:
        payloads = self._payloads = page_texts(qr, self._source, self._indices, self._request)
        if not all(payloads.values()):
            raise InvalidInput("qr: is empty, because its placeholders have no value.")
        made = {
            payload: qr_mark(self._pdf, payload, self._request.color) for payload in dict.fromkeys(payloads.values())
        }
        checked: set[tuple[str, float]] = set()
        for index, payload in payloads.items():
            mark = made[payload]
            width = round(place(self._request, mark, self._sizes[index]).scale * mark.width / POINTS_PER_MM, 1)
            if (payload, width) not in checked:
                checked.add((payload, width))
                require_readable(mark, payload, width, self._request.opacity)
        return {index: made[payload] for index, payload in payloads.items()}

    def _read_codes(self, content: bytes, placed: Mapping[int, Placed]) -> None:
        """Warn of codes that the content of their page shines through or covers."""
        if self._request.qr is None or (self._request.layer == "over" and self._request.opacity == 1):
            return
        codes = {
            index: PlacedCode(self._payloads[index], placed_box(where, self._request.rotate))
            for index, where in placed.items()
        }
        if unreadable := unreadable_pages(content, self._request.password, codes):
            pages = _listed([index + 1 for index in unreadable])
            self._warnings.append(f"The QR code cannot be read on {pages}, because of what else is there.")

    def _draw(self, index: int, where: Placed) -> None:
        """Draw a mark into its page."""
        request, page, size = self._request, self._pages[index], self._sizes[index]
        matrix, form = seen_matrix(page), where.mark.form
        if request.tile:
            key = form.objgen, where.scale, size
            if key not in self._tiles:
                is_text = request.text is not None
                self._tiles[key] = tiled(self._pdf, where, request.rotate, size, is_text=is_text)
            form = self._tiles[key]
        else:
            matrix = mark_matrix(where.mark, where.scale, request.rotate, where.x, where.y) @ matrix
        state = ""
        if request.opacity != 1:
            make_group(form)
            if self._state is None:
                opacity = round(request.opacity, 4)
                self._state = self._pdf.make_indirect(Dictionary(Type=Name.ExtGState, ca=opacity, CA=opacity))
            state = f"{add_resource(page, '/ExtGState', self._state, 'StampOpacity')} gs "
        name = add_resource(page, "/XObject", form, "Stamp")
        artifact = f"/Artifact <</Type /Pagination /Subtype /{self._kind()}>> BDC"
        content = f"q {artifact}\n{state}{operands(matrix)} cm {name} Do\nEMC Q\n".encode()
        add = self._content.add_under if request.layer == "under" else self._content.add_over
        add(page, content)

    def _kind(self) -> str:
        """Return the kind of pagination artifact that the stamp is (ISO 32000-2, 14.8.2.2)."""
        if self._request.text is None or self._request.tile or self._request.rotate:
            return "Watermark"
        words = self._request.position.split()
        return "Header" if "top" in words else "Footer" if "bottom" in words else "Watermark"


def _listed(pages: Sequence[int]) -> str:
    """Return page numbers in words, at most ten."""
    if len(pages) == 1:
        return f"page {pages[0]}"
    shown = ", ".join(map(str, pages[:10]))
    return f"pages {shown}" + (f" and {len(pages) - 10} more" if len(pages) > 10 else "")
