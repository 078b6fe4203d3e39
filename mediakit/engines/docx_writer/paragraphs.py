"""Paragraphs: their properties and the place of bookmarks."""

from collections.abc import Iterable

from mediakit.engines.docx_writer.flow import Alignment, Flow
from mediakit.engines.docx_writer.story import Story
from mediakit.engines.docx_writer.wordml import add_property, properties, remove_property, w
from mediakit.engines.docx_writer.xml_tree import Element

_OPPOSITE: dict[Alignment, Alignment] = {"left": "right", "right": "left"}


def paragraph(story: Story, flow: Flow, content: Iterable[Element], *extra: Element) -> Element:
    """Return a paragraph at a place, with properties beyond those of the place."""
    found = [*extra]
    if flow.style:
        found.append(w("pStyle", val=flow.style))
    if flow.indent != flow.style_indent and not any(each.tag == "w:ind" for each in extra):
        found.append(w("ind", left=flow.indent))
    if flow.align:
        found.append(w("jc", val=logical_side(flow)))
    if flow.rtl != flow.is_document_rtl:
        found.append(w("bidi", val=int(flow.rtl)))
    holder = [properties("w:pPr", found)] if found else []
    return w("p", *holder, *story.take_bookmarks(), *content)


def logical_side(flow: Flow) -> str:
    """Return the alignment as Word writes it: in text from right to left, `left` is where lines begin."""
    align = flow.align or "left"
    return _OPPOSITE.get(align, align) if flow.rtl else align


def set_property(element: Element, child: Element) -> None:
    """Set a property of a paragraph."""
    add_property(paragraph_properties(element), child)


def drop_property(element: Element, name: str) -> None:
    """Remove a property of a paragraph."""
    remove_property(paragraph_properties(element), name)


def paragraph_properties(element: Element) -> Element:
    """Return the property container of a paragraph, which is added if there is none."""
    found = element.get("w:pPr")
    if found is None:
        found = w("pPr")
        element.children.insert(0, found)
    return found


def style_of(element: Element) -> str | None:
    """Return the ID of a paragraph's style."""
    found = element.get("w:pPr", "w:pStyle")
    return None if found is None else found.attributes["w:val"]


def is_paragraph(element: Element) -> bool:
    """Return whether an element is a paragraph."""
    return element.tag == "w:p"


def is_table(element: Element) -> bool:
    """Return whether an element is a table."""
    return element.tag == "w:tbl"
