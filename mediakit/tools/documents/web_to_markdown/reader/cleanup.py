"""Removes elements without readable text: scripts, styles, form controls, links of headings, and hidden elements."""

import math
import re

from lxml import etree
from lxml.html import HtmlElement

from mediakit.engines.markdown.html.code_listings import normalize_code
from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    HEADING_LEVELS,
    IGNORED_ELEMENTS,
    is_hidden,
    tag_name,
)
from mediakit.engines.markdown.html.formulas import find_formula, normalize_formulas
from mediakit.engines.markdown.html.parser import body_of
from mediakit.tools.documents.web_to_markdown.reader.controls import open_panels, show_buttons
from mediakit.tools.documents.web_to_markdown.reader.embeds import mark_embeds
from mediakit.tools.documents.web_to_markdown.reader.page_styles import apply_style_sheets, show_line_breaks

MIN_VISIBLE_CHARACTERS = 1000
"""With fewer visible characters, the content may be hidden until scripts have run."""

MAX_CONTROL_CHARACTERS = 400
"""A control with more characters contains page content, for example because its end tag is missing."""

PERMALINK_SIGNS = frozenset("#¶§🔗⚓∞")
"""The texts of links in headings that lead to the heading itself."""

MIN_LINE_CHARACTERS = 25
"""Length from which a line directly in the body is put into its own block."""

_CONTROLS_AROUND_CONTENT = frozenset(("dialog", "select", "object", "canvas"))
_FALLBACK_ELEMENTS = frozenset(("noscript", "template"))
_NEVER_TEXT = ("script", "style", "template", "svg", "iframe", "audio", "video")
_CONTROLS_WITH_TEXT = frozenset(
    ("noscript", "noembed", "noframes", "option", "textarea", "button", "select", "optgroup")
)
_CONTROLS_WITH_TEXT |= _CONTROLS_AROUND_CONTENT

_elements_with_style = etree.XPath("descendant-or-self::*[@hidden or @style]")
"""Finds elements with the attributes that hide them."""


def clean_page(root: HtmlElement, *, only_content: bool) -> None:
    """Show what a visitor sees, and remove everything that is not visible text.

    Args:
        root: The page's `html` element.
        only_content: Remove also buttons that are not part of a text.
    """
    body = body_of(root)
    apply_style_sheets(root)
    normalize_formulas(body)
    open_panels(body)
    show_buttons(body, only_content=only_content)
    mark_embeds(body)
    normalize_code(body)
    if only_content:
        _remove_edit_links(body)
    _remove_ignored_elements(root)
    show_line_breaks(body_of(root))


def _remove_ignored_elements(root: HtmlElement) -> None:
    """Remove everything that is not visible text.

    If a page shows almost no text without scripts, its `noscript` content or its hidden content is kept.
    """
    for element in list(root.iter(*IGNORED_ELEMENTS)):
        if not _keep_ignored(element):
            _drop(element)
    hidden = [element for element in _elements_with_style(root) if is_hidden(element) and element.tag != "body"]
    fallbacks = list(root.iter(*_FALLBACK_ELEMENTS))
    hidden_chars = sum(map(_text_length, _outermost(hidden + fallbacks)))
    visible_chars = _text_length(root, hidden_chars + MIN_VISIBLE_CHARACTERS) - hidden_chars
    if visible_chars < MIN_VISIBLE_CHARACTERS:
        fallbacks = [element for element in fallbacks if not _unwrap_fallback(element, visible_chars)]
        hidden = _unhide(hidden, visible_chars)
    for element in hidden + fallbacks:
        _drop(element)
    _wrap_lines(body_of(root))


def show_all_text(root: HtmlElement) -> None:
    """Make all text visible, also that of controls, fallbacks and hidden elements. Scripts and styles are removed."""
    for element in list(root.iter(*_NEVER_TEXT)):
        _drop(element)
    for element in root.iter():
        element.attrib.pop("hidden", None)
        element.attrib.pop("style", None)
        if tag_name(element) in _CONTROLS_WITH_TEXT:
            element.tag = "div"


def _keep_ignored(element: HtmlElement) -> bool:
    """Return whether to keep an element that is usually ignored. Controls around content become `div` elements."""
    tag = tag_name(element)
    if tag in _CONTROLS_AROUND_CONTENT and _is_around_content(element):
        element.tag = "div"
        return True
    if tag == "source":  # it can have the address of an image in a `picture` element
        return next(element.iterancestors("picture"), None) is not None
    if tag == "input":
        return (element.get("type") or "").lower() == "checkbox"
    is_formula = tag == "script" and find_formula(element) is not None
    return tag in _FALLBACK_ELEMENTS or is_formula or element.getparent() is None


def _is_around_content(element: HtmlElement) -> bool:
    return _text_length(element) > MAX_CONTROL_CHARACTERS and element.find(".//p") is not None


def _unwrap_fallback(element: HtmlElement, visible_chars: int) -> bool:
    """Make fallback content visible if it is most of the page. Returns whether it is."""
    if _text_length(element) <= max(2 * visible_chars, MAX_CONTROL_CHARACTERS):
        return False
    element.tag = "div"
    return True


def _unhide(hidden: list[HtmlElement], visible_chars: int) -> list[HtmlElement]:
    """Make hidden elements visible if they are most of the page. Returns the elements that stay hidden."""
    if sum(map(_text_length, _outermost(hidden))) <= 2 * visible_chars:
        return hidden
    for element in hidden:
        element.attrib.pop("hidden", None)
        element.attrib.pop("style", None)
    return []


def _wrap_lines(body: HtmlElement) -> None:
    """Put each line directly in the body into its own block, so that it can be kept or removed separately."""
    line: list[HtmlElement] = []
    for child in [*body, None]:
        if child is not None and not _is_block(child):
            line.append(child)
            continue
        if _has_formula(line) or _line_length(line) >= MIN_LINE_CHARACTERS:
            _wrap_line(body, line)
        line = []


def _wrap_line(body: HtmlElement, line: list[HtmlElement]) -> None:
    block = body.makeelement("div")
    line[0].addprevious(block)
    if body[0] is block:
        block.text, body.text = body.text, None
    block.extend(line)


def _line_length(line: list[HtmlElement]) -> int:
    return sum(_text_length(element) + len((element.tail or "").strip()) for element in line)


def _has_formula(line: list[HtmlElement]) -> bool:
    return any(next(element.iter("math"), None) is not None for element in line)


def _is_block(element: HtmlElement) -> bool:
    return tag_name(element) in BLOCK_ELEMENTS or next(element.iterdescendants(*BLOCK_ELEMENTS), None) is not None


def _drop(element: HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()


def _outermost(elements: list[HtmlElement]) -> list[HtmlElement]:
    found = set(elements)
    return [element for element in elements if not any(parent in found for parent in element.iterancestors())]


def _text_length(element: HtmlElement, enough: float = math.inf) -> int:
    """Return the characters of text in an element. The count ends when it reaches `enough`."""
    length = 0
    for text in element.itertext():
        length += len(text.strip())
        if length >= enough:
            break
    return length


def remove_heading_permalinks(body: HtmlElement) -> None:
    """Remove links to an anchor from headings if their text is only a sign such as "¶"."""
    for heading in body.iter(*HEADING_LEVELS):
        for link in heading.findall(".//a"):
            if "#" in (link.get("href") or "") and "".join(link.itertext()).strip("\ufe0f \n\t") in PERMALINK_SIGNS:
                link.drop_tree()


_EDIT_ADDRESS = re.compile(r"[?&;](?:ve)?action=edit|[?&]do=edit|Special:EditPage", re.IGNORECASE)
_ONLY_SIGNS = re.compile(r"[\s\[\]()|/·•]*")


def _remove_edit_links(body: HtmlElement) -> None:
    """Remove the links of a wiki that edit a section, with the brackets around them, from headings and beside them."""
    for link in list(body.iter("a")):
        if not _EDIT_ADDRESS.search(link.get("href") or "") or link.getparent() is None:
            continue
        wrapper = link
        while (parent := wrapper.getparent()) is not None and parent.tag == "span" and _has_only_links(parent):
            wrapper = parent
        beside = wrapper.getparent()
        if beside is not None and (
            beside.tag in HEADING_LEVELS
            or beside.find("h2") is not None
            or any(child.tag in HEADING_LEVELS for child in beside)
        ):
            wrapper.drop_tree()


def _has_only_links(element: HtmlElement) -> bool:
    texts = [element.text or ""]
    for child in element.iterdescendants():
        inside = any(ancestor.tag == "a" for ancestor in child.iterancestors()) or child.tag == "a"
        texts += ["" if inside else child.text or "", child.tail or "" if not inside or child.tag == "a" else ""]
    return _ONLY_SIGNS.fullmatch("".join(texts)) is not None
