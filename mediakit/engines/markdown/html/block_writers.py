"""Writes quotes, callouts, lists, definition lists and footnotes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.markdown import inline
from mediakit.engines.markdown.blocks import Block, indent_lines, join_blocks, prefix_lines
from mediakit.engines.markdown.html.collector import BlockWriter
from mediakit.engines.markdown.html.elements import class_names, is_plain_and_empty, tag_name, word_set
from mediakit.engines.markdown.tokens import Token


def write_blockquote(writer: BlockWriter, element: HtmlElement, _previous: Block | None) -> list[Block]:
    """Write a block quote. In plain text, its paragraphs have no prefix."""
    inner = writer.write_children(element)
    if writer.options.plain:
        return inner
    if not inner:
        return [Block("quote", ">")] if len(element) == 0 else []
    parts = [prefix_lines(block.text, "> ") for block in inner]
    return [Block("quote", prefix_lines(join_blocks(inner), "> "), parts)]


_TYPES = word_set(
    "note info tip hint important warning caution danger error success question example abstract bug todo failure "
    "attention"
)
_FAMILIES = "markdown-alert|theme-admonition|admonition|admonitionblock|callout|alert|custom-block|notice|hint"
_FAMILY = re.compile(rf"(?:^|\s)(?:{_FAMILIES})(?:[\s_-]|$)")
"""Class names of callouts in the formats of GitHub, Sphinx, MkDocs, Docusaurus, Quarto, VitePress and Bootstrap."""

_TYPED_NAME = re.compile(rf"(?:{_FAMILIES})(?:-|--|__)([a-z]+)")
_TITLE_NAME = re.compile(r"title|heading|header|summary", re.IGNORECASE)
_TYPE_ATTRIBUTE = re.compile(r"[a-z][a-z-]{0,19}")
_MAX_TITLE_ELEMENTS = 12
"""Elements at the start of a callout that are searched for its title."""

CALLOUT_ELEMENTS = frozenset(("div", "aside", "section", "blockquote"))


class Callout(NamedTuple):
    """The type of a callout and the element with its title."""

    type: str
    title: HtmlElement | None


def find_callout(element: HtmlElement) -> Callout | None:
    """Return an element as a callout by its class names or its `data-callout` attribute. None for others."""
    name = element.get("data-callout") or ""
    if not _TYPE_ATTRIBUTE.fullmatch(name):
        if not _FAMILY.search(class_names(element)):
            return None
        names = class_names(element).lower().split()
        typed = (match[1] for name in names if (match := _TYPED_NAME.fullmatch(name)))
        name = next((name for name in (*typed, *names) if name in _TYPES), "note" if "admonition" in names else "")
    return Callout(name, _title_element(element)) if name else None


def write_callout(writer: BlockWriter, element: HtmlElement, callout: Callout) -> list[Block]:
    """Write a callout as a quote."""
    head = f"[!{callout.type}]"
    if callout.title is not None:
        tokens: list[Token] = []
        writer.collector.add_content(callout.title, tokens)
        head = f"{head} {inline.write_heading(tokens)}".rstrip()
        callout.title.drop_tree()
    inner = [block for block in writer.write_children(element) if block.text]
    if not inner and callout.title is None:
        return []
    if inner and inner[0].kind == "text":
        inner[0].text = f"{head}\n{inner[0].text}"
    else:
        inner.insert(0, Block("text", head))
    parts = [prefix_lines(block.text, "> ") for block in inner]
    return [Block("quote", prefix_lines(join_blocks(inner), "> "), parts)]


def _title_element(element: HtmlElement) -> HtmlElement | None:
    """Return the element with the title: by its name, and before all other text."""
    if (element.text or "").strip():
        return None
    for count, child in enumerate(element.iterdescendants()):
        if count == _MAX_TITLE_ELEMENTS:
            return None
        is_title = tag_name(child) == "summary" or _TITLE_NAME.search(class_names(child))
        if is_title and child.text_content().strip():
            return child
        if (child.text or "").strip() or (child.tail or "").strip():
            return None
    return None


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
    for item, *nested_lists in _items(element):
        value = item.get("value") if tag_name(item) == "li" else None
        number = _integer(value, number) if value else min(number, MAX_ITEM_NUMBER)
        blocks = _item_blocks(writer, item, nested_lists)
        if blocks is None:
            continue
        prefix = f"{number}{marker} " if ordered else f"{marker} "
        text, has_paragraphs = _write_item(item, blocks, prefix)
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


def _item_blocks(writer: BlockWriter, item: HtmlElement, nested_lists: list[HtmlElement]) -> list[Block] | None:
    """Return the blocks of an item. None if the item is empty only because its content is not written."""
    is_item = tag_name(item) == "li"
    blocks = writer.write_children(item) if is_item else writer.write_element(item)
    for nested in nested_lists:
        blocks += write_list(writer, nested, blocks[-1] if blocks else None)
    blocks = [block for block in blocks if block.text]
    return blocks if blocks or (is_item and len(item) == 0 and not writer.options.plain) else None


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
    for event, node in etree.iterwalk(element, ("start", "end")):
        if node is box:
            break
        if ((node.text if event == "start" else node.tail) or "").strip():
            return ""
    return "[x] " if box.get("checked") is not None else "[ ] "


def _integer(text: str | None, default: int) -> int:
    match = _INTEGER.fullmatch(text or "")
    return int(match[1]) if match else default


def write_definition_list(writer: BlockWriter, element: HtmlElement, _previous: Block | None) -> list[Block]:
    """Return a definition list as blocks, one for each group of terms and definitions."""
    if element.find(".//dt") is None:  # without terms, the page uses the list only to indent text
        return writer.write_children(element)
    found: list[Block] = []
    lines: list[str] = []
    for child in _entries(element):
        if child.tag == "dt":
            if lines and lines[-1].startswith((": ", "  ")):
                found.append(Block("definitions", "\n".join(lines)))
                lines = []
            lines += [block.text for block in writer.write_children(child)]
        elif blocks := writer.write_children(child):
            text = indent_lines(join_blocks(blocks), "  ")
            lines.append(f"  {text}" if writer.options.plain else f": {text}")
    if lines:
        found.append(Block("definitions", "\n".join(lines)))
    return found


def _entries(element: HtmlElement) -> Iterator[HtmlElement]:
    """Yield terms and definitions, including those in `div` groups (WHATWG HTML 4.4.9)."""
    for child in element:
        if child.tag in ("dt", "dd"):
            yield child
        elif isinstance(child.tag, str):
            yield from _entries(child)


def write_footnotes(writer: BlockWriter, element: HtmlElement) -> list[Block]:
    """Write a footnote list."""
    parts = []
    for label, item in writer.footnotes[element].items():
        text = indent_lines(join_blocks(writer.write_children(item)), "    ")
        parts.append(f"[^{label}]: {text}".rstrip())
    return [Block("footnotes", "\n\n".join(parts), parts)] if parts else []
