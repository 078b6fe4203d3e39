"""A tree without the units that are not wanted, and without what is empty once they are gone."""

from collections.abc import Sequence

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.elements import BLOCKS, name
from mediakit.tools.documents.web_to_markdown.markdown.tables import is_layout, rows_of
from mediakit.tools.documents.web_to_markdown.reader.units import PLACES, Page

IN_TABLE = 1 << PLACES.index("table")


def prune(body: HtmlElement, page: Page, kept: Sequence[bool]) -> None:
    """Take units out of a tree.

    Pictures go with the unit that they stand in; those in blocks of their own stay beside kept units.
    """
    wanted = {unit.region.element for unit, keep in zip(page.units, kept, strict=True) if keep}
    holding: set[HtmlElement] = set()
    for element in wanted:
        for each in (element, *element.iterancestors()):
            if each in holding:
                break
            holding.add(each)
    for unit, keep in zip(page.units, kept, strict=True):
        if not keep:
            _clear(unit.region.element, holding)
    _drop_strangers(body, holding, wanted)


def whole_tables(page: Page, kept: Sequence[bool], counts: Sequence[float]) -> list[bool]:
    """Keep a table of data whole, or none of it, as most of its words want."""
    tables: dict[HtmlElement, list[int]] = {}
    for unit in page.units:
        if unit.region.tag in ("td", "th") or unit.region.places & IN_TABLE:
            table = next(unit.region.element.iterancestors("table"), None)
            if table is not None:
                tables.setdefault(table, []).append(unit.order)
    decided = list(kept)
    for table, orders in tables.items():
        if not is_layout(table, rows_of(table)):
            wanted = sum(counts[order] for order in orders if kept[order])
            whole = 2 * wanted >= sum(counts[order] for order in orders)
            for order in orders:
                decided[order] = whole
    return decided


def _clear(element: HtmlElement, holding: set[HtmlElement]) -> None:
    """Drop an element, or only its own text where it holds what is wanted."""
    if element not in holding:
        if element.getparent() is not None:
            element.drop_tree()
        return
    element.text = None
    for child in list(element):
        child.tail = None
        if child not in holding and name(child) not in BLOCKS:
            child.drop_tree()


def _drop_strangers(body: HtmlElement, holding: set[HtmlElement], wanted: set[HtmlElement]) -> None:
    """Drop what holds nothing wanted, pictures beside the wanted text and rules aside."""
    for element in list(body.iterchildren()):
        if element in holding:
            _drop_strangers_in(element, holding, wanted)
        elif not (element.tag == "hr" or _is_picture(element)) or element.getprevious() is None:
            _drop(element)


def _drop_strangers_in(element: HtmlElement, holding: set[HtmlElement], wanted: set[HtmlElement]) -> None:
    stack = [element]
    while stack:
        at = stack.pop()
        for child in list(at):
            if child in holding:
                if child not in wanted or len(child):
                    stack.append(child)
            elif name(child) in BLOCKS and child.tag not in ("hr", "td", "th") and not _is_picture(child):
                _drop(child)


def _is_picture(element: HtmlElement) -> bool:
    return not "".join(element.itertext()).strip() and next(element.iter("img", "math"), None) is not None


def _drop(element: HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()
