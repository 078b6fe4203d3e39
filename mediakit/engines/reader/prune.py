"""A tree without the units that are not wanted, and without what is empty once they are gone."""

from collections.abc import Sequence

from lxml.html import HtmlElement

from mediakit.engines.markdown.elements import BLOCKS, name
from mediakit.engines.reader.units import Page


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
