"""Arranges the pages of a PDF, also several on a sheet with their links, annotations and tags; runs in a worker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.core.inputs import file_of
from mediakit.engines.paper import SIZES_MM
from mediakit.engines.pdf import MadePdf
from mediakit.engines.pdf.assembly import Assembly
from mediakit.engines.pdf.destinations import annotations, warn_of_removed_links
from mediakit.engines.pdf.document import open_to_change
from mediakit.engines.pdf.forms.fields import Form
from mediakit.engines.pdf.forms.filling import flatten
from mediakit.engines.pdf.geometry import Placement, is_number, rounded, seen_matrix, seen_size, user_unit, visible_box
from mediakit.engines.pdf.objects import Visited, dictionaries
from mediakit.engines.pdf.opening import (
    MAX_PAGES,
    PageKey,
    Source,
    open_emptied,
    warn_of_late_damage,
    warn_of_lost_protection,
)
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.scaling import POINTS_PER_MM, fit_pages, move_annotation, move_destinations, move_numbers
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_pages.tool import PdfPagesRequest

GRIDS: Mapping[int, tuple[int, int]] = {2: (2, 1), 4: (2, 2), 6: (3, 2), 9: (3, 3), 16: (4, 4)}
"""Columns and rows, or rows and columns, by the number of pages on a sheet."""

Size = tuple[float, float]


@dataclass(frozen=True)
class SheetLayout:
    """A sheet of cells, filled from left to right and from top to bottom."""

    width: float
    """Points."""
    height: float
    columns: int
    rows: int

    def place(self, page: pikepdf.Page, cell: int) -> Placement:
        """Return how a page moves into a cell, as large as fits and centered."""
        across, down = self.width / self.columns, self.height / self.rows
        scale = _scale(seen_size(page), (across, down))
        turned = Placement(scale * user_unit(page.obj), 0, 0, page.rotation // 90 * 90 % 360)
        left, bottom, right, top = turned.box(visible_box(page))
        row, column = divmod(cell, self.columns)
        return Placement(
            turned.scale,
            (column + 0.5) * across - (left + right) / 2,
            self.height - (row + 0.5) * down - (bottom + top) / 2,
            turned.turn,
        )

    def area(self, sizes: Sequence[Size]) -> float:
        """Return the area that pages of these sizes cover."""
        cell = self.width / self.columns, self.height / self.rows
        return sum((_scale(size, cell) ** 2) * size[0] * size[1] for size in sizes)


def best_layout(count: int, sheet: Size, sizes: Sequence[Size]) -> SheetLayout:
    """Return the layout in which pages are largest; the sheet is turned only if that makes them larger."""
    many, few = GRIDS[count]
    layouts = (
        SheetLayout(width, height, columns, rows)
        for width, height in (sheet, sheet[::-1])
        for columns, rows in ((many, few), (few, many))
    )
    return max(layouts, key=lambda layout: round(layout.area(sizes)))


def _scale(size: Size, cell: Size) -> float:
    return min(cell[0] / size[0], cell[1] / size[1])


@dataclass(frozen=True)
class Spot:
    """A page's place on a sheet."""

    sheet: pikepdf.Object
    form: pikepdf.Object
    """The content of the page."""
    placement: Placement
    """How points of the page move to the sheet."""
    box: tuple[float, float, float, float]
    """Left, bottom, right and top of the page on the sheet."""

    def destination(self, target: Sequence[Any]) -> list[Any]:
        """Return a destination of the page as one of the sheet.

        A view of the whole page shows its place on the sheet; a view of a width or a height becomes a point.
        """
        kind, numbers = str(target[1]) if len(target) > 1 else "/Fit", [*target[2:], None, None]
        match kind:
            case "/XYZ":
                return self._point(numbers[0], numbers[1])
            case "/FitH" | "/FitBH":
                return self._point(None, numbers[0])
            case "/FitV" | "/FitBV":
                return self._point(numbers[0], None)
            case "/FitR" if all(map(is_number, numbers[:4])):
                corners = [float(number) for number in numbers[:4]]
                return [self.sheet, Name.FitR, *rounded(self.placement.box(corners))]
        return [self.sheet, Name.FitR, *rounded(self.box)]

    def _point(self, x: object, y: object) -> list[Any]:
        """Return a view of a point of the page; what is not given is at the left or the top of the page."""
        moved = self.placement.point(_number(x), _number(y))
        if self.placement.turn % 180:
            x, y = y, x
        left, top = (
            place if is_number(given) else edge
            for place, given, edge in zip(moved, (x, y), (self.box[0], self.box[3]), strict=True)
        )
        return [self.sheet, Name.XYZ, *rounded([left, top]), None]


def _number(value: object) -> float:
    return float(value) if is_number(value) else 0.0  # type: ignore[arg-type]  # is_number has checked


class _Sheets:
    """Replaces the pages of a PDF by sheets with `count` pages each; `size` is that of a sheet in points."""

    def __init__(self, source: Source, count: int, size: Size) -> None:
        if Name.AcroForm in source.root:
            flatten(Form(source))
            source.warn(
                "The form fields became content of their pages, without scripts, as several pages are on a sheet."
            )
        self._source = source
        self._pages = list(source.pdf.pages)
        self._count = count
        self._layout = best_layout(count, size, [seen_size(page) for page in self._pages])
        self._forms: dict[tuple[bytes, ...], pikepdf.Object] = {}
        self._spots: dict[PageKey, Spot] = {}

    def write(self) -> None:
        """Make the sheets and let everything lead there."""
        source, pages = self._source, self._source.pdf.pages
        starts = range(0, len(self._pages), self._count)
        sheets = [self._sheet(self._pages[start : start + self._count]) for start in starts]
        move_destinations(source, self._moved)
        move_tags(source, self._spots)
        if Name.PageLabels in source.root:
            del source.root.PageLabels
            source.warn("The page labels were removed, because several pages are on a sheet.")
        if any(Name.AA in page.obj for page in self._pages):
            source.warn("Actions that run when a page is opened or closed were removed.")
        del pages[:]
        for sheet in sheets:
            pages.append(pikepdf.Page(sheet))

    def _sheet(self, group: Sequence[pikepdf.Page]) -> pikepdf.Object:
        pdf, layout = self._source.pdf, self._layout
        sheet = pdf.make_indirect(
            Dictionary(Type=Name.Page, MediaBox=Array(rounded([0, 0, layout.width, layout.height])))
        )
        names, operators, moved, beads = Dictionary(), [], [], []
        for cell, page in enumerate(group):
            placement = layout.place(page, cell)
            left, bottom, right, top = placement.box(visible_box(page))
            spot = Spot(sheet, self._form_of(page), placement, (left, bottom, right, top))
            self._spots[page.obj.objgen] = spot
            names[f"/Page{cell + 1}"] = spot.form
            matrix = " ".join(f"{number:.5f}" for number in placement.matrix)
            operators.append(f"q {matrix} cm /Page{cell + 1} Do Q")
            for item in annotations(page.obj):
                moved.append(item if item.is_indirect else pdf.make_indirect(item))
                move_annotation(moved[-1], placement)
                moved[-1].P = sheet
            for bead in dictionaries(page.obj.get(Name.B)):  # parts of articles that go on in other columns
                move_numbers(bead, Name.R, placement)
                bead.P = sheet
                beads.append(bead)
        sheet.Resources = Dictionary(XObject=names)
        sheet.Contents = pdf.make_stream("\n".join(operators).encode())
        for key, found in ((Name.Annots, moved), (Name.B, beads)):
            if found:
                sheet[key] = Array(found)
        return sheet

    def _form_of(self, page: pikepdf.Page) -> pikepdf.Object:
        """Return the visible content of a page as a form; pages that repeat the content of another share its form."""
        box = visible_box(page)
        parts = [page.obj.get(Name.Contents), page.obj.get(Name.Resources), page.obj.get(Name.Group)]
        key = *(b"" if part is None else part.unparse() for part in parts), repr(box).encode()
        form = self._forms.get(key)
        if form is None or Name.StructParents in page.obj:
            form = self._forms[key] = page.as_form_xobject(handle_transformations=False)
            form.BBox = Array(rounded(box))
            if Name.StructParents in page.obj:
                form.StructParents = page.obj.StructParents
        return form

    def _moved(self, target: Sequence[Any]) -> Sequence[Any] | None:
        spot = self._spots.get(target[0].objgen)
        return None if spot is None else spot.destination(target)


MAX_ELEMENTS = 1_000_000
"""Structure elements that are moved."""


def move_tags(source: Source, spots: Mapping[PageKey, Spot]) -> None:
    """Let the structure elements name their content in the forms and the annotations on the sheets."""
    waiting: list[tuple[Any, PageKey | None]] = [(source.root.get(Name.StructTreeRoot), None)]
    visited = Visited()
    while waiting and visited.count < MAX_ELEMENTS:
        element, page = waiting.pop()
        if not isinstance(element, Dictionary) or not visited.add(element):
            continue
        own = element.get(Name.Pg)
        if isinstance(own, Dictionary):
            page = own.objgen
            if page in spots:
                element.Pg = spots[page].sheet
        if Name.K not in element:
            continue
        kids: Any = element.K
        if isinstance(kids, Array):
            element.K = Array([_moved(kid, page, spots) for kid in kids])
        else:
            element.K = _moved(kids, page, spots)
            kids = [kids]
        waiting += [(kid, page) for kid in kids if isinstance(kid, Dictionary) and Name.S in kid]


def _moved(kid: Any, page: PageKey | None, spots: Mapping[PageKey, Spot]) -> Any:
    if isinstance(kid, int):
        spot = spots.get(page) if page else None
        if spot is None:
            return kid
        return Dictionary(Type=Name.MCR, Pg=spot.sheet, Stm=spot.form, MCID=kid)
    if not isinstance(kid, Dictionary) or kid.get(Name.Type) not in (Name.MCR, Name.OBJR):
        return kid
    own = kid.get(Name.Pg)
    spot = spots.get(own.objgen if isinstance(own, Dictionary) else page or (0, 0))
    if spot is not None:
        kid.Pg = spot.sheet
        if kid.Type == Name.MCR and Name.Stm not in kid:
            kid.Stm = spot.form
    return kid


def arrange(request: PdfPagesRequest) -> MadePdf:
    """Return a PDF of the chosen pages, turned, cropped, resized and on sheets as the request says.

    Raises:
        InvalidInput: The file, a page range or the crop is not valid.
    """
    source = open_to_change(file_of(request.file), request.password)
    count = len(source.pages)
    chosen = _chosen(request, count)
    for index in indices(request.rotate_pages, count, "rotate_pages") if request.rotate else ():
        source.pdf.pages[index].rotate(request.rotate, relative=True)
    if request.crop and any(request.crop):
        for index in sorted(set(chosen)):
            _crop(source.pdf.pages[index], index + 1, [side * POINTS_PER_MM for side in request.crop])
        source.warn("The content that was cropped is hidden, not deleted: it is still in the file.")
    result = source if list(chosen) == list(range(count)) else _selected(request, source, chosen)
    size = _paper(request, result.pdf)
    if request.n_up > 1:
        _Sheets(result, request.n_up, size or seen_size(result.pdf.pages[0])).write()
    elif size:
        result.warnings += fit_pages(result.pdf, range(len(result.pdf.pages)), *size)
    content = save(result.pdf)
    warn_of_late_damage(source)
    meta = {"pages": len(result.pdf.pages), "original_pages": count, "warnings": source.warnings}
    return MadePdf(content, meta)


def _chosen(request: PdfPagesRequest, count: int) -> Sequence[int]:
    """Return the pages of the result, from 0, in their order."""
    if request.remove is not None:
        removed = set(indices(request.remove, count, "remove"))
        if len(removed) == count:
            raise InvalidInput("remove: nothing would be left.")
        return [index for index in range(count) if index not in removed]
    chosen = indices(request.pages, count, "pages", ordered=True)
    if len(chosen) > MAX_PAGES:
        raise InvalidInput(f"pages: makes {len(chosen)} pages; the most is {MAX_PAGES}.")
    return chosen


def _selected(request: PdfPagesRequest, source: Source, chosen: Sequence[int]) -> Source:
    """Return a PDF of some of the pages, encrypted as the file is."""
    emptied = None
    if source.pdf.is_encrypted:
        emptied = open_emptied(file_of(request.file), [request.password] if request.password else [])
    if emptied is None:
        warn_of_lost_protection(source)
    assembly = Assembly(into=emptied)
    warn_of_removed_links(assembly.add(source, chosen, leads=True))
    assembly.finish()
    for old, new in assembly.fields.renamed.items():
        source.warn(f"The form field {old} is repeated; it is called {new} at its second place.")
    return Source(assembly.pdf, warnings=source.warnings)


def _paper(request: PdfPagesRequest, pdf: pikepdf.Pdf) -> tuple[float, float] | None:
    """Return width and height of the paper in points."""
    if request.paper is None:
        return None
    if request.paper == "first":
        return seen_size(pdf.pages[0])
    width, height = SIZES_MM[request.paper]
    return width * POINTS_PER_MM, height * POINTS_PER_MM


SMALLEST_SIDE = 3.0
"""Points of a page that must be left; the smallest page that Acrobat opens (PDF 1.7, annex C)."""


def _crop(page: pikepdf.Page, number: int, crop: Sequence[float]) -> None:
    """Set the crop box of a page by the points to cut off at the top, right, bottom and left as it is seen."""
    top, right, bottom, left = crop
    width, height = seen_size(page)
    if width - left - right < SMALLEST_SIDE or height - top - bottom < SMALLEST_SIDE:
        raise InvalidInput(f"crop: leaves nothing of page {number}.")
    matrix = seen_matrix(page)
    corners = matrix.transform((left, top)), matrix.transform((width - right, height - bottom))
    across, along = zip(*corners, strict=True)
    page.obj.CropBox = Array(rounded([min(across), min(along), max(across), max(along)]))
