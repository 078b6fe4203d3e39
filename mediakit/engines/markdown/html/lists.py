"""Bulleted, numbered and task lists, and lists nested in them."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from mediakit.engines.markdown.blocks import Block, indent_lines, join_blocks
from mediakit.engines.markdown.html.block_writer import BlockWriter
from mediakit.engines.markdown.html.elements import is_plain_and_empty, tag_name

MAX_ITEM_NUMBER = 999_999_999
"""The largest number of a list item (CommonMark 5.2)."""

_INTEGER = re.compile(r"\s*(\d{1,9})\s*", re.ASCII)


def write_list(writer: BlockWriter, element: HtmlElement, previous: Block | None) -> list[Block]:
    """Write a list. Directly after a list of the same type it uses other markers, so that they stay two lists."""
    ordered = element.tag == "ol"
    markers = (".", ")") if ordered else ("-", "*")
    marker = markers[1] if previous and previous.kind == "list" and previous.marker == markers[0] else markers[0]
    number = _integer(element.get("start"), 1) if ordered else 0
    items: list[str] = []
    is_loose = False
    for elements in _items(element):
        number = _item_number(elements[0], number)
        blocks = _item_blocks(writer, elements)
        if blocks is None:
            continue
        prefix = f"{number}{marker} " if ordered else f"{marker} "
        text, has_paragraphs = _write_item(elements[0], blocks, prefix)
        items.append(text)
        is_loose = is_loose or has_paragraphs
        number += 1
    is_kept_empty = writer.options.keep_empty and all(is_plain_and_empty(item) for item in element)
    if not any(item.partition(" ")[2] for item in items) and not is_kept_empty:
        return []
    return [Block("list", ("\n\n" if is_loose else "\n").join(items), items, marker)]


def _items(element: HtmlElement) -> Iterator[list[HtmlElement]]:
    """Yield each item with the nested lists that follow it outside of an `li`, which is invalid but common."""
    elements: list[HtmlElement] = []
    for child in element:
        if tag_name(child) in ("ul", "ol") and elements:
            elements.append(child)
        elif tag_name(child):
            if elements:
                yield elements
            elements = [child]
    if elements:
        yield elements


def _item_blocks(writer: BlockWriter, elements: list[HtmlElement]) -> list[Block] | None:
    """Return the blocks of an item. None if the item is empty only because its content is not written."""
    first, *nested_lists = elements
    blocks = writer.write_children(first) if tag_name(first) == "li" else writer.write_element(first)
    for nested in nested_lists:
        blocks += write_list(writer, nested, blocks[-1] if blocks else None)
    blocks = [block for block in blocks if block.text]
    is_empty_item = tag_name(first) == "li" and len(first) == 0 and not writer.options.plain
    return blocks if blocks or is_empty_item else None


def _write_item(element: HtmlElement, blocks: list[Block], prefix: str) -> tuple[str, bool]:
    """Return the text of an item, and whether its blocks are separated by blank lines."""
    if blocks and blocks[0].kind == "rule":
        blocks[0].text = "___"  # dashes after a dash would be a rule, not an item
    is_tight = (
        all(block.kind in ("text", "list") for block in blocks) and sum(block.kind == "text" for block in blocks) < 2
    )
    text = "\n".join(block.text for block in blocks) if is_tight else join_blocks(blocks)
    item = prefix + _checkbox(element) + indent_lines(text, " " * len(prefix))
    return item.rstrip(" "), not is_tight and len(blocks) > 1


def _checkbox(element: HtmlElement) -> str:
    """Return the checkbox of a task list item (GFM 5.3), or an empty string for other items."""
    box = next((child for child in element.iter("input", "li") if child is not element), None)
    if box is None or box.tag != "input" or (box.get("type") or "").lower() != "checkbox":
        return ""
    if _text_before(element, box).strip():
        return ""
    return "[x] " if box.get("checked") is not None else "[ ] "


def _text_before(element: HtmlElement, box: HtmlElement) -> str:
    pieces: list[str] = []
    node = box
    while node is not element:
        parent = node.getparent()
        if parent is None:
            break
        for sibling in node.itersiblings(preceding=True):
            pieces += ("".join(sibling.itertext()), sibling.tail or "")
        pieces.append(parent.text or "")
        node = parent
    return "".join(pieces)


def _item_number(item: HtmlElement, number: int) -> int:
    if tag_name(item) == "li" and item.get("value"):
        return _integer(item.get("value"), number)
    return min(number, MAX_ITEM_NUMBER)


def _integer(text: str | None, default: int) -> int:
    match = _INTEGER.fullmatch(text or "")
    return int(match[1]) if match else default
