"""Tags of pages that became forms on a sheet (ISO 32000-2, 14.7.5)."""

from collections.abc import Mapping
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.objects import Visited
from mediakit.engines.pdf.source import PageKey, Source
from mediakit.tools.pdf.pdf_pages.spot import Spot

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
        if Name.K in element:
            waiting += [(kid, page) for kid in _move_kids(element, page, spots)]


def _move_kids(element: pikepdf.Object, page: PageKey | None, spots: Mapping[PageKey, Spot]) -> list[pikepdf.Object]:
    """Rewrite the marked content of an element, and return the elements below it."""
    kids: Any = element.K
    if isinstance(kids, Array):
        element.K = Array([_moved(kid, page, spots) for kid in kids])
    else:
        element.K = _moved(kids, page, spots)
        kids = [kids]
    return [kid for kid in kids if isinstance(kid, Dictionary) and Name.S in kid]


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
