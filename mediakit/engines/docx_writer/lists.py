"""Lists: real numbering with levels and starts, and more blocks in an item."""

from dataclasses import replace

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.block_writer import BlockWriter
from mediakit.engines.docx_writer.flow import Flow
from mediakit.engines.docx_writer.numbering import LEVELS, STEP
from mediakit.engines.docx_writer.paragraphs import (
    drop_property,
    is_paragraph,
    paragraph,
    set_property,
    style_of,
)
from mediakit.engines.docx_writer.spacing import set_spacing
from mediakit.engines.docx_writer.wordml import w
from mediakit.engines.docx_writer.xml_tree import Element

_CONTINUED = "ListContinue"
_MAX_DIGITS = 9


def write_list(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    """Write a list. Each item is a paragraph with a number or a bullet, and the item's other blocks."""
    level = min(flow.list_level + 1, LEVELS - 1)
    inner = replace(flow, style=_CONTINUED, indent=flow.indent + STEP, list_level=level)
    is_loose = any(item.find("p") is not None for item in element.iterchildren("li"))
    numbers = writer.story.document.numbering
    number = numbers.ordered(level, _start(element), element.get("type") or "1") if element.tag == "ol" else None
    found: list[Element] = []
    for child in element:
        if child.tag != "li":
            found += writer.write(child, inner)
            continue
        value = _number(child.get("value"))
        if number is not None and value is not None and child.getprevious() is not None:
            number = numbers.ordered(level, value, element.get("type") or "1")
        identifier = number or (numbers.tasks() if _is_task(child) else numbers.bullets())
        found += _write_item(writer, child, inner, identifier, is_ordered=number is not None)
    _set_spacing(found, is_loose=is_loose)
    return found


def _write_item(writer: BlockWriter, item: HtmlElement, flow: Flow, number: int, *, is_ordered: bool) -> list[Element]:
    blocks = writer.write(item, flow)
    style = "ListNumber" if is_ordered else "ListBullet"
    if not (blocks and _takes_number(blocks[0])):
        blocks.insert(0, paragraph(writer.story, replace(flow, style=_CONTINUED), []))
    first = blocks[0]
    if style_of(first) == _CONTINUED:
        set_property(first, w("pStyle", val=style))
    drop_property(first, "w:ind")
    if flow.indent != STEP * (flow.list_level + 1):
        set_property(first, w("ind", left=flow.indent, hanging=STEP))
    set_property(first, w("numPr", w("ilvl", val=flow.list_level), w("numId", val=number)))
    if _is_task(item) and not is_ordered:
        set_property(first, w("tabs", w("tab", val="left", pos=flow.indent)))
        _put_tab_after_box(first)
    return blocks


def _takes_number(element: Element) -> bool:
    if not is_paragraph(element) or element.get("w:pPr", "w:numPr") is not None:
        return False
    style = style_of(element) or ""
    return style == _CONTINUED or style.startswith("Heading")


def _is_task(item: HtmlElement) -> bool:
    box = next(item.iter("input"), None)
    if box is None or (box.get("type") or "").lower() != "checkbox":
        return False
    owner = next(box.iterancestors("li"), None)
    return owner is item


def _put_tab_after_box(element: Element) -> None:
    """Put a tab between the check box and its text, so that the text is aligned with other items."""
    at = next((index for index, child in enumerate(element.children) if child.tag == "w:sdt"), None)
    if at is None:
        return
    text = element.children[at + 1].get("w:t") if at + 1 < len(element.children) else None
    if text is not None:
        text.text = text.text.removeprefix(" ")
    element.children.insert(at + 1, w("r", w("tab")))


def _set_spacing(elements: list[Element], *, is_loose: bool) -> None:
    """Give the items of a loose list more space, and the last item of a list the space of a paragraph."""
    for element in elements:
        if is_loose and style_of(element) in ("ListBullet", "ListNumber", _CONTINUED):
            set_spacing(element, "after", 120)
    if elements and style_of(elements[-1]) in ("ListBullet", "ListNumber", _CONTINUED):
        set_spacing(elements[-1], "after", 160)


def _start(element: HtmlElement) -> int:
    start = _number(element.get("start"))
    first = next(element.iterchildren("li"), None)
    value = _number(first.get("value")) if first is not None else None
    return value if value is not None else 1 if start is None else start


def _number(value: str | None) -> int | None:
    text = (value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None
