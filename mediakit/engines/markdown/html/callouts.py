"""Callouts, also called admonitions or alerts: notes in a box, written as quotes that begin with `[!note]`.

The syntax is that of Obsidian and GitLab: the type, the title of the box if it has one, and the content below.
"""

import re
from dataclasses import dataclass

from lxml.html import HtmlElement

from mediakit.engines.markdown import inline
from mediakit.engines.markdown.blocks import Block, join_blocks, prefix_lines
from mediakit.engines.markdown.html.block_writer import BlockWriter
from mediakit.engines.markdown.html.elements import class_names, tag_name, word_set
from mediakit.engines.markdown.tokens import Token

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


@dataclass(frozen=True)
class Callout:
    """The type of a callout and the element with its title."""

    type: str
    title: HtmlElement | None


def find_callout(element: HtmlElement) -> Callout | None:
    """Return an element as a callout by its class names or its `data-callout` attribute. None for others."""
    name = element.get("data-callout") or ""
    if not _TYPE_ATTRIBUTE.fullmatch(name):
        classes = class_names(element)
        name = _type_in_classes(classes) if _FAMILY.search(classes) else ""
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


def _type_in_classes(classes: str) -> str:
    """Return the type in class names such as `alert-info` and `admonition note`. Empty if there is none."""
    names = classes.lower().split()
    typed = (match[1] for name in names if (match := _TYPED_NAME.fullmatch(name)))
    found = next((name for name in (*typed, *names) if name in _TYPES), "")
    return found or ("note" if "admonition" in names else "")


def _title_element(element: HtmlElement) -> HtmlElement | None:
    """Return the element with the title: by its name, and before all other text."""
    if (element.text or "").strip():
        return None
    for count, child in enumerate(element.iterdescendants()):
        if count == _MAX_TITLE_ELEMENTS:
            return None
        if _is_title(child) and child.text_content().strip():
            return child
        if (child.text or "").strip() or (child.tail or "").strip():
            return None
    return None


def _is_title(element: HtmlElement) -> bool:
    return tag_name(element) == "summary" or bool(_TITLE_NAME.search(class_names(element)))
