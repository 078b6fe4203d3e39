"""Footnotes: finds the footnote lists of a page and the labels of their references."""

import re
from collections.abc import Mapping

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import class_names

_FOOTNOTE_ID = re.compile(
    r"^(?:fn|footnote|cite_note|endnote|note|ftn|_ftn|easy-footnote|sdfootnote)[-_:.]?", re.IGNORECASE
)
_BACK_LINK_TEXT = re.compile(r"^[\s↩︎⏎^↑⤴\u2191\ufe0e\[\]]*$")

_LABEL = re.compile(r"[a-z]?[1-9][0-9]{0,5}")

_NUMBERED_FOOTNOTE_ID = re.compile(r"(?:fn|footnote|endnote)[-_:.]?\d{1,4}", re.IGNORECASE)
"""IDs of footnotes in lists without a class name. References such as `cite_note-1` stay a list there."""

_REFERENCE_TEXT = re.compile(r"\s*[\[(]?\s*\d{1,4}\s*[\])]?\s*")
"""Text of a link to a footnote: its number."""

_NOTES_NAMES = ("footnote", "references", "endnotes")
"""Parts of class names of elements that contain footnotes."""

Footnotes = dict[str, HtmlElement]
"""The items of one footnote list by label."""


def find_footnotes(root: HtmlElement) -> dict[HtmlElement, Footnotes]:
    """Return the footnote lists whose items are referenced in the page."""
    links = {
        (link.get("href") or "").rpartition("#")[2]: link for link in root.iter("a") if "#" in (link.get("href") or "")
    }
    lists: dict[HtmlElement, Footnotes] = {}
    number = 0
    for item in root.xpath("//ol/li[@id]"):
        link = links.get(item.get("id") or "")
        if link is not None and _is_footnote(item, link):
            number += 1
            lists.setdefault(item.getparent(), {})[_label(item) or str(number)] = item
    return {element: items for element, items in lists.items() if len(items) == len(element.findall("li"))}


def _is_footnote(item: HtmlElement, link: HtmlElement) -> bool:
    """Return whether a list item is a footnote by its ID and its reference, or by its ID and the names around it."""
    name = item.get("id") or ""
    if _NUMBERED_FOOTNOTE_ID.fullmatch(name) and _REFERENCE_TEXT.fullmatch(link.text_content()):
        return True
    return _is_in_notes(item) if _FOOTNOTE_ID.match(name) else _is_in_footnotes(item)


def _is_in_notes(item: HtmlElement) -> bool:
    """Return whether an item is in a list of footnotes or references by its role or class name."""
    return any(
        any(name in class_names(element) for name in _NOTES_NAMES) or "doc-endnotes" in (element.get("role") or "")
        for element in item.iterancestors()
    )


def _is_in_footnotes(item: HtmlElement) -> bool:
    """Return whether an item is in a list of footnotes by its role or class name, and not only of references."""
    return any(
        "footnote" in class_names(element) or element.get("role") == "doc-endnotes" for element in item.iterancestors()
    )


def _label(item: HtmlElement) -> str:
    """Return the label that a document gives to a footnote. Empty for web pages, whose footnotes are counted."""
    label = item.get("data-label") or ""
    return label if _LABEL.fullmatch(label) else ""


def footnote_labels(footnotes: Mapping[HtmlElement, Footnotes]) -> dict[str, str]:
    """Return each footnote's label by the `id` of its item."""
    return {item.get("id") or "": label for items in footnotes.values() for label, item in items.items()}


def drop_back_links(item: HtmlElement) -> None:
    """Remove the links from a footnote back to its reference."""
    for link in item.findall(".//a"):
        if "#" in (link.get("href") or "") and _BACK_LINK_TEXT.match(link.text_content()):
            link.drop_tree()
