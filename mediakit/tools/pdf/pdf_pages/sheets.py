"""Puts several pages on a sheet, with links, bookmarks, annotations and tags."""

from collections.abc import Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.destinations import annotations
from mediakit.engines.pdf.forms.filling import flatten
from mediakit.engines.pdf.forms.tree import Form
from mediakit.engines.pdf.geometry import rounded, seen_size, visible_box
from mediakit.engines.pdf.moving import move_annotation, move_destinations, move_numbers
from mediakit.engines.pdf.objects import dictionaries
from mediakit.engines.pdf.source import PageKey, Source
from mediakit.tools.pdf.pdf_pages.page_forms import PageForms
from mediakit.tools.pdf.pdf_pages.sheet_layout import Size, best_layout
from mediakit.tools.pdf.pdf_pages.sheet_tags import move_tags
from mediakit.tools.pdf.pdf_pages.spot import Spot


def put_on_sheets(source: Source, count: int, size: Size) -> None:
    """Replace the pages of a PDF by sheets with several pages each.

    Args:
        source: The PDF.
        count: Pages on a sheet.
        size: Width and height of the sheet in points.
    """
    if Name.AcroForm in source.root:
        flatten(Form(source))
        source.warn("The form fields became content of their pages, without scripts, as several pages are on a sheet.")
    _Sheets(source, count, size).write()


class _Sheets:
    def __init__(self, source: Source, count: int, size: Size) -> None:
        self._source = source
        self._pages = list(source.pdf.pages)
        self._count = count
        self._layout = best_layout(count, size, [seen_size(page) for page in self._pages])
        self._forms = PageForms()
        self._spots: dict[PageKey, Spot] = {}

    def write(self) -> None:
        """Make the sheets and let everything lead there."""
        starts = range(0, len(self._pages), self._count)
        sheets = [self._sheet(self._pages[start : start + self._count]) for start in starts]
        move_destinations(self._source, self._moved)
        move_tags(self._source, self._spots)
        self._warn()
        pages = self._source.pdf.pages
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
            spot = self._place(page, cell, sheet)
            names[f"/Page{cell + 1}"] = spot.form
            operators.append(f"q {_numbers(spot.placement.matrix)} cm /Page{cell + 1} Do Q")
            moved += _move_annotations(pdf, page.obj, spot)
            beads += _move_beads(page.obj, spot)
        sheet.Resources = Dictionary(XObject=names)
        sheet.Contents = pdf.make_stream("\n".join(operators).encode())
        for key, found in ((Name.Annots, moved), (Name.B, beads)):
            if found:
                sheet[key] = Array(found)
        return sheet

    def _place(self, page: pikepdf.Page, cell: int, sheet: pikepdf.Object) -> Spot:
        placement = self._layout.place(page, cell)
        box = placement.box(visible_box(page))
        spot = Spot(sheet, self._forms.form_of(page), placement, (box[0], box[1], box[2], box[3]))
        self._spots[page.obj.objgen] = spot
        return spot

    def _moved(self, target: Sequence[Any]) -> Sequence[Any] | None:
        spot = self._spots.get(target[0].objgen)
        return None if spot is None else spot.destination(target)

    def _warn(self) -> None:
        root = self._source.root
        if Name.PageLabels in root:
            del root.PageLabels
            self._source.warn("The page labels were removed, because several pages are on a sheet.")
        if any(Name.AA in page.obj for page in self._pages):
            self._source.warn("Actions that run when a page is opened or closed were removed.")


def _move_annotations(pdf: pikepdf.Pdf, page: pikepdf.Object, spot: Spot) -> list[pikepdf.Object]:
    moved = [item if item.is_indirect else pdf.make_indirect(item) for item in annotations(page)]
    for item in moved:
        move_annotation(item, spot.placement)
        item.P = spot.sheet
    return moved


def _move_beads(page: pikepdf.Object, spot: Spot) -> list[pikepdf.Object]:
    """Move the parts of articles, which readers follow from column to column."""
    beads = dictionaries(page.get(Name.B))
    for bead in beads:
        move_numbers(bead, Name.R, spot.placement)
        bead.P = spot.sheet
    return beads


def _numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:.5f}" for value in values)
