"""Footnotes: references and what they refer to become GitHub's `[^1]` and `[^1]: …`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.blocks import Block, indented, joined

if TYPE_CHECKING:
    from mediakit.tools.documents.web_to_markdown.markdown.writer import Writer

_ID = re.compile(r"^(?:fn|footnote|cite_note|endnote|note|ftn|_ftn|easy-footnote|sdfootnote)[-_:.]?", re.IGNORECASE)
_BACK = re.compile(r"^[\s↩︎⏎^↑⤴\u2191\ufe0e\[\]]*$")

_ITEMS = (
    "//ol[ancestor-or-self::*[contains(@class,'footnote') or contains(@class,'references') or "
    "contains(@class,'endnotes') or contains(@role,'doc-endnotes')]]/li[@id]"
)


def found(root: HtmlElement) -> dict[HtmlElement, dict[str, HtmlElement]]:
    """Find the lists of footnotes that the page's text refers to: each list, and its items by label."""
    targets = {
        (link.get("href") or "").rpartition("#")[2] for link in root.iter("a") if "#" in (link.get("href") or "")
    }
    lists: dict[HtmlElement, dict[str, HtmlElement]] = {}
    number = 0
    for item in root.xpath(_ITEMS):
        if item.get("id") in targets and _ID.match(item.get("id")):
            number += 1
            lists.setdefault(item.getparent(), {})[str(number)] = item
    return {each: items for each, items in lists.items() if len(items) == len(each.findall("li"))}


def labels(notes: dict[HtmlElement, dict[str, HtmlElement]]) -> dict[str, str]:
    """Give the label of the footnote with an `id`."""
    return {item.get("id") or "": label for items in notes.values() for label, item in items.items()}


def written(writer: Writer, element: HtmlElement) -> list[Block]:
    """Write a list of footnotes."""
    parts = []
    for label, item in writer.notes[element].items():
        _drop_back_links(item)
        text = indented(joined(writer.blocks(item)), "    ")
        parts.append(f"[^{label}]: {text}".rstrip())
    return [Block("notes", "\n".join(parts), parts)] if parts else []


def _drop_back_links(item: HtmlElement) -> None:
    for link in item.findall(".//a"):
        if "#" in (link.get("href") or "") and _BACK.match(link.text_content()):
            link.drop_tree()
