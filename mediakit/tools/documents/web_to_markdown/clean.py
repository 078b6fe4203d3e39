"""Selects elements, shows what scripts would show, and removes everything that is not visible text."""

import math
import re

from cssselect import SelectorError
from lxml import etree
from lxml.html import HtmlElement

from mediakit.core.messages import quote
from mediakit.engines.markdown.html.code_blocks import normalize_code
from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    HEADING_LEVELS,
    IGNORED_ELEMENTS,
    class_names,
    drop,
    has_text,
    is_hidden,
    is_tracking_pixel,
    tag_name,
)
from mediakit.engines.markdown.html.formulas import may_have_formulas, normalize_formulas
from mediakit.engines.markdown.html.parser import body_of
from mediakit.errors import InvalidInput
from mediakit.tools.documents.web_to_markdown.controls import open_panels, show_buttons
from mediakit.tools.documents.web_to_markdown.embeds import mark_embeds, show_inline_frames
from mediakit.tools.documents.web_to_markdown.page_styles import apply_style_sheets, show_line_breaks


def remove_elements(root: HtmlElement, selectors: tuple[str, ...]) -> None:
    """Remove the elements that match any of the selectors.

    Raises:
        InvalidInput: A selector is invalid.
    """
    for selector in selectors:
        for element in _matches(root, selector, "remove"):
            if element.getparent() is not None and element.tag not in ("html", "body"):
                element.drop_tree()


def select_elements(root: HtmlElement, selector: str | None) -> list[HtmlElement] | None:
    """Return the elements that match a selector, without those inside other matches. None without a selector.

    Raises:
        InvalidInput: The selector is invalid or matches no element.
    """
    if selector is None:
        return None
    found = _matches(root, selector, "selector")
    if not found:
        raise InvalidInput(f"selector: must match an element of the page, {quote(selector)} matches none.")
    return _outermost(found)


def move_to_body(elements: list[HtmlElement]) -> HtmlElement:
    """Move elements into a new body and return it. A selected `body` or `html` element is returned itself."""
    body: HtmlElement = elements[0].makeelement("body")
    for element in elements:
        if element.tag in ("html", "body"):
            return element
        element.tail = None
        body.append(element)
    return body


def _matches(root: HtmlElement, selector: str, field: str) -> list[HtmlElement]:
    try:
        return list(root.cssselect(selector))
    except (SelectorError, etree.XPathError, ValueError) as error:
        raise InvalidInput(f"{field}: must be a supported CSS selector, got {quote(selector)} ({error}).") from None


_IMAGE_URL = re.compile(r"(?:https?:)?//\S+\.(?:jpe?g|png|webp)(?:\?\S*)?", re.IGNORECASE)


def show_lazy_images(root: HtmlElement) -> None:
    """Add the images of a page that a script would load."""
    for image in list(root.iter("amp-img")):
        image.tag, image[:] = "img", []
    _show_noscript_images(root)
    for group in root.iter("picture"):
        if group.find(".//img") is None and group.find(".//source") is not None:
            group.append(group.makeelement("img"))
    for figure in root.iter("figure"):
        if next(figure.iter("img", "picture", "video", "iframe", "table", "pre"), None) is None:
            address = next((value for value in figure.attrib.values() if _IMAGE_URL.fullmatch(value)), "")
            if address:
                figure.insert(0, figure.makeelement("img", {"src": address}))


def _show_noscript_images(root: HtmlElement) -> None:
    """Move images out of `noscript` elements with nothing else, to the place of an image that a script would load."""
    for fallback in body_of(root).findall(".//noscript"):
        images = fallback.findall(".//img")
        if len(images) != 1 or fallback.text_content().strip():
            continue
        image = images[0]
        if not image.get("src") or is_tracking_pixel(image) or is_hidden(image):
            continue
        placeholder = _image_before(fallback)
        if placeholder is None:
            image.tail = None
            fallback.addprevious(image)
        else:
            for attribute in ("src", "srcset", "alt", "width", "height"):
                if value := image.get(attribute):
                    placeholder.set(attribute, value)
            preview = _image_before(placeholder)  # a small one, with the same file name
            if preview is not None and _file_name(preview) == _file_name(placeholder) != "":
                preview.drop_tree()


def _file_name(image: HtmlElement) -> str:
    return (image.get("src") or "").partition("?")[0].rpartition("/")[2]


def _image_before(fallback: HtmlElement) -> HtmlElement | None:
    """Return the image directly before an element, also if it is the only content of an element."""
    previous = fallback.getprevious()
    if previous is None or (previous.tail or "").strip():
        return None
    images = list(previous.iter("img"))
    return images[0] if len(images) == 1 and not previous.text_content().strip() else None


_GENERIC = frozenset(("div", "span", "section", "p"))
_CELLS = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
_MIN_ROWS = 2


def replace_aria_roles(body: HtmlElement) -> None:
    """Rename elements without a meaning of their own by their role. Lists and tables need items and cells."""
    for element in body.xpath(".//*[@role]"):
        role = element.get("role") if element.tag in _GENERIC else ""
        if role == "list":
            is_list = all(child.get("role") == "listitem" for child in element)
            if len(element) and is_list and not (element.text or "").strip():
                element.tag = "ul"
                for item in element:
                    item.tag = "li"
        elif role == "heading":
            level = element.get("aria-level") or "2"
            if level.isdecimal() and f"h{int(level)}" in HEADING_LEVELS:
                element.tag = f"h{int(level)}"
        elif role in ("table", "grid"):
            _replace_table(element)


def _replace_table(element: HtmlElement) -> None:
    rows = element.xpath(".//*[@role='row']")
    cells = [[cell for cell in row if cell.get("role") in _CELLS] for row in rows]
    if len(rows) < _MIN_ROWS or any(len(found) != len(row) for found, row in zip(cells, rows, strict=True)):
        return
    for row, found in zip(rows, cells, strict=True):
        row.tag = "tr"
        for cell in found:
            cell.tag = _CELLS[cell.get("role") or ""]
    for group in element.xpath(".//*[@role='rowgroup']"):
        group.tag = "tbody"
    element.tag = "table"


MIN_VISIBLE_CHARACTERS = 1000
"""With fewer visible characters, the content may be hidden until scripts have run."""

MAX_CONTROL_CHARACTERS = 400
"""A control with more characters contains page content, for example because its end tag is missing."""

PERMALINK_SIGNS = frozenset("#¶§🔗⚓∞")
"""The texts of links in headings that lead to the heading itself."""

INVISIBLE_SIGNS = "\u200b\u200c\u200d\u2060\ufe0f\ufeff\u00a0 \n\t"
"""Characters without ink. VitePress and Docusaurus write U+200B into permalinks, which their style sheets draw."""

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


def clean_page(root: HtmlElement, html: str, *, only_content: bool) -> None:
    """Show what a visitor sees, and remove everything that is not visible text.

    `only_content` removes also what is not part of a text, such as buttons.
    """
    body = body_of(root)
    _show_shadow_trees(body)
    show_inline_frames(body)
    apply_style_sheets(root)
    if may_have_formulas(html):
        normalize_formulas(body, html)
    open_panels(body)
    show_buttons(body, only_content=only_content)
    mark_embeds(body)
    _label_drawings(body, html)
    normalize_code(body, html)
    if only_content:
        _remove_edit_links(body)
        for element in list(body.iter("aside", "footer")):  # notes and callouts are not beside the text
            is_note = (element.get("role") or element.get("epub:type")) in _NOTE_ROLES
            if is_note or _CALLOUT_NAME.search(class_names(element)):
                element.tag = "div"
    _remove_ignored_elements(root)
    show_line_breaks(body_of(root), html)


_IMAGE_ROLE = re.compile(r"role\s*=\s*[\"']?img\b", re.IGNORECASE)


def _label_drawings(body: HtmlElement, html: str) -> None:
    """Replace drawings, and elements that are images by their role, with images that have their label."""
    drawings = list(body.iter("svg"))
    if _IMAGE_ROLE.search(html):
        drawings += body.xpath(".//*[@role='img' and @aria-label and not(self::svg or descendant-or-self::img)]")
    for drawing in drawings:
        label = drawing.get("aria-label") or drawing.findtext("title") or ""
        is_value = drawing.get("role") == "img" or next(drawing.iterancestors("td", "th"), None) is not None
        if label.strip() and is_value and (drawing.tag == "svg" or not (has_text(drawing) or is_hidden(drawing))):
            text = drawing.tail
            drawing.clear()
            drawing.tag, drawing.tail = "img", text
            drawing.set("alt", label)


_NOTE_ROLES = ("doc-footnote", "doc-endnotes", "footnote", "footnotes", "endnotes")
_CALLOUT_NAME = re.compile(r"(?:^|\s)(?:[\w-]*admonition|callout|markdown-alert|footnote-list)(?:$|\s)")


def _show_shadow_trees(body: HtmlElement) -> None:
    """Replace the children of elements with a declarative shadow root by it, with the children in its slots (HTML)."""
    for template in list(body.iter("template")):
        host = template.getparent()
        if host is None or not template.get("shadowrootmode"):
            continue
        for slot in template.iter("slot"):
            name = slot.get("name")
            assigned = [child for child in host if child is not template and child.get("slot") == name]
            text = "" if name else f"{host.text or ''}{template.tail or ''}"
            if assigned or text.strip():
                slot.text, slot[:] = text, assigned
        template.tag, template.tail = "div", None
        host.text, host[:] = None, [template]


def _remove_ignored_elements(root: HtmlElement) -> None:
    """Remove everything that is not visible text.

    If a page shows almost no text without scripts, its `noscript` content or its hidden content is kept.
    """
    for element in list(root.iter(*IGNORED_ELEMENTS)):
        if not _keep_ignored(element):
            drop(element)
    hidden = [element for element in _elements_with_style(root) if is_hidden(element) and element.tag != "body"]
    fallbacks = list(root.iter(*_FALLBACK_ELEMENTS))
    hidden_chars = sum(map(_text_length, _outermost(hidden + fallbacks)))
    visible_chars = _text_length(root, hidden_chars + MIN_VISIBLE_CHARACTERS) - hidden_chars
    if visible_chars < MIN_VISIBLE_CHARACTERS:
        most = max(2 * visible_chars, MAX_CONTROL_CHARACTERS)
        for element in fallbacks:
            if _text_length(element) > most:
                element.tag = "div"
        fallbacks = [element for element in fallbacks if element.tag != "div"]
        if sum(map(_text_length, _outermost(hidden))) > 2 * visible_chars:
            for element in hidden:
                element.attrib.pop("hidden", None)
                element.attrib.pop("style", None)
            hidden = []
    for element in hidden + fallbacks:
        drop(element)
    _wrap_lines(body_of(root))


def show_all_text(root: HtmlElement) -> None:
    """Make all text visible, also that of controls, fallbacks and hidden elements. Scripts and styles are removed."""
    for element in list(root.iter(*_NEVER_TEXT)):
        drop(element)
    for element in root.iter():
        element.attrib.pop("hidden", None)
        element.attrib.pop("style", None)
        if tag_name(element) in _CONTROLS_WITH_TEXT:
            element.tag = "div"


def _keep_ignored(element: HtmlElement) -> bool:
    """Return whether to keep an element that is usually ignored. Controls around content become `div` elements."""
    tag = tag_name(element)
    if tag in _CONTROLS_AROUND_CONTENT:
        if _text_length(element) <= MAX_CONTROL_CHARACTERS or element.find(".//p") is None:
            return element.getparent() is None
        element.tag = "div"
        return True
    if tag == "source":  # it can have the address of an image in a `picture` element
        return next(element.iterancestors("picture"), None) is not None
    if tag == "input":
        return (element.get("type") or "").lower() == "checkbox"
    return tag in _FALLBACK_ELEMENTS or element.getparent() is None


def _wrap_lines(body: HtmlElement) -> None:
    """Put each line directly in the body into its own block, so that it can be kept or removed separately."""
    line: list[HtmlElement] = []
    for child in [*body, None]:
        has_blocks = child is not None and next(child.iter(*BLOCK_ELEMENTS), None) is not None
        if child is not None and not has_blocks:
            line.append(child)
            continue
        length = sum(_text_length(element) + len((element.tail or "").strip()) for element in line)
        if length >= MIN_LINE_CHARACTERS or any(next(element.iter("math"), None) is not None for element in line):
            block = body.makeelement("div")
            line[0].addprevious(block)
            if body[0] is block:
                block.text, body.text = body.text, None
            block.extend(line)
        line = []


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
    """Remove links to an anchor from titles if their text is invisible or only a sign such as "¶"."""
    for heading in body.iter(*HEADING_LEVELS, "dt", "caption", "figcaption", "summary"):
        for link in heading.findall(".//a"):
            text = "".join(link.itertext()).strip(INVISIBLE_SIGNS)
            is_text = bool(text) or link.find(".//img") is not None
            if "#" in (link.get("href") or "") and (text in PERMALINK_SIGNS or not is_text):
                link.drop_tree()


_EDIT_ADDRESS = re.compile(r"[?&;](?:ve)?action=edit|[?&]do=edit|Special:EditPage", re.IGNORECASE)
MAX_EDIT_WRAPPERS, MAX_ROW_ELEMENTS = 4, 10
"""Levels of elements around a link that are examined, and children of an element."""

_ONLY_SIGNS = re.compile(r"[\s\[\]()|/·•]*")


def _remove_edit_links(body: HtmlElement) -> None:
    """Remove the links of a wiki that edit a section, with the brackets around them, from headings and beside them."""
    for link in list(body.iter("a")):
        if not _EDIT_ADDRESS.search(link.get("href") or "") or link.getparent() is None:
            continue
        wrapper = link
        for _ in range(MAX_EDIT_WRAPPERS):
            parent = wrapper.getparent()
            if parent is None or parent.tag != "span" or not _has_only_links(parent):
                break
            wrapper = parent
        beside = wrapper.getparent()
        near = () if beside is None else (beside, *beside[:MAX_ROW_ELEMENTS])
        if any(element.tag in HEADING_LEVELS for element in near):
            wrapper.drop_tree()


def _has_only_links(element: HtmlElement) -> bool:
    """Return whether an element has no text but that of a few links, and brackets and separators."""
    text = element.text_content()
    for link in element.findall(".//a")[:MAX_ROW_ELEMENTS]:
        text = text.replace(link.text_content(), "", 1)
    return _ONLY_SIGNS.fullmatch(text) is not None
