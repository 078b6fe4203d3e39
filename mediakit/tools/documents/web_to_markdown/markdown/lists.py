"""Lists, with their numbers, their tasks and lists inside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.blocks import Block, indented, joined
from mediakit.tools.documents.web_to_markdown.markdown.elements import name

if TYPE_CHECKING:
    from mediakit.tools.documents.web_to_markdown.markdown.writer import Writer

LARGEST = 999_999_999
"""The largest number that an item may have (CommonMark 5.2)."""


def written(writer: Writer, element: HtmlElement, before: Block | None) -> list[Block]:
    """Write a list; one directly after another of its kind gets other markers, so that they do not become one."""
    ordered = element.tag == "ol"
    kinds = (".", ")") if ordered else ("-", "*")
    marker = kinds[1] if before and before.kind == "list" and before.marker == kinds[0] else kinds[0]
    number = _start(element) if ordered else 0
    items: list[str] = []
    loose = False
    for content in _items(element):
        number = _number(content[0], number)
        blocks = _content(writer, content)
        if blocks is None:
            continue
        head = f"{number}{marker} " if ordered else f"{marker} "
        text, has_paragraphs = _item(content[0], blocks, head)
        items.append(text)
        loose = loose or has_paragraphs
        number += 1
    if not any(item.partition(" ")[2] for item in items):
        return []
    return [Block("list", ("\n\n" if loose else "\n").join(items), items, marker)]


def _items(element: HtmlElement) -> Iterator[list[HtmlElement]]:
    """Give the items, each with the lists that wrongly stand behind it instead of inside it."""
    content: list[HtmlElement] = []
    for child in element:
        if name(child) in ("ul", "ol") and content:
            content.append(child)
        elif name(child):
            if content:
                yield content
            content = [child]
    if content:
        yield content


def _content(writer: Writer, content: list[HtmlElement]) -> list[Block] | None:
    """Give an item's blocks; None where there is nothing to show and never was."""
    first, *lists = content
    blocks: list[Block] = []
    blocks = writer.blocks(first) if name(first) == "li" else writer.block(first)
    for each in lists:
        blocks += written(writer, each, blocks[-1] if blocks else None)
    blocks = [block for block in blocks if block.text]
    was_empty = name(first) == "li" and len(first) == 0 and not writer.style.plain
    return blocks if blocks or was_empty else None


def _item(element: HtmlElement, blocks: list[Block], head: str) -> tuple[str, bool]:
    if blocks and blocks[0].kind == "rule":
        blocks[0].text = "___"  # dashes after a dash would be a rule, and no item
    task = _task(element)
    tight = (
        all(block.kind in ("text", "list") for block in blocks) and sum(block.kind == "text" for block in blocks) < 2
    )
    text = "\n".join(block.text for block in blocks) if tight else joined(blocks)
    return (head + task + indented(text, " " * len(head))).rstrip(" "), not tight and len(blocks) > 1


def _task(element: HtmlElement) -> str:
    """Give the box of a task: an item that begins with a checkbox (GFM 5.3)."""
    box = next((each for each in element.iter("input", "li") if each is not element), None)
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


def _start(element: HtmlElement) -> int:
    return _whole(element.get("start"), 1)


def _number(item: HtmlElement, number: int) -> int:
    return _whole(item.get("value"), number) if name(item) == "li" and item.get("value") else min(number, LARGEST)


def _whole(text: str | None, otherwise: int) -> int:
    match = re.fullmatch(r"\s*(\d{1,9})\s*", text or "", re.ASCII)
    return int(match[1]) if match else otherwise
